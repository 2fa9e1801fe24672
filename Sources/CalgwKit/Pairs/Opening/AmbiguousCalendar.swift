import SyncExecution
import SyncModel

extension MatchedCollection {
  /// What a person has to mend where the mapping may mean several calendars, or means what another
  /// one means, too; nil where it is clear.
  package func ambiguity(in pair: String) -> RunFailure? {
    if let contest { return contest.failure(of: name, in: pair) }
    guard let mapping, candidates.count > 1 else { return nil }
    let lines = candidates.clearNames().map { name in
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

extension CollectionOpener {
  /// Several of a side have the name of a collection that gets a counterpart there, or one has it
  /// that several of this side may belong to. None is made beside them. But where a folder of this
  /// machine is one that several calendars may belong to, each gets another folder, which has what
  /// its calendar has. Nil for any other collection.
  func mayBeOneOfSeveral(_ collection: MatchedCollection, on side: Side) -> ReportedProblem? {
    let rivals = collection.rivals
    let isOne = rivals.count == 1
    guard let first = rivals.first, side == .remote || pair.side(side).isServer || !isOne else {
      return nil
    }
    var lines = rivals.clearNames(among: pair.listing.remoteNames).map {
      "{ \(tomlKey(collection.name)) = \(tomlString($0)) }"
    }
    var making = "; a name that none has makes one more"
    if case .present(let own) = collection.remote {
      lines = rivals.clearNames().map { "{ \(tomlKey($0)) = \(tomlString(own.href.text)) }" }
      making = ""
    }
    let name = visibleText(first.displayName ?? first.name, limit: 60)
    let why =
      isOne
      ? "\(collection.name) is one of several that may belong to \"\(name)\", and nothing says"
        + " which of them does"
      : "several are called \"\(name)\", and nothing says which of them belongs to"
        + " \(collection.name)"
    let choice = isOne ? "if it does, write that" : "write which of them it is"
    return ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .collectionGone,
        "\(why); it is left alone, and none is made for it",
        hint: "\(choice) into the pair's `collections`:"
          + " \(lines.joined(separator: " or "))\(making)"))
  }
}

extension Contest {
  fileprivate func failure(of collection: String, in pair: String) -> RunFailure {
    let shown = mappings.prefix(CollectionDescription.mostShown)
    let texts = shown.map { "\($0.local) to \"\($0.remote)\"" }.joined(separator: " and ")
    let lines = shown.map { "{ \(tomlKey($0.local)) = \(tomlString($0.remote)) }" }
    let more = mappings.count - shown.count
    let others = more > 0 ? " and \(more) more" : ""
    let what = calendar == nil ? "name" : "calendar"
    let reasons = [
      calendar.map { "it is \($0.href.text)" },
      keeper.map { "\($0.local) has it from earlier runs" },
    ]
    return RunFailure(
      .configuration, code: "ambiguous-calendar",
      message: "`collections` maps \(texts)\(others), which is one \(what) for several folders;"
        + " \(collection) is left alone",
      place: "pair \(pair), collection \(collection)",
      why: reasons.compactMap { $0 }.joined(separator: "; "),
      hint: "keep one of these lines, and map the other folders to calendars of their own (see"
        + " `calgw discover`): \(lines.joined(separator: " or "))\(others)")
  }
}

extension CollectionDescription {
  /// Calendars that a message names: of more nobody would look at each.
  static let mostShown = 8

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
  ///
  /// - Parameter listed: the ids of all, those of these among them; none where these are all.
  func clearNames(among listed: [String] = []) -> [String] {
    let hasUniqueIDs =
      Set(map(\.name)).count == count
      && allSatisfy { own in listed.count { $0 == own.name } < 2 }
    return prefix(CollectionDescription.mostShown).map { hasUniqueIDs ? $0.name : $0.href.text }
  }
}
