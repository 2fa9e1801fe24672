import CalDAVStorage
import SyncModel
import WebDAV

/// What a server does with a calendar that is made to find it out.
extension AccountWay {
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
    guard !isStopped, let account = connection?.account else { return }
    let watch = StopWatch(signals: doctor.signals)
    typealias Outcome = Result<CalendarProbe, ProbeFailure>
    // What hangs is cut short after a signal; the removal of what was made is not.
    let outcome = await watch.watch(context.surroundings) { () -> Outcome in
      do throws(ProbeFailure) {
        return .success(
          try await account.probe(shouldStop: watch.shouldStop) { removal in
            await Task { await removal() }.value
          })
      } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let probe)?:
      if isStopped { tellCutShort(.probe) } else { tell(probe) }
      tell(probe.left)
      if probe.left == nil { tell(.ok, .probe, "the calendar is removed again") }
      if !isStopped { await keepProfile(probe, gateway) }
    case .failure(let failure)?:
      tell(failure, stop: watch.reason)
      tell(failure.left)
    case nil: tellCutShort(.probe)
    }
  }

  private mutating func tell(_ failure: ProbeFailure, stop: StopReason?) {
    let error = failure.cause
    guard error.kind == .cannotCreate else {
      return tell(RunFailure(error, place: "", stop: stop), .probe)
    }
    // Some servers let nobody make calendars by CalDAV (Google); nothing is wrong with them.
    tell(
      .warning, .probe,
      "no calendar could be made there, so some things were not tried: whether the server refuses "
        + "writes over newer versions, keeps the names of items, and stores what it is sent",
      why: error.why.isEmpty ? error.message : error.why,
      hint: "nothing where it lets nobody make any: syncing the calendars that are there works all "
        + "the same; else see the server's own log")
  }

  private mutating func tell(_ left: LeftCalendar?) {
    guard let left else { return }
    if left.mayBeOfOthers {
      return tell(
        .failed, .probe,
        "the calendar \(left.address) was not removed, since it may not be the one that calgw made",
        why: left.reason,
        hint: "look at it on the server's own pages, and remove it there if nobody uses it"
          + left.wayOfSyncs,
        status: .attention)
    }
    tell(
      .failed, .probe,
      left.isCertain
        ? "the calendar \(left.address) could not be removed"
        : "a calendar may be left at \(left.address): whether it was made is not known, and it "
          + "could not be removed",
      why: left.reason,
      hint: "remove it on the server's own pages"
        + (left.looksLikeAnyOther
          ? left.wayOfSyncs
          : ", or leave it: no sync takes it, and the next `calgw doctor --write` uses it again"),
      status: .attention)
  }

  private mutating func tell(_ probe: CalendarProbe) {
    tell(
      .ok, .probe,
      probe.isInLeftover
        ? "an event was made in the calendar that an earlier probe had to leave"
        : "a calendar was made, and an event in it")
    switch probe.tagOfWrite {
    case .strong: tell(.ok, .probe, "the answer to a write names the new version (ETag)")
    case .weak, .none:
      tell(.ok, .probe, "the answer to a write names no version: calgw reads each one back")
    }
    switch probe.keepsBytes {
    case .holds: tell(.ok, .probe, "events are stored as they are sent")
    case .fails:
      tell(
        .ok, .probe,
        "events are stored otherwise than they are sent: calgw keeps both versions apart")
    case .untried: break
    }
    tellGuards(probe)
    if case .fails = probe.listsWrites, !probe.waitForListing.isVain {
      tell(
        .warning, .probe, "a write does not show as itself alone in the listing that follows it",
        hint: "changes may arrive a run later")
    }
    tellLateness(probe)
    tellUntried(probe)
  }

  /// What shows late is at fault for nothing else.
  private mutating func tellLateness(_ probe: CalendarProbe) {
    let (text, listing) = (probe.waitForText, probe.waitForListing)
    let late = [
      text.words(shown: "could be read", not: "could not be read"),
      listing.words(shown: "was listed", not: "was not listed"),
    ].compactMap { $0 }
    if late.isEmpty { return }
    let words = "what is written shows late: the event \(late.joined(separator: " and "))"
    var meaning: [String] = []
    if listing.milliseconds > 0 {
      meaning.append("a change made on another device may come with a later sync")
    }
    if text.isLong {
      meaning.append(
        "an event that was just synced is best left alone on other devices for a minute: an edit"
          + " in that time may become a conflict, or send the event once more")
    }
    if meaning.isEmpty {
      return tell(.ok, .probe, "\(words), and calgw waits so long for what it wrote")
    }
    tell(.warning, .probe, words, hint: meaning.joined(separator: "; "))
  }

  private mutating func tellGuards(_ probe: CalendarProbe) {
    let kept = probe.guards.filter { $0.trial == .holds }.map(\.words)
    let lost = probe.guards.filter { $0.trial == .fails }.map(\.words)
    if probe.tagsOfItsOwn == .fails {
      tell(
        .warning, .probe, "an event that is made anew has the entity tag of the one before it",
        hint: "calgw reads what is there before each write; there is nothing to do")
    }
    if !kept.isEmpty { tell(.ok, .probe, "the server refuses \(kept.joined(separator: ", "))") }
    guard !lost.isEmpty else { return }
    tell(
      .warning, .probe, "the server takes \(lost.joined(separator: ", "))",
      hint: "calgw looks before each write, but a change in that very moment is overwritten; "
        + "tell the server's operator")
  }

  /// An error is told as what it is: it shows nothing of what was tried.
  private mutating func tellUntried(_ probe: CalendarProbe) {
    // Of what does not show in time it is said that it shows late.
    let text = probe.waitForText.isVain ? CalendarProbe.Trial.fails : probe.keepsBytes
    let others = [
      (trial: text, words: "whether events are stored as they are sent"),
      (trial: probe.listsWrites, words: "whether a listing shows a write at once"),
    ]
    let guards = probe.guards.map { (trial: $0.trial, words: "whether it refuses \($0.words)") }
    let untried = (others + guards).compactMap { tried -> String? in
      guard case .untried(let reason) = tried.trial else { return nil }
      return "\(tried.words) (\(reason))"
    }
    guard !untried.isEmpty else { return }
    tell(
      .warning, .probe, "some things could not be tried", why: untried.joined(separator: "; "),
      hint: "run `calgw doctor --write` once more; the server's own log says what went wrong")
  }
}

extension LeftCalendar {
  /// What the next sync makes of it, and how to keep it from that; empty where it knows it by name.
  fileprivate var wayOfSyncs: String {
    guard looksLikeAnyOther else { return "" }
    let id = (try? WebURL(absolute: address))?.lastName ?? "ID"
    return "; a sync of all calendars takes it for one of them, and makes a folder for it, unless "
      + tomlString("!\(id)") + " is in the pair's `collections`"
  }
}

extension CalendarProbe.Wait {
  /// Nil where it showed at once.
  fileprivate func words(shown: String, not: String) -> String? {
    if milliseconds == 0 { return nil }
    let seconds = (milliseconds + 999) / 1000
    let time = "\(seconds) second\(seconds == 1 ? "" : "s")"
    return isVain ? "\(not) within \(time)" : "\(shown) only after \(time)"
  }
}

extension CalendarProbe {
  fileprivate var guards: [(trial: Trial, words: String)] {
    [
      (guardsCreation, "a second creation at one address (If-None-Match)"),
      (guardsReplacement, "a change of an older version (If-Match)"),
      (guardsDeletion, "a deletion of an older version (If-Match)"),
    ]
  }
}
