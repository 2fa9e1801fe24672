import EventEditing
import ICalendar
import SyncModel

extension Gateway {
  /// Splits a text of many UIDs into items and puts them into a folder.
  ///
  /// An item that is there with the same content stays as it is, so a second import changes
  /// nothing. One with another content is left alone, unless `updates` says that the text wins: a
  /// person's edit in the folder is not to be lost. What comes with single occurrences of a series
  /// that is there changes those alone; an attendee's answer is no event.
  /// - Parameters:
  ///   - file: for messages.
  ///   - place: what `--in` names.
  ///   - here: where all-day and floating times are.
  public func importItems(
    _ text: [UInt8], file: String, in place: String, here: EventZone, updates: Bool,
    isDryRun: Bool,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> ImportReport {
    let office = office(notice)
    let folder = try await office.finder.folders.folder(named: place)
    let splitter = CalendarSplitter(
      try wholeTree(text, file: file), calendar: folder.calendar, digest: liveDigest)
    let items = splitter.items()
    guard !items.isEmpty else {
      throw .badItem(
        "no-items", "\(file) holds no events, to-dos or journal entries",
        hint: "name a file with VEVENT, VTODO or VJOURNAL components")
    }
    let context = try EventClock(surroundings: surroundings, here: here.zone).context()
    var plan = try await office.planImport(items, into: folder, updates: updates, context)
    plan.report.isDryRun = isDryRun
    plan.report.leftOut = splitter.leftOut
    if let warning = await warning(of: plan.writes.map(\.item.data), into: folder) {
      notice(warning)
    }
    guard !isDryRun, !plan.writes.isEmpty else { return plan.report }
    let planned = plan
    return try await office.write(to: folder) { desk async throws(RunFailure) in
      try await office.carryOut(planned, desk, folder)
    }
  }
}

/// What an import is going to write.
private struct ImportPlan: Sendable {
  var report: ImportReport
  /// With the place of each one's entry in the report.
  var writes: [(entry: Int, item: SplitItem, found: FoundItem?)] = []
}

extension EventOffice {
  fileprivate func planImport(
    _ items: [Result<SplitItem, SplitRefusal>], into folder: EventFolder, updates: Bool,
    _ context: EditContext
  ) async throws(RunFailure) -> ImportPlan {
    var plan = ImportPlan(report: ImportReport(folder: folder, isDryRun: false))
    let index = try await finder.index(of: folder)
    for result in items {
      var item: SplitItem
      do throws(SplitRefusal) { item = try result.get() } catch {
        plan.report.entries.append(
          ImportReport.Entry(
            uid: error.uid, summary: error.summary, action: .skip, reason: error.reason))
        continue
      }
      var entry = ImportReport.Entry(uid: item.uid, summary: item.summary, action: .create)
      let files = index[item.uid] ?? []
      if let file = files.first { entry.file = folder.shownPath(of: file) }
      if let reason = item.whyLeftOut(isKnown: !files.isEmpty) {
        entry.action = .skip
        entry.reason = reason
      } else if files.count > 1 {
        entry.action = .skip
        entry.reason = "\(files.count) files in the folder have this UID"
      } else if let file = files.first {
        let found = try? await finder.item(named: file, in: folder)
        let change = found.map { apply(&item, to: $0, context) } ?? .replaces
        judge(item, found, change, updates, &entry)
        if entry.action == .update {
          plan.writes.append((plan.report.entries.count, item, found))
        }
      } else {
        plan.writes.append((plan.report.entries.count, item, nil))
      }
      plan.report.entries.append(entry)
    }
    return plan
  }

