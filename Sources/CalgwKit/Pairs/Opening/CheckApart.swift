/// Refuses sides that are one place, or of which one lies within the other.
extension PairOpener {
  /// The paths may be apart, and not what they lead to. To be asked before anything is made there.
  func checkApart(_ pair: PairConfiguration) throws(OpeningError) {
    guard let overlap = pair.atRealPlaces.overlap else { return }
    throw .run(RunFailure(overlap))
  }
}

extension RunFailure {
  fileprivate init(_ overlap: Overlap) {
    self.init(
      .configuration, code: "bad-configuration", message: overlap.message, hint: overlap.hint)
  }
}
