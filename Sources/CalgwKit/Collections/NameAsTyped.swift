/// A display name as a person types it who has seen it: without what does not show, as the marks
/// that join emoji or turn the direction of text, and with one blank where there are several. By
/// this a configuration calls a calendar, and a folder is named after it.
func nameAsTyped(_ name: String) -> String {
  let words = name.split(whereSeparator: \.isWhitespace).map { word in
    let shown = word.unicodeScalars.filter { $0.properties.generalCategory != .format }
    return String(String.UnicodeScalarView(shown))
  }
  return words.filter { !$0.isEmpty }.joined(separator: " ")
}
