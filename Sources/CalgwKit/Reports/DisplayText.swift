/// A title or place as one line for a terminal: line ends become blanks, what a terminal would obey
/// or hide becomes a visible escape (`visibleText`), and emoji that are joined of several stay
/// joined.
public func titleText(_ text: String, limit: Int = 200) -> String {
  var shown = ""
  var isBlank = true
  for (count, character) in text.enumerated() {
    if count == limit { return shown + "…" }
    if character.isNewline || character == "\t" || character == " " {
      if !isBlank { shown += " " }
      isBlank = true
    } else {
      shown += isEmoji(character) ? String(character) : visibleText(String(character))
      isBlank = false
    }
  }
  if isBlank, shown.hasSuffix(" ") { shown.removeLast() }
  return shown
}

/// Joined emoji have up to ten parts, with a variation or colour each.
private let emojiParts = 24

/// One emoji, be it joined of several by U+200D, and nothing else.
private func isEmoji(_ character: Character) -> Bool {
  let scalars = character.unicodeScalars
  guard scalars.count > 1, scalars.count <= emojiParts, let first = scalars.first,
    first.properties.isEmoji, first.value > 0xFF
  else { return false }
  return scalars.allSatisfy { scalar in
    scalar.properties.isEmoji || scalar.value == 0x200D || scalar.value == 0xFE0F
  }
}

/// The columns that a text takes on a terminal: 2 for what is wide in East Asia and for emoji, 0
/// for marks that sit on another character, 1 for the rest (Unicode Standard Annex 11).
public func displayWidth(_ text: String) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

/// The columns of one character.
func displayWidth(_ character: Character) -> Int {
  var width = 0
  for scalar in character.unicodeScalars {
    // U+FE0F asks for the coloured form of what is also a plain sign.
    if scalar.value == 0xFE0F, width > 0 { return 2 }
    width = max(width, displayWidth(scalar))
    if width == 2 { return 2 }
  }
  // Two letters that name a flag.
  let isFlag =
    character.unicodeScalars.count == 2
    && character.unicodeScalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
  return isFlag ? 2 : width
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  // Most text is ASCII or Latin.
  if scalar.value < 0x300 { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  // Vowels and last consonants of Korean syllables that are written in parts.
  if (0x1160...0x11FF).contains(scalar.value) { return 0 }
  if scalar.properties.isEmojiPresentation { return 2 }
  return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// Blocks whose characters are Wide or Fullwidth (EastAsianWidth.txt of Unicode), except emoji,
/// which tell so themselves.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
  0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
  0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
  0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
]

/// A text of at most so many columns, cut with `…` where it has more.
public func fitted(_ text: String, columns: Int) -> String {
  guard displayWidth(text) > columns else { return text }
  var shown = ""
  var width = 0
  for character in text {
    let own = displayWidth(character)
    if width + own > columns - 1 { break }
    shown.append(character)
    width += own
  }
  return shown + "…"
}

/// A text of exactly so many columns: cut, or with blanks behind it.
public func padded(_ text: String, columns: Int) -> String {
  let shown = fitted(text, columns: columns)
  return shown + String(repeating: " ", count: max(0, columns - displayWidth(shown)))
}

/// A text with letters that are written from right to left, isolated from what is around it on its
/// line (Unicode Standard Annex 9, FSI and PDI); other texts as they are.
public func isolated(_ text: String) -> String {
  let isRightToLeft = text.unicodeScalars.contains { scalar in
    rightToLeftRanges.contains { $0.contains(scalar.value) }
  }
  return isRightToLeft ? "\u{2068}\(text)\u{2069}" : text
}

private let rightToLeftRanges: [ClosedRange<UInt32>] = [
  0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
]
