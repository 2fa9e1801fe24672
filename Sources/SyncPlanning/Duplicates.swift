public import SyncModel

/// Resources of one side that hold items of one UID. Those that say the same as another one can go
/// without a loss; of the rest a person decides.
struct Duplicates {
  private let side: Side
  /// Of those that say the same the first is the one to keep.
  private let versions: [ItemVersion]
  private let displacing: Set<Href>

  /// So many of the others are named with each.
  private static let namedOthers = 3

  /// - Parameters:
  ///   - agreed: where the one is on which both sides agreed. Else the shortest name is the one to
  ///     keep: programs that copy a file put something into its name.
  ///   - displacing: where other items were, which go with what is there now.
  init(_ versions: [ItemVersion], on side: Side, agreed: Href?, displacing: Set<Href>) {
    func isToBeKept(_ one: ItemVersion, before other: ItemVersion) -> Bool {
      if (one.href == agreed) != (other.href == agreed) { return one.href == agreed }
      let isForeign = displacing.contains(one.href)
      if isForeign != displacing.contains(other.href) { return !isForeign }
      let lengths = (one.href.spelling.count, other.href.spelling.count)
      return lengths.0 == lengths.1 ? one.href < other.href : lengths.0 < lengths.1
    }
    self.side = side
    self.displacing = displacing
    self.versions = versions.sorted(by: isToBeKept)
  }

  /// In the order of their names.
  var troubles: [ItemTrouble] {
    let group = versions.sorted { $0.href < $1.href }
    return group.map { version in
      let rest = group.map(\.href).filter { $0 != version.href }
      let more = rest.count - Self.namedOthers
      let others =
        rest.prefix(Self.namedOthers).map { "'\($0.text)'" }.joined(separator: ", ")
        + (more > 0 ? " and \(more) more" : "")
      // Each has its own title: that is how a person tells which one to keep.
      return ItemTrouble(
        uid: version.uid, side: side, href: version.href, summary: version.summary,
        problem: ItemProblem(
          .duplicateUID, "'\(version.href.text)' has the same UID as \(others)",
          hint: hint(for: version)))
    }
  }

  private func hint(for version: ItemVersion) -> String {
    let alike = versions.filter { $0.canonical == version.canonical }
    if let kept = alike.first, kept.href != version.href {
      let sameness =
        kept.version.digest == version.version.digest ? "has the same bytes" : "says the same"
      let removal =
        displacing.contains(version.href)
        ? "how this one goes is told with the item that was here before"
        : side == .local ? ItemProblem.takeFileAway : ItemProblem.deleteThere
      return "It \(sameness) as '\(kept.href.text)', which is to stay: \(removal)."
    }
    return alike.count == versions.count
      ? "Keep this one: it says what the others say, and those can go."
      : "Keep one of them, or give the other a UID of its own."
  }
}

extension Differing {
  /// Where the resources of a side are of each UID that has several there, as far as is known: one
  /// of what both sides agreed on is there as long as nothing says otherwise.
  public func doubles(on side: Side) -> [[Href]] {
    SideView(side, self).doubledPlaces.map { places in places.filter { !$0.isVacated } }
  }
}

extension ItemProblem {
  /// How one of several files that say the same goes.
  public static let takeFileAway =
    "`mv --backup=numbered FILE FILE.old` takes this one away, and nothing is lost"
  /// The same of a resource that no command here can name.
  public static let deleteThere =
    "delete this one there, with another program, and nothing is lost"
}
