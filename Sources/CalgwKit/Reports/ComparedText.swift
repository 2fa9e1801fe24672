public import SyncPlanning

/// So many characters, and lines, that both versions have stand before what they have unlike.
private let charactersBefore = 40
private let linesBefore = 2

/// A text as `visibleText` shows it, beside another version of it: where it has to be cut, it
/// begins with an ellipsis a little before the first character that the other one has unlike.
public func visibleText(_ text: String, unlike other: String, limit: Int) -> String {
  // One letter in two forms of Unicode is a difference, too.
  let alike = zip(text, other).prefix { $0.utf8.elementsEqual($1.utf8) }.count
  let start = firstShown(of: text.count, alike: alike, before: charactersBefore, atMost: limit)
  if start == 0 { return visibleText(text, limit: limit) }
  return "…" + visibleText(String(text.dropFirst(start)), limit: limit)
}

/// The first line to show of a text that is cut to so many lines, beside another version of it: a
/// little before the first one that the other one has unlike.
public func firstLineShown(of lines: [String], unlike other: [String], atMost most: Int) -> Int {
  let alike = zip(lines, other).prefix { $0.utf8.elementsEqual($1.utf8) }.count
  return firstShown(of: lines.count, alike: alike, before: linesBefore, atMost: most)
}

/// Nothing is left out at the beginning that need not be.
private func firstShown(of count: Int, alike: Int, before: Int, atMost most: Int) -> Int {
  guard count > most, alike + before > most else { return 0 }
  return min(alike - before, count - most)
}

extension [DetailLine] {
  /// Their texts as `visibleText` shows them: a line that stands in the place of another one as
  /// above.
  public func visibleTexts(limit: Int) -> [String] {
    var texts = map { visibleText($0.text, limit: limit) }
    var index = startIndex
    while index < endIndex {
      let removed = self[index...].prefix { $0.mark == .removed }
      let added = self[removed.endIndex...].prefix { $0.mark == .added }
      for (old, new) in zip(removed.indices, added.indices) {
        texts[old] = visibleText(self[old].text, unlike: self[new].text, limit: limit)
        texts[new] = visibleText(self[new].text, unlike: self[old].text, limit: limit)
      }
      index = Swift.max(added.endIndex, index + 1)
    }
    return texts
  }
}
