import ICalendar
public import SyncModel

/// The sides that a touch stays away from.
public struct TouchesStay: Sendable, Hashable {
  /// Their server may send mail because of a scheduled item that is written there.
  public var notifying: Set<Side>
  /// Nothing may be written there.
  public var readOnly: Set<Side>

  public init(notifying: Set<Side> = [], readOnly: Set<Side> = []) {
    self.notifying = notifying
    self.readOnly = readOnly
  }
}

/// What a program on one side touched, or wrote anew with its defaults, says what it said before.
/// That is no edit that would outlive a deletion on the other side, or that a read-only side should
/// have; and a server that stored such a meeting again might tell everybody of a change (RFC 6638
/// §3.2).
extension DifferingItem {
  /// The texts that telling a touch from an edit needs.
  public func textsOfEdit(sparing sides: TouchesStay) -> [ContentDigest] {
    if let edit = edit(sparing: sides) {
      return [edit.agreed.version.digest, edit.seen.version.digest]
    }
    // A second look may show that one of two changes is none.
    guard case .agreed(let base, .modified(let here), .modified(let there)) = state else {
      return []
    }
    let (local, remote) = ([base.local, here], [base.remote, there])
    let isMeeting = sides.notifying.contains
    return ((isMeeting(.remote) ? local : []) + (isMeeting(.local) ? remote : []))
      .map(\.version.digest)
  }

  /// The item as it is where a touch is no change: a version that differs from what was agreed in
  /// nothing but the fields that say that somebody has touched it (SEQUENCE, LAST-MODIFIED,
  /// DTSTAMP, CREATED), and in defaults that are written out. Only where the other side has deleted
  /// the item, is read-only, or would get a meeting as it is and may send mail because of it.
  ///
  /// `texts` are those of `textsOfEdit`, by digest; a version whose text is not there stays as it
  /// is.
  public func withoutTouch(
    _ texts: [ContentDigest: ItemData], zones: ItemZones, sparing sides: TouchesStay
  ) -> DifferingItem {
    guard case .agreed(let base, let local, let remote) = state,
      let edit = edit(sparing: sides),
      let before = texts[edit.agreed.version.digest], let now = texts[edit.seen.version.digest],
      edit.isOfAnyItem || SchedulingAgent.isScheduled(now.bytes),
      zones.haveOneEssence(SyntaxTree(bytes: before.bytes), SyntaxTree(bytes: now.bytes))
    else { return self }
    var item = self
    // That the other side refused the touch is no reason to keep the item from going with it.
    if edit.meetsDeletion, edit.side == .local { item.waits[.local] = nil }
    item.state =
      edit.side == .local
      ? .agreed(base, local: .unchanged(edit.seen), remote: remote)
      : .agreed(base, local: local, remote: .unchanged(edit.seen))
    return item
  }

  private struct Edit {
    var side: Side
    var agreed: ItemVersion
    var seen: ItemVersion
    /// The other side deleted the item.
    var meetsDeletion = false
    /// The other side takes nothing.
    var isUnsendable = false

    /// Not of meetings alone.
    var isOfAnyItem: Bool { meetsDeletion || isUnsendable }
  }

  /// The change of one side that would bring back what the other one deleted, or cannot go there,
  /// or would go to a server which may send mail.
  private func edit(sparing sides: TouchesStay) -> Edit? {
    guard case .agreed(let base, let local, let remote) = state else { return nil }
    return switch (local, remote) {
    case (.modified(let seen), .deleted):
      Edit(side: .local, agreed: base.local, seen: seen, meetsDeletion: true)
    case (.deleted, .modified(let seen)):
      Edit(side: .remote, agreed: base.remote, seen: seen, meetsDeletion: true)
    case (.modified(let here), .modified(let there))
    where isSameOnBoth || here.canonical == there.canonical: nil
    case (.modified(let seen), _) where sides.readOnly.contains(.remote):
      Edit(side: .local, agreed: base.local, seen: seen, isUnsendable: true)
    case (_, .modified(let seen)) where sides.readOnly.contains(.local):
      Edit(side: .remote, agreed: base.remote, seen: seen, isUnsendable: true)
    case (.modified(let seen), .unchanged) where sides.notifying.contains(.remote):
      Edit(side: .local, agreed: base.local, seen: seen)
    case (.unchanged, .modified(let seen)) where sides.notifying.contains(.local):
      Edit(side: .remote, agreed: base.remote, seen: seen)
    case (.modified, _), (.unchanged, _), (.deleted, _): nil
    }
  }
}
