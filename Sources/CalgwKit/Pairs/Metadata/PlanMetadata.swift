import SyncModel
import SyncPlanning

/// What is to become of the values of a collection, decided and not done: the one reckoning of
/// runs, dry runs and `status`.
struct MetadataPlan: Sendable, Hashable {
  /// In the order of their keys.
  var differing: [DifferingValue] = []
  /// With what needs nothing by now.
  var bases: MetadataBases

  init(
    _ sides: BothSides<CollectionDescription>, bases: MetadataBases, keys: [MetadataKey],
    rules: MetadataRules
  ) {
    self.bases = bases
    self.bases.renaming = [:]
    self.bases.settleAwaited(sides, keys: keys)
    for key in MetadataKey.allCases where keys.contains(key) {
      let (local, remote) = (sides.local[key], sides.remote[key])
      // A calendar that is called as its folder needs no file that says so.
      let isFolderName = key == .displayname && local == nil && remote == sides.local.name
      let decision =
        isFolderName && bases[key]?.local == nil
        ? .settled
        : reconcileMetadata(
          key, base: self.bases[key], local: local, remote: remote, rules: rules)
      switch decision {
      case .settled: self.bases[key] = MetadataBase(local: local, remote: remote)
      case .set(let side, let isConflict):
        differing.append(
          DifferingValue(
            key: key, base: bases[key], local: local, remote: remote, target: side,
            changed: isConflict ? Set(Side.allCases) : [side.opposite]))
      case .undecided:
        differing.append(
          DifferingValue(
            key: key, base: bases[key], local: local, remote: remote, target: nil,
            changed: Set(Side.allCases)))
      }
    }
  }
}

extension MetadataPlan {
  /// A calendar that calgw has just made for a folder without a name of its own gets that of the
  /// folder, where the server has taken none so far.
  mutating func giveName(_ asked: String, _ sides: BothSides<CollectionDescription>) {
    let (key, shown) = (MetadataKey.displayname, sides.remote.displayName)
    guard sides.local.displayName == nil, !isSame(key, shown, asked),
      !differing.contains(where: { $0.key == key })
    else { return }
    differing.append(
      DifferingValue(
        key: key, base: bases[key], local: asked, remote: shown, target: .remote,
        changed: [.local]))
  }
}

extension MetadataBases {
  /// A side that shows late what it was given has changed nothing by itself. What it does not show
  /// yet is awaited for as long as neither side changes it.
  fileprivate mutating func settleAwaited(
    _ sides: BothSides<CollectionDescription>, keys: [MetadataKey]
  ) {
    for one in awaited {
      let (key, shown) = (one.key, sides[one.side][one.key])
      let isShown = isSame(key, shown, one.value)
      if isShown { self[key]?[one.side] = shown }
      let isAwaited =
        keys.contains(key) && !isShown && isSame(key, shown, self[key]?[one.side])
        && isSame(key, sides[one.side.opposite][key], one.value)
      if !isAwaited { awaited.remove(one) }
    }
  }
}

/// A value of a collection that a side changed since both agreed on it.
struct DifferingValue: Sendable, Hashable {
  let key: MetadataKey
  /// Nil: the two never met.
  let base: MetadataBase?
  let local: String?
  let remote: String?
  /// The side that gets the other one's value; nil where a person is to decide.
  let target: Side?
  /// The sides that changed it.
  let changed: Set<Side>
  /// Whose value a person can let hold, where one is to decide.
  var choices: [Side] = []

  /// Both sides changed it.
  var isConflict: Bool { changed.count == Side.allCases.count }

  subscript(side: Side) -> String? { side == .local ? local : remote }

  /// What a person is to decide; nil where the policy does.
  var conflict: ValueConflict? {
    guard target == nil else { return nil }
    return ValueConflict(
      key: key, local: local, remote: remote, choices: choices, isUnmet: base == nil)
  }

  /// A longer value is not shown.
  private static let shownCharacters = 60

  /// What a side made of it, in words; nil where it changed nothing.
  ///
  /// - Parameter stays: It goes nowhere, whatever the other side made of it.
  func words(on side: Side, stays: Bool = false) -> String? {
    guard changed.contains(side) else { return nil }
    let before = base.flatMap { side == .local ? $0.local : $0.remote } ?? ""
    let after = self[side] ?? ""
    let isLong = [before, after].contains {
      $0.count > Self.shownCharacters || $0.contains(where: \.isNewline)
    }
    let change: String =
      switch (before.isEmpty, isLong) {
      case (true, true): "\(key.rawValue) added"
      case (true, false): "\(key.rawValue) \"\(after)\" added"
      case (false, true): "\(key.rawValue) changed"
      case (false, false): "\(key.rawValue) \"\(before)\" → \"\(after)\""
      }
    if stays { return change }
    if target == side { return change + ", which gives way" }
    guard target == nil else { return change }
    return base == nil
      ? "\(change), which waits, since the sides never agreed on it"
      : "\(change), which waits, since both sides changed it"
  }
}
