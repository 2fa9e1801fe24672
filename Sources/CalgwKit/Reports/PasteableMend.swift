/// A mend whose commands, between backticks, a person can paste: about the pairs that this run is
/// about, and with what is known of the item where they say `UID`, `FILE`, `OTHERFILE` or `ID`.
/// Whoever finds a problem knows neither how calgw was called nor what a shell needs quoted. Safe
/// on a terminal.
///
/// - Parameters:
///   - options: what says which pairs this run is about: `--config`, or `--local` and `--remote`.
///   - names: of the item that the mend is for; without any where there is none, or several.
public func pasteableMend(_ mend: String, options: [String], names: MendNames) -> String {
  let parts = visibleText(mend, limit: longestMend)
    .split(separator: "`", omittingEmptySubsequences: false).map { String($0) }
  // Every second part is between backticks.
  return parts.enumerated().map { place, part in
    place.isMultiple(of: 2) ? part : pasteable(part, options, names)
  }.joined(separator: "`")
}

/// A command of a mend; what is none stays as it is.
private func pasteable(_ text: String, _ options: [String], _ names: MendNames) -> String {
  let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
  guard words.count > 1 else { return text }
  if words[0] == "cp" { return words.map(names.filled).joined(separator: " ") }
  guard words[0] == "calgw", let own = optionsTaken(by: words[1], of: options) else { return text }
  var rest = words.dropFirst(2).map { $0 }
  let place = rest.firstIndex(where: names.isItem)
  if let place { rest.remove(at: place) }
  rest = rest.map(names.filled)
  if place != nil, let item = names.item { rest += lastWords(item) }
  return ([shellCommand(words[1], options: own)] + rest).joined(separator: " ")
}

private let longestMend = 500

/// Nil for a command that no mend has.
private func optionsTaken(by verb: String, of options: [String]) -> [String]? {
  if verbsOfPairs.contains(verb) { return options }
  guard verbsOfItems.contains(verb) else { return nil }
  return options.first == "--config" ? Array(options.prefix(2)) : []
}

/// The commands that take `--local` and `--remote` in place of a configuration.
private let verbsOfPairs: Set = [
  "sync", "push", "pull", "status", "diff", "resolve", "log", "restore", "forget",
]

/// Those that work on any file, and take a configuration alone.
private let verbsOfItems: Set = ["delete", "move", "import", "check"]
