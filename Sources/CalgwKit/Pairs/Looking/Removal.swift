import SyncModel
import SyncPlanning

/// What comes of an item both sides share if a person takes away what one of them has of it.
struct Removal: Sendable, Hashable {
  enum Outcome: Sendable {
    /// The other side loses it, too.
    case deleted
    /// The edit of the other side survives the deletion, and brings it back.
    case broughtBack
    /// The other side keeps it, and this one does not get it again.
    case kept
    /// The other side has lost it before.
    case goneFromBoth
  }

  let outcome: Outcome
  private let other: Side

  /// The table of docs/reconcile.md, as far as the pair may write.
  init(from side: Side, _ elsewhere: ItemProblem.Elsewhere?, in pair: PairConfiguration) {
    other = side.opposite
    switch elsewhere {
    case .gone?:
      outcome = .goneFromBoth
    case .edited? where !pair.prefersDeletions(on: side):
      outcome = pair.writes(to: side) ? .broughtBack : .kept
    case .edited?, nil:
      outcome = pair.writes(to: other) ? .deleted : .kept
    }
  }

  /// The end of a sentence that begins with the person.
  var words: String {
    switch outcome {
    case .deleted: "that deletes the item on the \(other.rawValue) side, too"
    case .broughtBack: "the next sync puts the item back, as the \(other.rawValue) side has it"
    case .kept: "the \(other.rawValue) side keeps the item"
    case .goneFromBoth: "the item is then gone from both sides"
    }
  }
}

extension PairConfiguration {
  /// Runs of it may write to a side, as far as the configuration says.
  func writes(to side: Side) -> Bool { direction.writes(to: side) && !isClosed(side) }

  /// No edit on the other side survives a deletion on this one.
  fileprivate func prefersDeletions(on side: Side) -> Bool {
    if isClosed(side) { return false }
    return switch policy {
    case .local: side == .local
    case .remote: side == .remote
    case .merge, .newest, .ask: false
    }
  }

  private func isClosed(_ side: Side) -> Bool {
    if side == .local { return false }
    if case .subscription = remote { return true }
    return isReadOnly
  }
}
