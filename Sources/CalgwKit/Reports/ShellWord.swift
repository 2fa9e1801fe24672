/// A text as one word of a command that a person pastes into a POSIX shell: as it is where every
/// shell takes it so, else in single quotes, inside which nothing counts but their end.
public func shellWord(_ text: String) -> String {
  if !text.isEmpty, text.utf8.allSatisfy(isPlainInShells) { return text }
  var word = "'"
  // By scalars: a quote with a combining mark behind it is another character, and ends a word too.
  for scalar in text.unicodeScalars {
    if scalar == "'" { word += #"'\''"# } else { word.unicodeScalars.append(scalar) }
  }
  return word + "'"
}

/// A command of calgw to paste, safe on a terminal and in a shell whatever its words are: UIDs and
/// names come from strangers.
/// - Parameter argument: the one after the options; where it begins as they do, `--` is before it.
public func shellCommand(
  _ verb: String, options: [String] = [], argument: String? = nil
) -> String {
  let words = (["calgw", verb] + options).map(safeWord) + (argument.map(lastWords) ?? [])
  return words.joined(separator: " ")
}

/// The argument behind the options, with `--` before it where it begins as they do.
func lastWords(_ argument: String) -> [String] {
  (argument.utf8.first == UInt8(ascii: "-") ? ["--"] : []) + [safeWord(argument)]
}

/// A word that a terminal shows as it is; one that has in it what a terminal would obey or hide is
/// for the shell to put together. A line end at its end is lost, and a NUL is no part of any word.
func safeWord(_ text: String) -> String {
  let shown = visibleText(text, limit: wordLimit)
  if shown.utf8.elementsEqual(text.utf8) || text.count > wordLimit { return shellWord(shown) }
  var word = ""
  for character in text {
    word +=
      isLiteral(character)
      ? String(character) : character.utf8.map { "\\0" + octal($0) }.joined()
  }
  return #""$(printf %b '\#(word)')""#
}

/// Whether it stays itself in the text that `printf %b` reads, in single quotes that are in double
/// ones: shells that look for `!` there see the double ones alone.
private func isLiteral(_ character: Character) -> Bool {
  let special: Set<Unicode.Scalar> = ["'", "\\", "!"]
  // With a mark behind it, a quote is another character and ends the word all the same.
  return visibleText(String(character)).utf8.elementsEqual(character.utf8)
    && !character.unicodeScalars.contains(where: special.contains)
}

/// Three digits.
private func octal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 8)
  return String(repeating: "0", count: 3 - digits.count) + digits
}

/// A terminal shows a text as it is, and no command takes it for an option.
func isPlainArgument(_ text: String) -> Bool {
  text.utf8.first != UInt8(ascii: "-")
    && visibleText(text, limit: wordLimit).utf8.elementsEqual(text.utf8)
}

/// A longer word is cut: Linux takes no longer path (PATH_MAX).
private let wordLimit = 4096

/// `=` and `~` are not among them: zsh and others expand them at a word's beginning.
private func isPlainInShells(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  case UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: ":"),
    UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "_"),
    UInt8(ascii: "-"):
    true
  default: false
  }
}