  /// What comes by mail says, of single occurrences or of a cancellation, nothing of the rest that
  /// is there. The item becomes what that is with it.
  private func apply(
    _ item: inout SplitItem, to found: FoundItem, _ context: EditContext
  ) -> MessageChange {
    let news = CalendarObject(SyntaxTree(bytes: item.data.bytes))
    let change: MessageChange =
      item.method == "CANCEL" ? .cancels : item.isOfOccurrences ? .ofOccurrences : .replaces
    let text: [UInt8]?
    do throws(EditError) {
      switch change {
      case .cancels: text = try cancel(found.object, by: news, context: context)
      case .ofOccurrences: text = try putOccurrences(news, into: found.object, context: context)
      case .replaces, .impossible: return .replaces
      }
    } catch {
      return .impossible("\(change.deed), and cannot: \(error)")
    }
    guard let text else {
      // In its place they would be all that is left of it.
      return .impossible(
        change == .cancels ? MessageChange.uninvited : MessageChange.withoutSeries)
    }
    item.data = ItemData(bytes: text)
    item.summary = found.summary
    return change
  }

  private func judge(
    _ item: SplitItem, _ found: FoundItem?, _ change: MessageChange, _ updates: Bool,
    _ entry: inout ImportReport.Entry
  ) {
    guard let found else {
      entry.action = .skip
      entry.reason = "the file that has this UID is broken"
      return
    }
    if case .impossible(let reason) = change {
      entry.action = .skip
      entry.reason = reason
      return
    }
    entry.summary = item.summary
    let isSame =
      found.data == item.data
      || bareForm(of: found.data, digest: liveDigest) == bareForm(of: item.data, digest: liveDigest)
    if isSame {
      entry.action = .unchanged
    } else if updates {
      entry.action = .update
    } else {
      entry.action = .skip
      entry.reason = "\(change.deed); --update \(change == .replaces ? "replaces it" : "does so")"
    }
  }

  /// Items of one group of durable writes.
  private static let batch = 500
  /// Names are tried until one is free.
  private static let nameAttempts = 4

  fileprivate func carryOut(_ plan: ImportPlan, _ desk: EditDesk, _ folder: EventFolder)
    async throws(RunFailure) -> ImportReport
  {
    var report = plan.report
    for start in stride(from: 0, to: plan.writes.count, by: Self.batch) {
      if let reason = stop() { throw .stopped(reason, place: folder.name) }
      var open = Array(plan.writes[start..<min(start + Self.batch, plan.writes.count)])
      for attempt in 0..<Self.nameAttempts where !open.isEmpty {
        let changes = open.map { _, item, found in
          if let found {
            return ItemChange.replace(found, with: item.data, reason: "replaced by an import")
          }
          let href = desk.storage.freshHref(for: item.uid, attempt: attempt)
          return ItemChange(item.uid, .create(href, item.data), reason: "imported")
        }
        let outcomes = try await remembered { () throws(JournalError) in
          try await desk.carryOutEach(changes)
        }
        var again: [(entry: Int, item: SplitItem, found: FoundItem?)] = []
        for (write, outcome) in zip(open, outcomes) {
          switch outcome {
          case .done(let href): report.entries[write.entry].file = folder.shownPath(of: href)
          case .changedMeanwhile where write.found == nil && attempt < Self.nameAttempts - 1:
            again.append(write)
          case .changedMeanwhile, .notBegun:
            report.skip(write.entry, "the file was changed in the same moment")
          case .refused(let problem): report.skip(write.entry, problem.message)
          case .failed, .unknown: try outcome.check("the import", at: folder.name)
          }
        }
        open = again
      }
    }
    return report
  }
}

extension ImportReport {
  fileprivate mutating func skip(_ entry: Int, _ reason: String) {
    entries[entry].action = .skip
    entries[entry].reason = reason
    entries[entry].file = nil
  }
}

extension ItemFinder {
  /// Which files hold which UIDs.
  func index(of folder: EventFolder) async throws(RunFailure) -> [ItemID: [Href]] {
    var index: [ItemID: [Href]] = [:]
    try await forEachFile(of: folder) { href, data in
      for uid in CalendarObject(SyntaxTree(bytes: data.bytes)).uids {
        index[ItemID(bytes: uid), default: []].append(href)
      }
    }
    return index
  }
}
