import SyncModel

/// The items of a calendar that stand for all of them.
package struct CalendarSample: Sendable {
  /// So many are read, and no more.
  static let limit = 50

  /// The UIDs of those that were read.
  var uids: Set<[UInt8]>
  /// How many there are; nil where a server tells that in parts, of which one was asked for.
  var count: Int?

  package init(uids: Set<[UInt8]>, count: Int?) {
    self.uids = uids
    self.count = count
  }
}

/// What folders and calendars hold that nothing joins for sure.
///
/// A folder and a calendar are the same where at least half of each is in the other one: as far as
/// the sample tells, and where no other calendar, or folder, may be the one just as well.
package struct ItemComparison {
  let rules: CollectionRules
  /// The UIDs in the folders, by their addresses; none of a folder without items.
  package var folders: [Href: Set<[UInt8]>] = [:]
  /// By the calendars' identities.
  package var samples: [String: CalendarSample] = [:]
  /// The same of those that did not show what they hold, and may in another run.
  package var troubles: [String: StorageError] = [:]

  package init(_ rules: [CollectionRule]) { self.init(CollectionRules(rules)) }

  init(_ rules: CollectionRules) { self.rules = rules }

  /// Somebody has looked at what the calendar holds, or tried to.
  func hasLooked(at calendar: CollectionDescription) -> Bool {
    samples[calendar.identity] != nil || troubles[calendar.identity] != nil
  }

  /// The folder holds something, and the rules ask for the calendar, and let both be one.
  func mayBelong(_ folder: CollectionDescription, _ calendar: CollectionDescription) -> Bool {
    folders[folder.href] != nil && rules.select(calendar.names)
      && rules.select(folder.names + calendar.names)
  }

  /// None of what was read of a calendar is in the folder. False where there was nothing to read:
  /// somebody may have made it for the folder.
  func sharesNothing(_ folder: CollectionDescription, _ calendar: CollectionDescription) -> Bool {
    guard let held = folders[folder.href], let sample = samples[calendar.identity] else {
      return false
    }
    return !sample.uids.isEmpty && held.isDisjoint(with: sample.uids)
  }

  /// Calendars that may be a folder's own, the likeliest first. A second one is among them where it
  /// is more than half as likely as the first.
  func choices(
    for folder: CollectionDescription, among calendars: [CollectionDescription]
  ) -> [CollectionDescription] {
    let overlaps = calendars.compactMap { calendar in
      overlap(folder, calendar).map { (calendar: calendar, overlap: $0) }
    }.sorted { $0.overlap.likeness > $1.overlap.likeness }
    guard let best = overlaps.first(where: { $0.overlap.isLikely }) else { return [] }
    let others = overlaps.filter { other in
      other.calendar != best.calendar && !other.overlap.isChance
        && other.overlap.likeness * 2 > best.overlap.likeness
    }
    return [best.calendar] + others.map(\.calendar)
  }

  /// What becomes of folders that nothing joins.
  ///
  /// - Parameter areAll: false where the server has others that it does not show: a copy of one of
  ///   them would be taken for it.
  package func decide(
    _ folders: [CollectionDescription], among calendars: [CollectionDescription], areAll: Bool
  ) -> SameItems {
    let chosen = folders.map { (folder: $0, calendars: choices(for: $0, among: calendars)) }
    var same = SameItems()
    for (folder, own) in chosen where self.folders[folder.href] != nil {
      guard let best = own.first else {
        let unread = unread(for: folder, among: calendars)
        if !unread.isEmpty { same.doubts[folder.href] = .unread(unread) }
        continue
      }
      let claimants = chosen.filter { $0.calendars.contains(best) }
      let isSame = overlap(folder, best)?.isOfBoth ?? false
      if isSame, areAll, own.count == 1, claimants.count == 1 {
        same.pairs[folder.href] = best.identity
      } else {
        same.doubts[folder.href] = .mayBe(own)
      }
    }
    return same
  }

  private func unread(
    for folder: CollectionDescription, among calendars: [CollectionDescription]
  ) -> [UnreadCalendar] {
    calendars.compactMap { calendar in
      guard mayBelong(folder, calendar), let trouble = troubles[calendar.identity] else {
        return nil
      }
      return UnreadCalendar(calendar: calendar, trouble: trouble)
    }
  }

  /// Nil where they have nothing in common.
  private func overlap(
    _ folder: CollectionDescription, _ calendar: CollectionDescription
  ) -> ItemOverlap? {
    guard mayBelong(folder, calendar), let held = folders[folder.href],
      let sample = samples[calendar.identity]
    else { return nil }
    let shared = sample.uids.intersection(held).count
    if shared == 0 { return nil }
    let count = max(sample.uids.count, sample.count ?? held.count)
    return ItemOverlap(held: held.count, read: sample.uids.count, shared: shared, count: count)
  }
}

/// How much of a folder and a calendar is the same.
private struct ItemOverlap {
  /// Items in the folder.
  let held: Int
  /// Items of the calendar that were read, and those of them that are in the folder.
  let read: Int
  let shared: Int
  /// Items in the calendar.
  let count: Int

  /// Items that are in both, as far as the sample tells.
  private var common: Double {
    min(Double(held), Double(shared) * Double(count) / Double(read))
  }

  /// From 0 to 1: both hold the same, and nothing else.
  var likeness: Double { 2 * common / Double(held + count) }

  /// At least half of the folder is in the calendar.
  private var isOfFolder: Bool { common * 2 >= Double(held) }

  /// A single item that both have tells nothing where either has others: somebody may have been
  /// sent it twice.
  var isChance: Bool { shared == 1 && max(held, count) > 2 }

  /// At least half of the calendar is in the folder.
  var isLikely: Bool { shared * 2 >= read && !isChance }

  /// At least half of each is in the other one.
  var isOfBoth: Bool { isLikely && isOfFolder }
}
