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
}
