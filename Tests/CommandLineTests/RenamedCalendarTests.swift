import Foundation
import Synchronization
import TestSupport
import Testing

/// A server on which a new display name moves the calendar to another address, as Zimbra does.
@Suite struct RenamedCalendarTests {
  private static let office = ModelServer.homePath + "Office/"
  private static let uids = ["a", "b", "c", "d"]

  /// Four items of such a server, in step.
  private func synced(
    calendar: String? = nil,
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) async throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.renamesMove = true
    let world = try FolderAndCalendar(
      displayName: "Work", color: "#FF8800FF", switches: switches, answer: answer)
    if let calendar { try world.configure(calendar: calendar) }
    for uid in Self.uids {
      world.model.put("\(uid).ics", event(uid, "Title \(uid)"), in: FolderAndCalendar.path)
    }
    _ = try await world.sync()
    #expect(try world.here() == Self.uids)
    return world
  }

  /// Renames it from the folder.
  private func renamed() async throws -> FolderAndCalendar {
    let world = try await synced()
    let texts = Self.uids.map { world.text("\($0).ics") }
    try world.write("displayname", "Office")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: displayname went up: \"Work\" → \"Office\"\n")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(sync.writes.isEmpty)
    #expect(world.model.calendarPaths == [Self.office])
    #expect(Self.uids.map { world.text("\($0).ics") } == texts)
    return world
  }

  @Test func `it stays the same collection, and nothing is doubled or lost`() async throws {
    let world = try await renamed()
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(try world.folders() == ["work"])
    #expect(try world.here() == Self.uids)
    #expect(world.there(Self.office) == Self.uids)
    #expect(world.text("displayname") == "Office")
    #expect(world.text("color") == "#ff8800")
    #expect(
      world.model.metadata(of: Self.office) == ["displayname": "Office", "color": "#FF8800FF"])
  }

  @Test func `later runs carry everything both ways at the new address`() async throws {
    let world = try await renamed()
    try world.write("e.ics", event("e", "Made here"))
    try world.remove("a.ics")
    world.model.put("b.ics", event("b", "Changed there"), in: Self.office)
    world.model.remove(Array("c.ics".utf8), in: Self.office)
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: down: 1 changed, 1 deleted; up: 1 new, 1 deleted\n")
    #expect(sync.requests.allSatisfy { !$0.target.hasPrefix(FolderAndCalendar.path) })
    #expect(try world.here() == ["b", "d", "e"])
    #expect(world.there(Self.office) == ["b", "d", "e"])
    #expect(world.text("b.ics")?.contains("SUMMARY:Changed there") == true)
    try await world.expectQuiet()
  }

  @Test func `it can be moved again`() async throws {
    let world = try await renamed()
    try world.write("displayname", "Desk")
    _ = try await world.sync()
    let desk = ModelServer.homePath + "Desk/"
    #expect(world.model.calendarPaths == [desk])
    try await world.expectQuiet()
    #expect(try world.folders() == ["work"])
    #expect(try world.here() == Self.uids)
    #expect(world.there(desk) == Self.uids)
  }

  /// Renames it and makes a change of each kind on each side, all between two runs.
  private func changeEverything(_ world: FolderAndCalendar) throws {
    try world.write("displayname", "Office")
    try world.write("a.ics", event("a", "Changed here"))
    try world.remove("b.ics")
    world.model.put("c.ics", event("c", "Changed there"), in: FolderAndCalendar.path)
    world.model.remove(Array("d.ics".utf8), in: FolderAndCalendar.path)
  }

  private func expectEverything(_ world: FolderAndCalendar) async throws {
    #expect(world.model.calendarPaths == [Self.office])
    #expect(try world.folders() == ["work"])
    #expect(try world.here() == ["a", "c"])
    #expect(world.there(Self.office) == ["a", "c"])
    #expect(world.text("c.ics")?.contains("SUMMARY:Changed there") == true)
    #expect(world.text("a.ics")?.contains("SUMMARY:Changed here") == true)
    try await world.expectQuiet()
  }

  private static let everything =
    "p/work: down: 1 changed, 1 deleted; up: 1 changed, 1 deleted"
  private static let named = "; displayname went up: \"Work\" → \"Office\"\n"

  @Test func `what changed in the run that names it goes both ways, deletions too`() async throws {
    let world = try await synced()
    try changeEverything(world)
    #expect(try await world.sync().run.output == Self.everything + Self.named)
    try await expectEverything(world)
  }

  @Test func `a new name of which nobody learned what became is found in the same run`()
    async throws
  {
    let world = try await synced { request, steps in
      request.isNewName ? [.close] : steps
    }
    try changeEverything(world)
    #expect(try await world.sync().run.output == Self.everything + Self.named)
    try await expectEverything(world)
  }

  @Test(arguments: [nil, "Work"])
  func `one that moved while the run was cut off is found by the next`(
    calendar: String?
  ) async throws {
    let isDown = Mutex(false)
    let world = try await synced(calendar: calendar) { request, steps in
      isDown.withLock { down in
        if request.isNewName { down = true }
        return down ? [.close] : steps
      }
    }
    try changeEverything(world)
    #expect(try await world.calgw("sync").status != 0)
    #expect(world.model.calendarPaths == [Self.office])
    isDown.withLock { $0 = false }
    #expect(try await world.sync().run.output == Self.everything + "\n")
    try await expectEverything(world)
  }

  @Test func `a name that did not arrive is sent again`() async throws {
    let drops = Mutex(true)
    let model = Mutex<ModelServer?>(nil)
    let world = try await synced { request, steps in
      guard request.isNewName, drops.withLock({ $0 }) else { return steps }
      // The model has acted by now: it takes that back.
      model.withLock { $0 }?.moveCalendar(Self.office, to: FolderAndCalendar.path)
      model.withLock { $0 }?.setDisplayName("Work", of: FolderAndCalendar.path)
      return [.close]
    }
    model.withLock { $0 = world.model }
    try world.write("displayname", "Office")
    _ = try await world.sync(status: 1)
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    drops.withLock { $0 = false }
    _ = try await world.sync()
    #expect(world.model.calendarPaths == [Self.office])
    #expect(world.there(Self.office) == Self.uids)
  }

  @Test func `one that another client renames is followed, with what changed here`() async throws {
    let world = try await synced()
    try world.write("a.ics", event("a", "Changed here"))
    try world.remove("b.ics")
    try await world.set("displayname", "Office")
    #expect(world.model.calendarPaths == [Self.office])
    world.model.put("c.ics", event("c", "Changed there"), in: Self.office)
    _ = try await world.sync()
    #expect(try world.folders() == ["work"])
    #expect(try world.here() == ["a", "c", "d"])
    #expect(world.there(Self.office) == ["a", "c", "d"])
    #expect(world.text("c.ics")?.contains("Changed there") == true)
    #expect(world.text("displayname") == "Office")
    try await world.expectQuiet()
  }

  @Test func `a new calendar that holds less than most of one that is gone is another`()
    async throws
  {
    let world = try await synced()
    world.model.removeCalendar(FolderAndCalendar.path)
    world.model.makeCalendar("copies", displayName: "Copies")
    for uid in ["a", "b"] {
      world.model.put("\(uid).ics", event(uid, "Copy"), in: ModelServer.homePath + "copies/")
    }
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("is gone"), "\(run.output) \(run.errors)")
    #expect(try world.here() == Self.uids)
  }

  /// As where two programs number their items.
  @Test func `a new calendar with other items under the same file names is another`() async throws {
    let world = try await synced()
    let texts = Self.uids.map { world.text("\($0).ics") }
    try world.write("diary.ics", event("diary", "Private"))
    world.model.removeCalendar(FolderAndCalendar.path)
    let soccer = ModelServer.homePath + "soccer/"
    world.model.makeCalendar("soccer", displayName: "Soccer")
    for uid in Self.uids { world.model.put("\(uid).ics", event("match \(uid)", "M"), in: soccer) }
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("is gone"), "\(run.output) \(run.errors)")
    #expect(Self.uids.map { world.text("\($0).ics") } == texts)
    #expect(world.there(soccer) == Self.uids.map { "match \($0)" })
    #expect(world.text("displayname") == "Work")
  }

  @Test func `another calendar that has the name is not taken for one that is gone`() async throws {
    let isDown = Mutex(false)
    let world = try await synced { request, steps in
      isDown.withLock { down in
        if request.isNewName { down = true }
        return down ? [.close] : steps
      }
    }
    try world.write("displayname", "Office")
    _ = try await world.calgw("sync")
    isDown.withLock { $0 = false }
    world.model.removeCalendar(Self.office)
    world.model.makeCalendar("new", displayName: "Office")
    world.model.put("z.ics", event("z", "Another"), in: ModelServer.homePath + "new/")
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("is gone"), "\(run.output) \(run.errors)")
    #expect(try world.here() == Self.uids)
  }

  @Test func `a choice that was changed is looked for, and is not the former calendar`()
    async throws
  {
    let world = try await synced(calendar: "Work")
    try world.configure(calendar: "Private")
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("no such collection"), "\(run)")
  }

  @Test func `one that was chosen by its display name may get another`() async throws {
    let world = try await synced(calendar: "Work")
    try world.write("displayname", "Office")
    _ = try await world.sync()
    try await world.expectQuiet()
    #expect(world.there(Self.office) == Self.uids)
  }

  @Test(arguments: ["Office", "Work"])
  func `a name that another calendar gets does not make it the chosen one`(newName: String)
    async throws
  {
    let world = try FolderAndCalendar(displayName: "Work")
    try world.configure(calendar: "Work")
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    let theirs = ModelServer.homePath + "theirs/"
    world.model.makeCalendar("theirs", displayName: "Work")
    world.model.put("z.ics", event("z", "A colleague's"), in: theirs)
    if newName != "Work" { try await world.set("displayname", newName) }
    _ = try await world.sync()
    try await world.expectQuiet()
    #expect(world.there(theirs) == ["z"])
    #expect(try world.here() == ["a"])
    try world.configure(calendar: "theirs")
    _ = try await world.calgw("sync")
    #expect(try world.here() == ["a", "z"], "an id says which one is meant")
  }
}

extension FolderAndCalendar {
  /// The folder and one calendar of the account, chosen by a text.
  fileprivate func configure(calendar: String) throws {
    try calgw.configure(
      server: server.url, folder: "~/calendars/work", pair: "calendar = \"\(calendar)\"")
  }
}

extension ReceivedRequest {
  fileprivate var isNewName: Bool {
    method == "PROPPATCH" && String(decoding: body, as: UTF8.self).contains("displayname")
  }
}
