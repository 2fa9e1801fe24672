import SQLiteJournal
import SyncModel

/// Finds the collection that a version of the log belongs to, in the pair as it is by now. The
/// journal goes by the pair's name: another pair may have had that name before.
struct FindOrigin {
  let pair: String
  let local: OpenedSide
  let remote: OpenedSide
  /// It is of a value, and not of an item's text.
  let isOfValue: Bool

  /// The collection that is the same on the remote side, whatever its name is now, else the one
  /// that is the same on the local side, else the one with its name where that was in the same
  /// directory.
  func find(_ origin: CollectionIdentity, among collections: [MatchedCollection])
    throws(OpeningError) -> MatchedCollection
  {
    for (side, user, identity) in [
      (Side.remote, remote.user, origin.remote), (.local, local.user, origin.local),
    ] {
      let same = collections.first {
        $0.present(on: side)?.journalIdentity(user: user) == identity
      }
      if let same { return same }
    }
    guard isHere(origin, among: collections) else { throw .run(otherPair(origin)) }
    guard let named = collections.first(where: { $0.name == origin.name && !$0.isNowhere }) else {
      throw .run(
        RunFailure(
          .missingInput, code: "no-such-collection",
          message: "the collection \"\(origin.name)\" of this version is in the pair no more",
          hint: isOfValue
            ? "set what `calgw log` shows in another collection yourself"
            : "run `calgw log --content` to see its text, and `calgw import` to put that"
              + " into another collection"))
    }
    return named
  }

  /// The local side is still where the collection was.
  private func isHere(_ origin: CollectionIdentity, among collections: [MatchedCollection]) -> Bool
  {
    let place = origin.place(.local)
    if local.isDirectory {
      let root = RememberedPlace(folder: Array(local.path.utf8))
      return place == root || place.parent == root.path
    }
    return collections.contains { collection in
      let present = collection.present(on: .local)
      return present.map { RememberedPlace(identity: $0.journalIdentity(user: "")).parent }
        == place.parent
    }
  }

  private static let importText = "put it into a calendar with `calgw import`"

  private func otherPair(_ origin: CollectionIdentity) -> RunFailure {
    func text(_ side: Side) -> String { String(decoding: origin.place(side).path, as: UTF8.self) }
    let log = shellCommand("log", options: ["--content"], argument: "\(pair)/\(origin.name)")
    return RunFailure(
      .usage, code: "other-pair",
      message: "this version is of another pair that was called \(pair)",
      place: "\(text(.local)) and \(text(.remote))",
      hint: "give the pair that has the name now another one, and write [pair.\(pair)] with those"
        + " two back into the configuration; or take \(isOfValue ? "the value" : "the text") from"
        + " `\(log)`, and \(isOfValue ? "set it yourself" : Self.importText)")
  }
}

extension MatchedCollection {
  /// The configuration names it, and that is all.
  fileprivate var isNowhere: Bool {
    if case (.nobody, .nobody) = (local, remote) { true } else { false }
  }

  /// What is there on a side; nil where nothing is yet, or any more.
  fileprivate func present(on side: Side) -> CollectionDescription? {
    guard case .present(let description) = side == .local ? local : remote else { return nil }
    return description
  }
}
