import SyncModel

extension MatchedCollection {
  /// What a person has to mend where the mapping may mean several calendars; nil where it is clear.
  func ambiguity(in pair: String) -> RunFailure? {
    guard let mapping, candidates.count > 1 else { return nil }
    let lines = candidates.clearNames.map { name in
      "{ \(tomlKey(mapping.local)) = \(tomlString(name)) }"
    }
    return RunFailure(
      .configuration, code: "ambiguous-calendar",
      message: "`collections` maps \(mapping.local) to \"\(mapping.remote)\", and"
        + " \(candidates.count) calendars are called so; \(name) is left alone",
      place: "pair \(pair), collection \(name)",
      why: CollectionDescription.addresses(of: candidates),
      hint: "write which of them it is: " + lines.joined(separator: " or "))
  }
}

extension CollectionDescription {
  /// Calendars that a message names: of more nobody would look at each.
  fileprivate static let mostShown = 8

  /// Where calendars of one name are, in words.
  static func addresses(of calendars: [CollectionDescription]) -> String {
    let first = calendars.prefix(mostShown).map(\.href.text).joined(separator: ", ")
    let more = calendars.count - mostShown
    return "they are \(first)" + (more > 0 ? " and \(more) more" : "")
  }
}

extension [CollectionDescription] {
  /// What tells the first of them apart in a configuration: two homes of an account may each have a
  /// calendar of one id.
  var clearNames: [String] {
    let hasUniqueIDs = Set(map(\.name)).count == count
    return prefix(CollectionDescription.mostShown).map { hasUniqueIDs ? $0.name : $0.href.text }
  }
}
