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

/// What a terminal would obey is written out first, so that the quotes are around all of it.
func safeWord(_ text: String) -> String {
  shellWord(visibleText(text, limit: wordLimit))
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
