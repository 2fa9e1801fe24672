import ICalendar
public import SyncModel

extension EventStore {
  /// Writes all staged changes together: in each calendar what is new first, then what is replaced
  /// or removed, as few batches as its storage takes.
  ///
  /// Every write says what it expects to find. What is done stays done: this is no transaction over
  /// files and servers, and each item that was not written is named. Of a split both parts are
  /// written or none is, unless the program is stopped in between: the later part comes first, so
  /// then occurrences are there twice, and none is missing.
  ///
  /// - Throws: `notWritten` with each item that was not written. What a side in trouble did not
  ///   take stays staged for another try; every other change of those is dropped.
  public func commit() async throws(EventStoreError) {
    await takeTurn()
    defer { endTurn() }
    try await commitAll(orBackTo: nil)
  }

  /// - Parameter before: What is staged again of items that a side in trouble did not take; nil for
  ///   what is staged now.
  func commitAll(orBackTo before: StagedChanges?) async throws(EventStoreError) {
    guard !staged.isEmpty else { return }
    let planned = staged
    var failures: [CommitFailure] = []
    for calendar in calendars {
      let groups = planned.groups.filter { $0.first?.calendar == calendar.id }
      guard !groups.isEmpty, let storage = shelves[calendar.id]?.storage else { continue }
      var writing = GroupWriting(storage: storage, staged: planned)
      let outcomes = await writing.carryOut(groups)
      for (group, outcome) in zip(groups, outcomes) {
        failures += await settle(group, outcome, of: planned, backTo: before)
      }
      replaced[calendar.id, default: []].formUnion(writing.replaced)
    }
    if !failures.isEmpty { throw .notWritten(failures) }
  }

  /// Lets go of the files that this store's commits replaced or removed: a vdir keeps them under
  /// hidden names, since an editor may have one open and write into it still.
  ///
  /// To be called under the side's lock (`VdirRoot.lock(_:)`): what looks left over may be the work
  /// of a sync that runs. Storages that keep none have nothing to do.
  /// - Returns: What is kept because it holds something else than what was replaced. `calgw` takes
  ///   it into its history.
  /// - Throws: `storage` where a side cannot be looked at.
  @discardableResult
  public func tidyUp() async throws(EventStoreError) -> [DisplacedFile] {
    await takeTurn()
    defer { endTurn() }
    var kept: [DisplacedFile] = []
    for calendar in calendars {
      guard let storage = shelves[calendar.id]?.storage else { continue }
      do throws(StorageError) {
        let files = try await storage.displaced()
        let known = replaced[calendar.id] ?? []
        try await storage.discard(files.filter { known.contains($0.digest) })
        kept += files.filter { !known.contains($0.digest) }
        replaced[calendar.id] = nil
      } catch {
        throw .storage(calendar: calendar.id, error)
      }
    }
    return kept
  }

  /// Takes note of what became of items that belong together.
  private func settle(
    _ group: [ItemKey], _ outcome: GroupOutcome, of planned: StagedChanges,
    backTo before: StagedChanges?
  ) async -> [CommitFailure] {
    guard let failed = outcome.failed else {
      for key in group {
        staged[key] = nil
        if let entry = planned[key] { await wrote(key, entry, outcome.written[key]) }
      }
      return []
    }
    var mayTryAgain = false
    if case .failed = failed.reason { mayTryAgain = true }
    if outcome.isUnclear, let id = group.first?.calendar { shelves[id]?.isUnclear = true }
    for key in group {
      if !mayTryAgain {
        staged[key] = nil
      } else if let before {
        staged[key] = before[key]
      }
    }
    return group.map { key in
      CommitFailure(item: key.identifier, reason: key == failed.key ? failed.reason : .heldBack)
    }
  }

  private func wrote(
    _ key: ItemKey, _ entry: StagedChanges.Entry, _ place: GroupOutcome.Place?
  ) async {
    guard let text = entry.text, let place else {
      shelves[key.calendar]?.removed(key.uid)
      announce([CalendarShelf.Change(uid: key.uid, kind: .removed)], in: key.calendar, isOwn: true)
      return
    }
    let isWire = shelves[key.calendar]?.storage.traits.wantsWireForm ?? false
    let data = ItemData(bytes: isWire ? wireForm(of: text) : text)
    let sent = try? StoredItem(
      place.href, place.version, data, modified: place.modified, world: world)
    if let item = await readBack(key, place) ?? sent {
      shelves[key.calendar]?.wrote(item, drafts: entry.drafts)
    } else {
      shelves[key.calendar]?.isUnclear = true
    }
    let kind: EventStoreChange.Kind = entry.base == nil ? .added : .changed
    announce([CalendarShelf.Change(uid: key.uid, kind: kind)], in: key.calendar, isOwn: true)
  }

  /// What a side that may rewrite items made of one; nil for other sides, and where it cannot be
  /// told: then the next look does.
  private func readBack(_ key: ItemKey, _ place: GroupOutcome.Place) async -> StoredItem? {
    guard let storage = shelves[key.calendar]?.storage, storage.traits.mayRewrite,
      let outcome = try? await storage.read([place.href]).first,
      case .found(let version, let data, let modified) = outcome.result,
      let item = try? StoredItem(place.href, version, data, modified: modified, world: world),
      item.uid == key.uid
    else { return nil }
    return item
  }
}
