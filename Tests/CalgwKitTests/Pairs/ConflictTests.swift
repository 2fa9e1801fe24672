import CalgwKit
import Foundation
import Recurrence
import SyncModel
import Testing

/// What a person is shown of an item that both sides have in unlike versions.
@Suite struct ConflictTests {
  private typealias World = GatewayWorld

  private let dentist = GatewayWorld.event("a", "Dentist")

  /// Two sides that have these versions, once they agreed on `base`.
  private func world(
    _ local: String, _ remote: String, base: String? = nil, policy: String = "ask"
  ) async throws -> World {
    var world = try World()
    world.pair += "conflict = \"\(policy)\"\n"
    if let base {
      try Self.write(base, base, in: world)
      #expect(try await world.sync().status == .success)
    }
    try Self.write(local, remote, in: world)
    return world
  }

  /// Both at one time, so that none is the newer one.
  private static func write(_ local: String, _ remote: String, in world: World) throws {
    for (side, text) in [("here", local), ("there", remote)] {
      let file = try world.folder.write("\(side)/work/a.ics", text)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_767_600_000)], ofItemAtPath: file)
    }
  }

  private func conflict(_ world: World, here: Zone = .utc) async throws -> ConflictView {
    let standing = try await world.gateway().standing(of: "a")
    var waiting: WaitingConflict?
    if case .conflict(let found) = standing { waiting = found }
    return try #require(await waiting?.view(here: EventZone(zone: here)))
  }

  private func rows(_ view: ConflictView) -> [String] {
    view.versions.rows.map { row in
      let (local, remote) = (row.local.joined(separator: ", "), row.remote.joined(separator: ", "))
      return "\(row.label): \(local)" + (row.isSame ? "" : " | \(remote)")
    }
  }

  @Test func `both versions stand side by side, with days and dates in words`() async throws {
    let world = try await world(
      dentist.replacing("0105T10", with: "0105T11"),
      dentist.replacing("0105T10", with: "0106T12").replacing("Dentist", with: "Doctor"),
      base: dentist)
    let view = try await conflict(world)
    #expect(
      rows(view) == [
        "title: Dentist | Doctor",
        "when: Monday 5 January 2026, 11:00 (UTC) | Tuesday 6 January 2026, 12:00 (UTC)",
      ])
    #expect(view.versions.others.isEmpty)
    #expect(
      view.differences.local.map(\.words)
        == ["start 10:00 UTC → 11:00 UTC on Monday 5 January 2026"])
    #expect(
      view.differences.remote.map(\.words) == [
        "start Monday 5 January 2026, 10:00 UTC → Tuesday 6 January 2026, 12:00 UTC",
        "title \"Dentist\" → \"Doctor\"",
      ])
  }

  @Test func `what both have alike is told once where it is a time, and not at all elsewhere`()
    async throws
  {
    let weekly = dentist.replacing("SUMMARY", with: "RRULE:FREQ=WEEKLY\r\nSUMMARY")
    let world = try await world(
      weekly.replacing("SUMMARY", with: "LOCATION:Here\r\nX-ROOM:1\r\nSUMMARY"),
      weekly.replacing("SUMMARY", with: "X-ROOM:2\r\nSUMMARY"))
    let here = try #require(Zone(posix: "CET-1"))
    let view = try await conflict(world, here: here)
    #expect(view.entry.isUnmet)
    #expect(
      rows(view) == [
        "when: Monday 5 January 2026, 10:00 (UTC); here Monday 5 January 2026, 11:00",
        "repeats: weekly on Monday", "where: Here | ",
      ])
    #expect(view.versions.others.map(\.words) == ["X-ROOM 2 → 1"])
  }

  @Test func `beside another version also what goes without saying is told`() async throws {
    let world = try await world(
      dentist.replacing("SUMMARY", with: "STATUS:TENTATIVE\r\nTRANSP:TRANSPARENT\r\nSUMMARY"),
      dentist.replacing("SUMMARY", with: "STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nSUMMARY"))
    #expect(try await rows(conflict(world)).last == "status: tentative, free | confirmed, busy")
    let kinds = try await self.world(dentist.replacing("VEVENT", with: "VTODO"), dentist)
    #expect(try await rows(conflict(kinds)).first == "kind: to-do | event")
  }

  @Test func `status and diff say how versions differ that never agreed`() async throws {
    let world = try await world(dentist, dentist.replacing("Dentist", with: "Doctor"))
    #expect(try await world.sync().status == .attention)
    let items = try await world.status().items
    let entry = try #require(items.first)
    #expect(entry.unlikeness == ["title \"Doctor\" → \"Dentist\""])
    #expect(entry.localChanges.isEmpty && entry.remoteChanges.isEmpty)
    let diff = try await world.gateway().diff([], fromRemote: false)
    #expect(diff.items.map { $0.changes.map(\.words) } == [entry.unlikeness])
  }

  @Test func `of what was only touched status and diff say that it was`() async throws {
    let touched = dentist.replacing("SUMMARY", with: "SEQUENCE:2\r\nSUMMARY")
    let world = try await world(touched, dentist, base: dentist)
    let entry = try #require(try await world.status().items.first)
    #expect(entry.localChanges == ["only its revision data (SEQUENCE)"])
    #expect(entry.remoteChanges.isEmpty)
    let diff = try await world.gateway().diff([], fromRemote: false)
    #expect(diff.items.map { $0.changes.map(\.words) } == [entry.localChanges])
  }

  /// Each the start here and there.
  @Test(
    arguments: [("0105T11", "0106T12", .schedule), ("0105T11", "0105T10", nil)]
      as [(String, String, MergeObstacle?)])
  func `what cannot be merged is known before anybody asks for it, and no side is asked`(
    here: String, there: String, obstacle: MergeObstacle?
  ) async throws {
    let world = try await world(
      dentist.replacing("0105T10", with: here),
      dentist.replacing("0105T10", with: there).replacing("Dentist", with: "Doctor"),
      base: dentist)
    #expect(try await conflict(world).obstacle == obstacle)
  }

  @Test func `an event that became a task here and was edited there is told as that`() async throws
  {
    let world = try await world(
      dentist.replacing("VEVENT", with: "VTODO"), dentist.replacing("Dentist", with: "Doctor"),
      base: dentist, policy: "merge")
    #expect(try await conflict(world).obstacle == .kind)
    let report = try await world.sync()
    #expect(report.collections.flatMap(\.conflicts).map(\.reason) == [.kind])
  }

  @Test func `a series that was moved here does not fit a title of one of its days`() async throws {
    let weekly = dentist.replacing("SUMMARY", with: "RRULE:FREQ=WEEKLY\r\nSUMMARY")
    let override = """
      BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID:20260112T100000Z\r
      DTSTART:20260112T100000Z\r\nSUMMARY:Other\r\nEND:VEVENT\r\nEND:VCALENDAR
      """
    let world = try await world(
      weekly.replacing("DTSTART:20260105T10", with: "DTSTART:20260105T11"),
      weekly.replacing("END:VCALENDAR", with: override), base: weekly)
    #expect(try await conflict(world).obstacle == .schedule)
  }

  @Test func `an occurrence that both moved is named`() async throws {
    let weekly = dentist.replacing("SUMMARY", with: "RRULE:FREQ=WEEKLY\r\nSUMMARY")
    func moved(to hour: Int) -> String {
      let override = """
        BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID:20260112T100000Z\r
        DTSTART:20260112T\(hour)0000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR
        """
      return weekly.replacing("END:VCALENDAR", with: override)
    }
    let world = try await world(moved(to: 11), moved(to: 12), base: weekly, policy: "merge")
    #expect(try await conflict(world).obstacle == .occurrence("12 January 2026"))
    let entry = try #require(try await world.status().items.first)
    #expect(entry.conflict == .schedule && entry.occurrence == "12 January 2026")
    let conflicts = try await world.sync().collections.flatMap(\.conflicts)
    #expect(conflicts.map(\.reason) == [.schedule])
    #expect(conflicts.map(\.occurrence) == ["12 January 2026"])
  }

  @Test func `a run tells what gave way in a merge`() async throws {
    let world = try await world(
      dentist.replacing("Dentist", with: "Tooth"), dentist.replacing("Dentist", with: "Teeth"),
      base: dentist, policy: "merge")
    #expect(try await world.sync { $0.isDryRun = true }.concessions.isEmpty)
    let report = try await world.sync()
    let concession = try #require(report.concessions.first)
    #expect(concession.collection == "work")
    #expect(concession.item.summary == "Teeth")
    #expect(
      concession.reason
        == "both sides changed it: merged; of SUMMARY the remote one holds, since no time says"
        + " which is newer")
    #expect(try await world.sync().concessions.isEmpty)
  }

  /// What the series has, what is put in its place here and there, and behind it there.
  @Test(
    arguments: [
      ("RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY\r\nEXDATE:20260112T100000Z", nil, "EXDATE"),
      (
        "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:b@x", "LOCATION:Office",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@x", "ATTENDEE"
      ),
    ] as [(String, String, String?, String)])
  func `of an edit that survives a removal no time is missed`(
    old: String, here: String, there: String?, name: String
  ) async throws {
    func text(_ line: String) -> String {
      dentist.replacing("SUMMARY", with: "\(line)\r\nSUMMARY")
    }
    let override = """
      BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID:20260112T100000Z\r
      DTSTART:20260112T100000Z\r\nSUMMARY:Doctor\r\nEND:VEVENT\r\nEND:VCALENDAR
      """
    let edited = there.map(text) ?? text(old).replacing("END:VCALENDAR", with: override)
    let world = try await world(text(here), edited, base: text(old), policy: "merge")
    let concession = try #require(try await world.sync().concessions.first)
    #expect(concession.reason == "both sides changed it: merged; of \(name) the remote one holds")
  }

  @Test func `a run tells of a version that lost by a guess, and of nothing that stayed`()
    async throws
  {
    let (tooth, room) = (
      dentist.replacing("Dentist", with: "Tooth"),
      dentist.replacing("SUMMARY", with: "LOCATION:Room 1\r\nSUMMARY")
    )
    let newest = try await world(tooth, room, base: dentist, policy: "newest")
    #expect(try await newest.sync().concessions.count == 1)
    let remote = try await world(tooth, room, base: dentist, policy: "remote")
    #expect(try await remote.sync().concessions.isEmpty, "as the configuration says")
    let merged = try await world(tooth, room, base: dentist, policy: "merge")
    let report = try await merged.sync()
    #expect(report.collections.first?.merged == 1)
    #expect(report.concessions.isEmpty)
  }
}
