import EventEditing
import ICalendar
import Recurrence
import SyncModel
import VdirStorage

extension FoundItem {
  /// Something recurs, so that an edit has to know which occurrences are meant.
  public var isSeries: Bool { EventEditing.isSeries(object) }
}

extension Gateway {
  /// The item that a command line names.
  /// - Parameters:
  ///   - target: a FILE, or a UID.
  ///   - place: what `--in` names.
  public func findItem(_ target: String, in place: String?) async throws(RunFailure) -> FoundItem {
    try await office().finder.item(target, in: place)
  }

  /// Changes an item, or its occurrences, in the place where it was found.
  ///
  /// Where its file is changed by somebody else in the same moment, the edit is made anew with what
  /// is there then.
  public func edit(
    _ item: FoundItem, _ request: EditRequest, here: EventZone, isDryRun: Bool,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> EditReport {
    let clock = EventClock(surroundings: surroundings, here: here.zone)
    let edit = try request.edit(clock)
    let context = try clock.context()
    let occurrence = try request.occurrence.map { text throws(RunFailure) in
      try clock.occurrence(text)
    }
    return try await office(notice).change(
      item, reason: "changed by `calgw edit`", isDryRun: isDryRun, check: SettingsCheck(edit)
    ) { object throws(EditError) in
      try editEvent(
        object, edit, span: (request.span ?? .all).span, occurrence: occurrence, context: context)
    }
  }

  /// Deletes an item, or some of its occurrences.
  public func delete(
    _ item: FoundItem, span: EventSpan?, occurrence: String?, here: EventZone, isDryRun: Bool,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> EditReport {
    let clock = EventClock(surroundings: surroundings, here: here.zone)
    let context = try clock.context()
    let name = try occurrence.map { text throws(RunFailure) in try clock.occurrence(text) }
    return try await office(notice).change(
      item, reason: "deleted by `calgw delete`", isDryRun: isDryRun
    ) { object throws(EditError) in
      try deleteEvent(
        object, span: (span ?? .all).span, occurrence: name, context: context)
    }
  }

  /// Replaces an item's text by what a person made of it.
  public func replace(
    _ item: FoundItem, with text: [UInt8], isDryRun: Bool,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> EditReport {
    let office = office(notice)
    let change = LinkedChange(item: text)
    if isDryRun { return try office.foreseen(change, of: item) }
    return try await office.write(to: item.folder) { desk async throws(RunFailure) in
      try await office.carryOut(change, of: item, desk, reason: "changed by `calgw edit`")
    }
  }

  /// The next occurrences of a series, or of one that is over the last ones: the original start of
  /// each as `--occurrence` takes it, with its time in words.
  public func nearOccurrences(of item: FoundItem, here: EventZone, limit: Int)
    -> [(name: String, words: String)]
  {
    var findings: [ScheduleFinding] = []
    let set = RecurrenceSet(
      item.object, catalog: .system, placement: here.zone, findings: &findings)
    let now = Int(clamping: surroundings.now().milliseconds / 1000)
    let next = set.occurrences(in: OccurrenceWindow(from: now, to: Int.max)).prefix(limit)
    var found = Array(next)
    if found.isEmpty {
      /// Two years back, and no more than a rule by the hour has in some months.
      let (past, most) = (2 * 366 * 86_400, 5000)
      let window = OccurrenceWindow(from: now - past, to: now)
      found = Array(set.occurrences(in: window).prefix(most).suffix(limit))
    }
    // Of overrides alone, the first one's original start.
    let first = item.object.mainComponents.first ?? item.object.components.first
    let schedule = first.map { Schedule.read($0, findings: &findings) }
    let form = TimeForm(schedule?.recurrenceID ?? schedule?.start)
    return found.compactMap { occurrence in
      occurrence.words(onWallOf: set.home?.zone, in: form).map {
        (form.text(of: occurrence.recurrenceID ?? occurrence.start), $0)
      }
    }
  }
}

extension Occurrence {
  /// When it is on the wall of its series, in whatever zone its override is written, and the start
  /// by which it is named, in the form of the series', where it was moved from there.
  fileprivate func words(onWallOf zone: Zone?, in form: TimeForm) -> String? {
    func wall(_ time: OccurrenceTime) -> Int {
      time.offset == nil ? time.wall : zone?.wall(at: time.instant) ?? time.wall
    }
    let span = TimeWords.span(
      fromWall: wall(start), toWall: wall(end), isAllDay: isAllDay)
    guard let span, let recurrenceID, wall(recurrenceID) != wall(start),
      let original = CivilDateTime(secondsSince1970: wall(recurrenceID))
    else { return span }
    return "\(span) (moved from \(OriginalStarts.words(original, in: form)))"
  }
}

extension EventOffice {
  /// An item that others change all the time is not to be edited now.
  private static let attempts = 4

  /// Makes a change and writes it; anew where the file was changed meanwhile.
  fileprivate func change(
    _ item: FoundItem, reason: String, isDryRun: Bool, check: SettingsCheck? = nil,
    _ make: (CalendarObject) throws(EditError) -> LinkedChange
  ) async throws(RunFailure) -> EditReport {
    // Known to be possible before anything is opened.
    let change = try made(item, make)
    try check?.check(change, of: item)
    if isDryRun { return try foreseen(change, of: item) }
    return try await write(to: item.folder) { desk async throws(RunFailure) in
      var current = item
      for attempt in 1...Self.attempts {
        do throws(RunFailure) {
          return try await carryOut(try made(current, make), of: current, desk, reason: reason)
        } catch {
          guard error.code == "changed-meanwhile", attempt < Self.attempts,
            let again = try await finder.item(named: item.href, in: item.folder),
            again.uid == item.uid
          else { throw error }
          current = again
        }
      }
      return try report(current, LinkedChange(item: current.data.bytes), isDryRun: false)
    }
  }

  private func made(
    _ item: FoundItem, _ make: (CalendarObject) throws(EditError) -> LinkedChange
  ) throws(RunFailure) -> LinkedChange {
    do throws(EditError) {
      return try make(item.object)
    } catch {
      throw RunFailure(error, file: item.file)
    }
  }

  /// What a change would do, and whether the folder lets it.
  fileprivate func foreseen(
    _ change: LinkedChange, of item: FoundItem
  ) throws(RunFailure) -> EditReport {
    let report = try report(item, change, isDryRun: true)
    if report.action != .none {
      // A new text is a file that is made beside the former one.
      try finder.folders.access.checkWritable(
        item.folder, creating: report.action == .update, "\(item.file) cannot be written")
    }
    return report
  }

  fileprivate func report(_ item: FoundItem, _ change: LinkedChange, isDryRun: Bool)
    throws(RunFailure) -> EditReport
  {
    let action: EditReport.Action =
      change.item.map { $0 == item.data.bytes ? .none : .update } ?? .delete
    var report = EditReport(item: item, action: action, isDryRun: isDryRun)
    report.notes = change.notes.map(\.description)
    if let text = change.item { report.changes = lineDifferences(item.data.bytes, text) }
    if let created = change.created {
      let storage = try finder.folders.access.storage(item.folder)
      let href = storage.freshHref(for: ItemID(bytes: created.uid), attempt: 0)
      report.created = (ItemID(bytes: created.uid), item.folder.shownPath(of: href))
      report.createdChanges = partDifferences(item.data.bytes, created.text)
    }
    return report
  }

  /// Writes a change: a new series first, then the item itself.
  fileprivate func carryOut(
    _ change: LinkedChange, of item: FoundItem, _ desk: EditDesk, reason: String
  ) async throws(RunFailure) -> EditReport {
    var report = try report(item, change, isDryRun: false)
    var changes: [ItemChange] = []
    if let created = change.created {
      let uid = ItemID(bytes: created.uid)
      let href = desk.storage.freshHref(for: uid, attempt: 0)
      changes.append(
        ItemChange(uid, .create(href, ItemData(bytes: created.text)), reason: "split off"))
    }
    switch report.action {
    case .none: break
    case .update:
      let data = ItemData(bytes: change.item ?? [])
      changes.append(.replace(item, with: data, reason: reason))
    case .delete: changes.append(.delete(item, reason: reason))
    }
    guard !changes.isEmpty else { return report }
    let planned = changes
    let outcomes = try await remembered { () throws(JournalError) in
      try await desk.carryOut(planned)
    }
    for outcome in outcomes {
      try outcome.check("\(item.file) cannot be written", at: item.folder.name)
    }
    if change.created != nil, case .done(let href)? = outcomes.first {
      report.created?.file = item.folder.shownPath(of: href)
    }
    return report
  }
}
