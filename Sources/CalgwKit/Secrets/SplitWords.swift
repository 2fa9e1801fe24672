/// Why a command line could not be split into words.
package struct WordError: Error, Hashable {
  var message: String
}

/// Splits a command into its words as a shell would, and does nothing else that a shell does:
/// blanks separate, single quotes keep everything, double quotes keep everything but `\"` and
/// `\\`, and a backslash keeps the next character.
package func splitWords(_ text: String) throws(WordError) -> [String] {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var characters = text.makeIterator()
  while let character = characters.next() {
    switch (quote, character) {
    case ("'", "'"), ("\"", "\""): quote = nil
    case ("'", _): word = (word ?? "") + String(character)
    case ("\"", "\\"):
      guard let next = characters.next() else { throw WordError(message: "it ends in a backslash") }
      word = (word ?? "") + (next == "\"" || next == "\\" ? "" : "\\") + String(next)
    case (.some, _): word = (word ?? "") + String(character)
    case (nil, "'"), (nil, "\""):
      quote = character
      word = word ?? ""
    case (nil, "\\"):
      guard let next = characters.next() else { throw WordError(message: "it ends in a backslash") }
      word = (word ?? "") + String(next)
    case (nil, " "), (nil, "\t"), (nil, "\n"):
      if let word { words.append(word) }
      word = nil
    case (nil, _): word = (word ?? "") + String(character)
    }
  }
  guard quote == nil else { throw WordError(message: "a quotation mark is not closed") }
  if let word { words.append(word) }
  guard !words.isEmpty else { throw WordError(message: "it is empty") }
  return words
}
