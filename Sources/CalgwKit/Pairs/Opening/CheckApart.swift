/// Refuses sides that are one place, or of which one lies within the other.
extension PairOpener {
  /// The paths may be apart, and not what they lead to. To be asked before anything is made there.
  func checkApart(_ pair: PairConfiguration) throws(OpeningError) {
    guard let overlap = pair.atRealPlaces.overlap else { return }
    throw .run(RunFailure(overlap))
  }

  /// Two directories may show one folder as a collection: where one of them is that folder, or by a
  /// mount. It would wait for its own lock.
  func checkApart(
    _ collections: [MatchedCollection], _ local: OpenedSide, _ remote: OpenedSide
  ) throws(OpeningError) {
    guard case .directory = local, case .directory = remote else { return }
    for collection in collections {
      guard case .present(let here) = collection.local,
        case .present(let there) = collection.remote,
        let one = FolderIdentity(here.journalIdentity(user: "")),
        let other = FolderIdentity(there.journalIdentity(user: "")), one.number == other.number
      else { continue }
      throw .run(
        RunFailure(Overlap(sameDirectory: String(decoding: one.path, as: UTF8.self))))
    }
  }
}

extension RunFailure {
  fileprivate init(_ overlap: Overlap) {
    self.init(
      .configuration, code: "bad-configuration", message: overlap.message, hint: overlap.hint)
  }
}
