import ICalendar
public import SyncModel
public import SyncPlanning

/// The differences of an item, property by property. A side that was changed in nothing but what
/// says that somebody has touched it has one that tells so.
public struct ItemDifferences: Sendable, Hashable {
  /// From what was agreed last to what the local side has.
  public var local: [PropertyDifference] = []
  /// From what was agreed last to what the remote side has.
  public var remote: [PropertyDifference] = []
  /// From what the remote side has to what the local side has.
  public var between: [PropertyDifference] = []
}

extension CollectionSync {
  /// Says what the sides changed in an item, and how they differ. Versions whose text is not kept,
  /// and sides without the item, have no differences; of what is too large to be compared, it is
  /// said that it differs.
  public func differences(of item: PendingItem) async -> Result<ItemDifferences, SyncFailure> {
    let bases = item.base.map { base in [Side.local: base.local, .remote: base.remote] } ?? [:]
    let digests = (Array(bases.values) + item.versions.values).map(\.version.digest).sorted()
    do throws(SyncFailure) {
      let texts = try await recorded { () throws(JournalError) in
        try await journal.contents(digests)
      }
      func compare(
        _ old: ItemVersion?, _ new: ItemVersion?, _ change: PendingItem.Change = .unchanged
      ) -> [PropertyDifference] {
        guard let old, let new, old.version.digest != new.version.digest,
          let earlier = texts[old.version.digest], let later = texts[new.version.digest]
        else { return [] }
        if [earlier, later].contains(where: \.isTooLargeToCompare) {
          return old.canonical == new.canonical ? [] : [.ofSizes(from: earlier, to: later)]
        }
        let (before, after) = (
          SyntaxTree(bytes: earlier.bytes), SyntaxTree(bytes: later.bytes)
        )
        let differences = describeChange(from: before, to: after, zones: options.zones)
        guard differences.isEmpty, change == .updated else { return differences }
        return describeTouch(from: before, to: after).map { [$0] } ?? []
      }
      return .success(
        ItemDifferences(
          local: compare(bases[.local], item.versions[.local], item.local),
          remote: compare(bases[.remote], item.versions[.remote], item.remote),
          between: compare(item.versions[.remote], item.versions[.local])))
    } catch {
      return .failure(error)
    }
  }

  /// An item that both sides share and that needs nothing, by its UID or its local file; nil where
  /// there is none.
  public func agreedItem(_ uid: ItemID) async -> Result<PendingItem?, SyncFailure> {
    do throws(SyncFailure) {
      let agreement = try await recorded { () throws(JournalError) in
        try await journal.agreement(of: uid)
      }
      return .success(
        agreement.map { agreement in
          PendingItem(
            item: ReportedItem(
              uid: uid, file: agreement.local.href, href: agreement.remote.href,
              summary: agreement.local.summary),
            local: .unchanged, remote: .unchanged, conflict: nil, problem: nil, base: agreement,
            versions: [.local: agreement.local, .remote: agreement.remote])
        })
    } catch {
      return .failure(error)
    }
  }
}
