import ICalendar
import Recurrence
import SyncModel
import VdirStorage

/// Finds the parts of split series whose occurrences are there twice, each with a file that has
/// them, too: where two programs have split one series, or a version from before the split holds, a
/// part names a series that does not name it.
func doubledParts(
  among checks: [FolderCheck], in storage: VdirStorage
) async throws(StorageError) -> [Href: Href] {
  guard checks.contains(where: { !$0.siblings.isEmpty }) else { return [:] }
  var items: [ItemID: FolderCheck] = [:]
  for check in checks {
    for uid in check.uids { items[ItemID(bytes: uid)] = check }
  }
  var doubled: [Href: Href] = [:]
  for part in checks {
    let own = Set(part.uids.map { ItemID(bytes: $0) })
    for series in part.siblings.sorted().compactMap({ items[$0] })
    where series.siblings.isDisjoint(with: own) && doubled[part.href] == nil {
      let others = series.siblings.sorted().compactMap { items[$0] }
      doubled[part.href] = try await firstOverlap(
        of: part.href, with: [series.href] + others.map(\.href), in: storage)
    }
  }
  return doubled
}

/// Of a series without an end, so many are looked at: 20 years of weeks.
private let comparedOccurrences = 1000

private func firstOverlap(
  of part: Href, with others: [Href], in storage: VdirStorage
) async throws(StorageError) -> Href? {
  guard let set = try await recurrenceSet(of: part, in: storage) else { return nil }
  let starts = set.occurrences(in: .all).prefix(comparedOccurrences).map(\.start.instant)
  guard let first = starts.min() else { return nil }
  let taken = Set(starts)
  for other in others where other != part {
    let window = OccurrenceWindow(from: first, to: Int.max)
    let found = try await recurrenceSet(of: other, in: storage)?.occurrences(in: window)
      .prefix(comparedOccurrences)
    if found?.contains(where: { taken.contains($0.start.instant) }) == true { return other }
  }
  return nil
}

/// Nil where the file is gone or cannot be read, which is told of it by itself.
private func recurrenceSet(
  of href: Href, in storage: VdirStorage
) async throws(StorageError) -> RecurrenceSet? {
  guard case .found(_, let data, _)? = try await storage.read([href]).first?.result else {
    return nil
  }
  var findings: [ScheduleFinding] = []
  let object = CalendarObject(SyntaxTree(bytes: data.bytes))
  return RecurrenceSet(object, catalog: .system, placement: .utc, findings: &findings)
}
