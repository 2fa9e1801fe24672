import ICalendar
import Logging
import SyncModel
import VdirStorage

/// Folders and calendars that no journal knows, and that are called otherwise, may hold the same:
/// another program kept them in step before, or a calendar got another name and the journal is lost
/// since. A second calendar would be sent all of it once more, with mail to every guest.
extension PairMatching {
  /// What the items say of what neither mappings nor earlier runs join. No request is made where no
  /// calendar is left over, or no folder with items that nothing but a name joins.
  mutating func compareItems(of matching: Matching) async throws(OpeningError) -> SameItems {
    let rest = matching.unsettled
    // Where none is made, nothing is sent a second time. Whether one of these is a known one that
    // is gone, a person is asked.
    let (ours, theirs) = (listing.lookalikes[.local] ?? [:], listing.lookalikes[.remote] ?? [:])
    var calendars = rest.calendars.filter { theirs[$0.identity] == nil }
    guard case .directory(let root, _) = local, case .account = remote, !calendars.isEmpty,
      remote.makesCollections, pair.direction.writes(to: .remote), !pair.isReadOnly
    else { return SameItems() }
    var free = rest.folders.filter { ours[$0.identity] == nil }
    var comparison = comparison ?? ItemComparison(matching.rules)
    for folder in free + rest.named.map(\.folder) where comparison.folders[folder.href] == nil {
      comparison.folders[folder.href] = try await uids(in: folder, root)
    }
    let folders = free + rest.named.map(\.folder)
    for calendar in calendars {
      guard folders.contains(where: { comparison.mayBelong($0, calendar) }) else { continue }
      try await look(at: calendar, for: &comparison)
    }
    var doubts: [Href: ItemDoubt] = [:]
    var namesakes: Set<Href> = []
    for (folder, calendar) in rest.named
    where !comparison.choices(for: folder, among: calendars).isEmpty {
      try await look(at: calendar, for: &comparison)
      if let trouble = comparison.troubles[calendar.identity] {
        doubts[folder.href] = .unread([UnreadCalendar(calendar: calendar, trouble: trouble)])
      } else if comparison.sharesNothing(folder, calendar) {
        // Its name may be that of another one by now.
        namesakes.insert(folder.href)
        free.append(folder)
        calendars.append(calendar)
      }
    }
    self.comparison = comparison
    var same = comparison.decide(free, among: calendars, areAll: seesAll(of: .remote))
    // A name is given up for what is sure, and for nothing less.
    same.doubts = same.doubts.filter { !namesakes.contains($0.key) }
    same.doubts.merge(doubts) { own, _ in own }
    return same
  }

  /// Nil of a folder without items, and of one that cannot be read: what ails it is told where it
  /// is synced.
  private func uids(
    in folder: CollectionDescription, _ root: VdirRoot
  ) async throws(OpeningError) -> Set<[UInt8]>? {
    do throws(StorageError) {
      let uids = try await uidsOfItems(in: try await root.open(folder), of: pair.components)
      return uids.isEmpty ? nil : uids
    } catch {
      guard error.kind == .stopped else { return nil }
      throw .storage(.local, error)
    }
  }

  /// Looks at a sample of what a calendar holds, by one listing and one question for texts, unless
  /// that was done. One that its server lets nobody look at holds nothing that could be told.
  private func look(
    at calendar: CollectionDescription, for comparison: inout ItemComparison
  ) async throws(OpeningError) {
    if comparison.hasLooked(at: calendar) { return }
    do throws(StorageError) {
      comparison.samples[calendar.identity] = try await sample(of: calendar)
    } catch {
      logger.info("\(calendar.href.text) does not show what it holds: \(error.message)")
      switch error.kind {
      case .io, .stopped: throw .storage(.remote, error)
      case .unreachable, .tryLater: comparison.troubles[calendar.identity] = error
      case .protocolBroken where !error.isRefusal:
        comparison.troubles[calendar.identity] = error
      case .protocolBroken, .denied, .vanished, .cannotCreate:
        comparison.samples[calendar.identity] = CalendarSample(uids: [], count: 0)
      }
    }
  }

  private func sample(
    of calendar: CollectionDescription
  ) async throws(StorageError) -> CalendarSample {
    let storage = try await remote.open(calendar)
    let page = try await storage.listChanges(since: nil)
    let listed = page.present.filter { $0.problem == nil }.map(\.href).sorted()
    let limit = min(CalendarSample.limit, storage.traits.readBatch)
    let looked = listed.evenlySpread(atMost: limit)
    let read = try await storage.read(looked).compactMap { wholeItem($0) }
    let synced = read.filter { pair.components?.isDisjoint(with: $0.kinds) != true }
    // Of those that were not read, as many are synced as of those that were.
    let count = read.isEmpty ? listed.count : listed.count * synced.count / read.count
    return CalendarSample(uids: Set(synced.flatMap(\.uids)), count: page.isLast ? count : nil)
  }
}
