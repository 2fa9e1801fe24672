/// A mend whose commands of calgw, between backticks, a person can paste: about the pairs that this
/// run is about, and with the item's own UID where they say `UID`. Whoever finds a problem knows
/// neither how calgw was called nor what a shell needs quoted. Safe on a terminal.
///
/// - Parameters:
///   - options: what says which pairs this run is about: `--config`, or `--local` and `--remote`.
///   - uid: of the item that the mend is for; nil where there is none, or several.
public func pasteableMend(_ mend: String, options: [String], uid: String?) -> String {
  let parts = visibleText(mend, limit: longestMend)
    .split(separator: "`", omittingEmptySubsequences: false).map { String($0) }
  // Every second part is between backticks.
  return parts.enumerated().map { place, part in
    place.isMultiple(of: 2) ? part : pasteable(part, options, uid)
  }.joined(separator: "`")
}

/// A command of a mend; what is none stays as it is.
private func pasteable(_ text: String, _ options: [String], _ uid: String?) -> String {
  let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
  guard words.count > 1, words[0] == "calgw", verbsOfPairs.contains(words[1]) else { return text }
  var rest = words.dropFirst(2).map { $0 }
  if let uid, let place = rest.firstIndex(of: "UID") {
    rest.remove(at: place)
    rest += lastWords(uid)
  }
  return ([shellCommand(words[1], options: options)] + rest).joined(separator: " ")
}

private let longestMend = 500

/// The commands that take `--local` and `--remote` in place of a configuration.
private let verbsOfPairs: Set = [
  "sync", "push", "pull", "status", "diff", "resolve", "log", "restore", "forget",
]
