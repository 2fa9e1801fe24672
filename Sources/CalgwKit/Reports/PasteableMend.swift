/// A mend whose commands, between backticks, a person can paste: about the pairs that this run is
/// about, and with what is known of the item where they say `UID`, `FILE`, `FOLDER`, `OTHERFILE`
/// or `ID`. Whoever finds a problem knows neither how calgw was called nor what a shell needs
/// quoted. Safe on a terminal. A mend that is too long is cut between its commands.
///
/// - Parameters:
///   - options: what says which pairs this run is about: `--config`, or `--local` and `--remote`.
///   - names: of the item that the mend is for; without any where there is none, or several.
public func pasteableMend(_ mend: String, options: [String], names: MendNames) -> String {
  var (words, commands) = (mostOfWords, mostOfCommands)
  var parts: [String] = []
  for part in mend.split(separator: "`", omittingEmptySubsequences: false) {
    // Every second part is between backticks.
    if parts.count.isMultiple(of: 2) {
      parts.append(visibleText(String(part), limit: words))
      words -= part.count
      if words < 0 { break }
    } else {
      guard part.count <= commands else {
        parts.append("…")
        break
      }
      commands -= part.count
      parts.append(pasteable(visibleText(String(part), limit: part.count), options, names))
    }
  }
  return parts.joined(separator: "`")
}

/// A mend is read: nobody looks through one that is longer, not counting its commands.
private let mostOfWords = 500

/// Of all commands of a mend: two of them may have a path of any length in them.
private let mostOfCommands = 10_000

/// A command of a mend; what is none stays as it is.
private func pasteable(_ text: String, _ options: [String], _ names: MendNames) -> String {
  let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
  guard words.count > 1 else { return text }
  if ["cp", "mv"].contains(words[0]) { return words.map(names.filled).joined(separator: " ") }
  guard words[0] == "calgw", let own = optionsTaken(by: words[1], of: options) else { return text }
  var rest = words.dropFirst(2).map { $0 }
  let place = rest.firstIndex(where: names.isItem)
  rest = rest.map(names.filled)
  if let place, let item = names.item {
    rest.remove(at: place)
    // It comes behind the options: it may begin as they do. What is no option stays behind it.
    let isBeforeAnother = rest[place...].first.map { !$0.hasPrefix("-") } ?? false
    rest.insert(contentsOf: lastWords(item), at: isBeforeAnother ? place : rest.endIndex)
  }
  return ([shellCommand(words[1], options: own)] + rest).joined(separator: " ")
}

/// Nil for a command that no mend has.
private func optionsTaken(by verb: String, of options: [String]) -> [String]? {
  if verbsOfPairs.contains(verb) { return options }
  guard verbsOfConfiguration.contains(verb) else { return nil }
  return options.first == "--config" ? Array(options.prefix(2)) : []
}

/// The commands that take `--local` and `--remote` in place of a configuration.
private let verbsOfPairs: Set = [
  "sync", "push", "pull", "status", "diff", "resolve", "log", "restore", "forget",
]

/// Those that take a configuration alone.
private let verbsOfConfiguration: Set = [
  "delete", "move", "import", "check", "discover", "doctor",
]
