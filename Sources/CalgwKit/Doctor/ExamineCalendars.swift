import CalDAVStorage
import SyncModel

/// The calendars of an account: what may be done with each, and what the server can do.
extension AccountWay {
  mutating func examineCalendars(of pairs: [PairConfiguration]) async {
    guard broken == nil, let connection else { return }
    let own = pairs.filter { $0.accounts.contains(account.name) }
    let writes = own.contains { $0.direction != .pull && !$0.isReadOnly }
    for calendar in calendars {
      do throws(StorageError) {
        let abilities = try await connection.account.abilities(of: calendar)
        tell(calendar, abilities, isWritten: writes)
      } catch {
        tell(RunFailure(error, place: ""), .calendar)
      }
      if doctor.signals?.reason != nil { return }
    }
    for pair in own { tellUnmatched(pair) }
  }

  private mutating func tell(
    _ calendar: CollectionDescription, _ abilities: CalendarAbilities, isWritten: Bool
  ) {
    var facts = [calendar.isReadOnly ? "read-only" : "may be written"]
    if let kinds = calendar.components { facts.append(kinds.sorted().joined(separator: ", ")) }
    facts.append(
      abilities.listsDeltas
        ? "lists changes (sync-collection)"
        : abilities.hasContentTag ? "has a tag of its content (CTag)" : "no way to list changes")
    if abilities.hasMultiget { facts.append("many items in one answer (multiget)") }
    if let size = abilities.largestItem { facts.append("items of at most \(size) bytes") }
    let name = calendar.displayName.map { $0 == calendar.name ? "" : " (\"\($0)\")" } ?? ""
    let text = "\(calendar.name)\(name): \(facts.joined(separator: "; "))"
    if calendar.isReadOnly, isWritten {
      tell(
        .warning, .calendar, text,
        hint: "local edits stay here: ask its owner for the right to write, or set "
          + "direction = \"pull\" for a pair of its own")
    } else if !abilities.listsDeltas, !abilities.hasContentTag {
      tell(
        .warning, .calendar, text,
        hint: "every sync lists all of it; a newer version of the server may help")
    } else {
      tell(.ok, .calendar, text)
    }
  }

  /// Names in `collections` that no calendar has: a slip of the pen is seen here first.
  private mutating func tellUnmatched(_ pair: PairConfiguration) {
    guard case .collections(let rules) = pair.selection, pair.remote == .account(account.name)
    else { return }
    for rule in rules {
      let wanted: String
      switch rule {
      case .include(let name) where !name.contains(where: { "*?[".contains($0) }): wanted = name
      case .map(_, let remote): wanted = remote
      case .include, .exclude: continue
      }
      guard !calendars.contains(where: { $0.answers(to: wanted) }) else { continue }
      tell(
        .warning, .collections,
        "pair \(pair.name) names \"\(wanted)\", and no calendar is called so",
        hint: suggestion(for: wanted, among: calendars.flatMap(\.names), what: "calendars")
          + " (a local folder of that name is made there by the next sync)")
    }
  }

  // MARK: By writing

  mutating func examineByWriting(_ gateway: Gateway) async {
    guard doctor.writes else {
      if broken == nil {
        tell(
          .skipped, .probe, "not tried: --write makes a calendar, writes to it and removes it again"
        )
      }
      return
    }
    if skips(.probe) { return }
    guard let connection else { return }
    let watch = StopWatch(signals: doctor.signals)
    // Not cancelled within the grace: what was made has to be removed again.
    do throws(StorageError) {
      let probe = try await connection.account.probe()
      tell(probe)
      await keepProfile(probe, gateway)
    } catch {
      if error.kind == .cannotCreate { return tellUntried(error) }
      tell(RunFailure(error, place: "", stop: watch.reason), .probe)
    }
  }

  /// Some servers let nobody make calendars by CalDAV (Google); nothing is wrong with them.
  private mutating func tellUntried(_ error: StorageError) {
    tell(
      .warning, .probe,
      "no calendar can be made there, so some things were not tried: whether the server refuses "
        + "writes over newer versions, keeps the names of items, and stores what it is sent",
      why: error.why.isEmpty ? error.message : error.why,
      hint: "nothing: syncing the calendars that are there works all the same")
  }

  private mutating func tell(_ probe: CalendarProbe) {
    tell(.ok, .probe, "a calendar was made, and an event in it")
    switch probe.tagOfWrite {
    case .strong: tell(.ok, .probe, "the answer to a write names the new version (ETag)")
    case .weak, .none:
      tell(.ok, .probe, "the answer to a write names no version: calgw reads each one back")
    }
    tell(
      .ok, .probe,
      probe.keepsBytes
        ? "events are stored as they are sent"
        : "events are stored otherwise than they are sent: calgw keeps both versions apart")
    let guards = [
      (probe.guardsCreation, "a second creation at one address (If-None-Match)"),
      (probe.guardsReplacement, "a change of an older version (If-Match)"),
      (probe.guardsDeletion, "a deletion of an older version (If-Match)"),
    ]
    let kept = guards.filter(\.0).map(\.1)
    let lost = guards.filter { !$0.0 }.map(\.1)
    if !kept.isEmpty { tell(.ok, .probe, "the server refuses \(kept.joined(separator: ", "))") }
    if !lost.isEmpty {
      tell(
        .warning, .probe, "the server takes \(lost.joined(separator: ", "))",
        hint: "calgw looks before each write, but a change in that very moment is overwritten; "
          + "tell the server's operator")
    }
    if !probe.listsWrites {
      tell(
        .warning, .probe, "a write does not show in the listing that follows it",
        hint: "changes may arrive a run later")
    }
    guard let reason = probe.leftBecause else {
      return tell(.ok, .probe, "the calendar is removed again")
    }
    tell(
      .failed, .probe, "the calendar \(probe.address) could not be removed", why: reason,
      hint: "remove it on the server's own pages", status: .attention)
  }
}
