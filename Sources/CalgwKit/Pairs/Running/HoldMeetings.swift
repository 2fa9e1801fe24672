import CalDAVStorage
import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Where a move is a deletion for the server, it calls a meeting off: a server of RFC 6638 tells
/// the attendees when its organizer deletes it (§3.2.1), and no client can keep it from that.
/// `Schedule-Reply` (§8.1) is about what an attendee deletes.
extension CollectionRun {
  /// Holds the meetings of which a server that is to send no mail would do so. They stay where they
  /// are on the server, are not sent to the other calendar, and are named.
  func holdMeetings(_ report: inout PairReport) async throws(RunFailure) {
    guard opened.target.pair.invitations == .never, !options.isDryRun else { return }
    for index in report.collections.indices {
      let name = report.collections[index].name
      var held: Set<ItemID> = []
      for item in report.collections[index].leaving {
        guard let uid = item.uid, let href = item.href, await callsOff(uid, at: href, in: name)
        else { continue }
        report.hold(item, inCollectionAt: index)
        held.insert(uid)
      }
      // Where it was not asked to move them, or only has no time, the next run asks.
      try await remember(held.intersection(unmoved[name] ?? []), in: name)
    }
  }

  /// Holds those that a run of the last day has held, and asks nothing.
  func holdKnownMeetings(_ report: inout PairReport) async throws(RunFailure) {
    guard opened.target.pair.invitations == .never else { return }
    let now = gateway.surroundings.now()
    for index in report.collections.indices where !report.collections[index].leaving.isEmpty {
      let known = try await heldMeetings(of: report.collections[index].name)
      for item in report.collections[index].leaving
      where item.uid.map({ known.holds($0, at: now) }) ?? false {
        report.hold(item, inCollectionAt: index)
      }
    }
  }

  private func heldMeetings(of name: String) async throws(RunFailure) -> HeldMeetings {
    let store = opened.store
    return try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      HeldMeetings(encoded: try await store.value(HeldMeetings.storeKey(name)) ?? [])
    }
  }

  private func remember(_ held: Set<ItemID>, in name: String) async throws(RunFailure) {
    if held.isEmpty { return }
    var known = try await heldMeetings(of: name)
    known.note(held, at: gateway.surroundings.now())
    let (store, encoded) = (opened.store, known.encoded)
    try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      try await store.setValue(encoded, for: HeldMeetings.storeKey(name))
    }
  }

  /// The server tells the guests of an item when it is deleted there.
  func callsOff(_ uid: ItemID, at href: Href, in name: String) async -> Bool {
    guard await isMeeting(uid, in: name), let calendar = await calendar(of: name),
      await calendar.tellsAttendees()
    else { return false }
    // What calgw sent while it was to tell nobody has another agent there.
    switch (try? await calendar.read([href]))?.first?.result {
    case .found(_, let data, _): return SchedulingAgent.isServer(of: data.bytes)
    case .missing: return false
    case .problem, nil: return true
    }
  }

  /// By the text that both sides shared; one whose text was lost may be one.
  private func isMeeting(_ uid: ItemID, in name: String) async -> Bool {
    guard let journal = try? await opened.store.journal(of: name),
      let digest = try? await journal.agreement(of: uid)?.remote.version.digest,
      let text = try? await opened.store.contents([digest])[digest]
    else { return true }
    return SchedulingAgent.isScheduled(text.bytes)
  }

  /// The calendar on the server of a collection, whether the run is about that or not; nil where
  /// there is none.
  func calendar(of name: String) async -> CalDAVStorage? {
    guard case .account(let connection) = opened.remote,
      case .present(let own)? = opened.allCollections.first(where: { $0.name == name })?.remote
    else { return nil }
    let triesWrites = opened.target.pair.triesWrites
    return try? await connection.account.openCalendar(own, tryingWrites: triesWrites)
  }
}

extension PairReport {
  fileprivate mutating func hold(_ item: ReportedItem, inCollectionAt index: Int) {
    collections[index].leaving.removeAll { $0 == item }
    collections[index].problems.append(ReportedProblem(item: item, problem: .callsOff))
    for other in collections.indices {
      collections[other].arriving.removeAll { $0.uid == item.uid }
    }
  }
}

extension ItemProblem {
  fileprivate static let callsOff = ItemProblem(
    .refused,
    "its file was moved to another calendar, and to delete it in this one would call the meeting"
      + " off for all whom the server tells of it, which invitations = \"never\" forbids",
    hint: "Move it in the server's own pages, or move its file back; or run one sync with"
      + " invitations = \"server\" in the configuration: they get a cancellation and a new"
      + " invitation then. The server is asked again after a day.")
}
