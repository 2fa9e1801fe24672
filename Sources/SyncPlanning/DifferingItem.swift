public import SyncModel

/// An item of which at least one side is not as agreed.
public struct DifferingItem: Sendable, Hashable {
  /// Whether the sides have met before, and what each shows now.
  ///
  /// Kept apart from the item, which travels through many lists: four versions are a kilobyte.
  public indirect enum State: Sendable, Hashable {
    /// Both sides shared it once.
    case agreed(Agreement, local: Change, remote: Change)
    /// The two sides never agreed on it; at least one of them has it.
    case unmet(local: ItemVersion?, remote: ItemVersion?)
  }

  public var uid: ItemID
  public var state: State
  /// What waits on the observation of a side, if anything.
  public var waits: [Side: Observation.Wait]
  /// A second look has shown that both sides mean the same, though their canonical forms differ.
  public internal(set) var isSameOnBoth = false

  public init(uid: ItemID, state: State, waits: [Side: Observation.Wait] = [:]) {
    self.uid = uid
    self.state = state
    self.waits = waits
  }

  /// What is on a side now; nil where nothing is.
  public func version(on side: Side) -> ItemVersion? {
    switch state {
    case .agreed(_, let local, let remote):
      switch side == .local ? local : remote {
      case .unchanged(let version), .modified(let version): version
      case .deleted: nil
      }
    case .unmet(let local, let remote):
      side == .local ? local : remote
    }
  }

  /// A version to name the item by, whichever side has one, else the one that was agreed.
  public var anyVersion: ItemVersion? {
    if let present = version(on: .local) ?? version(on: .remote) { return present }
    if case .agreed(let agreement, _, _) = state { return agreement.local }
    return nil
  }

  /// Both sides changed it, a side does not say when, and nothing waits for a person yet.
  public func lacksTime(of side: Side) -> Bool {
    guard waits.isEmpty, !isSameOnBoth else { return false }
    let base: Agreement?
    switch state {
    case .agreed(let agreement, .modified, .modified): base = agreement
    case .unmet(.some, .some): base = nil
    case .agreed, .unmet: return false
    }
    guard let here = version(on: .local), let there = version(on: .remote),
      here.canonical != there.canonical
    else { return false }
    let own = side == .local ? here : there
    let isStated = own.lastModified != nil && own.lastModified != base?[side].lastModified
    return own.modified == nil && !isStated
  }

  /// Puts a version in the place of the one that a side shows.
  public mutating func show(_ version: ItemVersion, on side: Side) {
    switch state {
    case .agreed(let agreement, var local, var remote):
      if side == .local { local = .modified(version) } else { remote = .modified(version) }
      state = .agreed(agreement, local: local, remote: remote)
    case .unmet(let local, let remote):
      state =
        side == .local
        ? .unmet(local: version, remote: remote) : .unmet(local: local, remote: version)
    }
  }
}
