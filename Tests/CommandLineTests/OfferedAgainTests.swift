import Foundation
import Synchronization
import TestSupport
import Testing

/// What a server refused, and takes once a person has mended why.
@Suite struct OfferedAgainTests {
  /// Its server refuses what it is sent, as long as that is switched on.
  private func world(refusing isOn: Switch, with status: Int) throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    world.model.interfere { request in
      isOn.isOn && request.method == "PUT" ? .answer(status) : nil
    }
    return world
  }

  @Test(arguments: [403, 409, 507])
  func `it is sent at once where a person says that it holds`(status: Int) async throws {
    let isFull = Switch()
    let world = try world(refusing: isFull, with: status)
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    isFull.turn(true)
    try world.write("gym.ics", event("gym", "Sports"))
    var run = try await world.calgw("sync")
    if status == 507 { run = try await world.calgw("sync") }
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    let command = "`calgw resolve --take local gym`"
    let time = status == 507 ? "an hour" : "a day"
    #expect(
      run.errors.contains(
        "offered again after \(time), or at once, over whatever is there by then, by \(command)\n"),
      "\(run.errors)")

    isFull.turn(false)
    let count = world.server.requests.count
    run = try await world.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    let waiting = world.server.requests.dropFirst(count)
    #expect(!waiting.contains { $0.method == "PUT" })
    #expect(try await world.calgw("resolve", "gym", "--take", "local").status == 0)
    let there = world.model.items(in: FolderAndCalendar.path).values
    #expect(there.allSatisfy { String(decoding: $0, as: UTF8.self).contains("SUMMARY:Sports") })
    try await world.expectQuiet()
  }

  /// In the folder, or on the server.
  @Test(arguments: [true, false])
  func `what a full server had no room for is sent once something is deleted`(
    isDeletedHere: Bool
  ) async throws {
    let isFull = Switch()
    let world = try world(refusing: isFull, with: 507)
    try world.write("old.ics", event("old", "Old"))
    _ = try await world.sync()
    isFull.turn(true)
    try world.write("gym.ics", event("gym", "Gym"))
    for _ in 0..<2 { #expect(try await world.calgw("sync").status == 1) }
    isFull.turn(false)
    #expect(try await world.sync(status: 1).writes.isEmpty, "it waits for an hour")
    if isDeletedHere {
      try world.remove("old.ics")
    } else {
      let there = try #require(world.model.items(in: FolderAndCalendar.path).keys.first)
      world.model.remove(there, in: FolderAndCalendar.path)
    }
    _ = try await world.calgw("sync")
    _ = try await world.sync()
    #expect(world.there() == ["gym"])
    try await world.expectQuiet()
  }

  @Test func `a new item is sent at once, too`() async throws {
    let isFull = Switch()
    let world = try world(refusing: isFull, with: 403)
    _ = try await world.sync()
    isFull.turn(true)
    try world.write("gym.ics", event("gym", "Gym"))
    #expect(try await world.calgw("sync").status == 1)
    isFull.turn(false)
    let run = try await world.calgw("resolve", "gym", "--take", "local")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(world.there() == ["gym"])
    try await world.expectQuiet()
  }

  /// By what the server says that it takes, if it still says so.
  @Test(arguments: [100_000, nil] as [Int?])
  func `an item that is too large is sent once the server takes more`(limit: Int?) async throws {
    var switches = ModelSwitches()
    switches.maxResourceSize = 400
    let world = try FolderAndCalendar(switches: switches)
    _ = try await world.sync()
    try world.write("gym.ics", event("gym", String(repeating: "Gym", count: 200)))
    for _ in 0..<2 {
      let sync = try await world.sync(status: 1)
      #expect(sync.writes.isEmpty)
      #expect(sync.run.errors.contains("bytes, and the server takes 400"), "\(sync.run.errors)")
      #expect(!sync.run.errors.contains("offered again after a day"), "\(sync.run.errors)")
    }
    world.model.change { $0.maxResourceSize = 500 }
    let still = try await world.sync(status: 1)
    #expect(still.writes.isEmpty)
    #expect(still.run.errors.contains("takes 500"), "\(still.run.errors)")

    world.model.change { $0.maxResourceSize = limit }
    let sync = try await world.sync()
    #expect(sync.writes.map(\.method) == ["PUT"])
    #expect(world.there() == ["gym"])
    try await world.expectQuiet()
  }

  @Test(arguments: [
    ("Gym", "Gym\u{B}", "holds the control character U+000B"),
    ("END:VCALENDAR\r\n", "END:VCALENDAR\r\n-- \r\n", "is not END:VCALENDAR"),
  ])
  func `a text that would not be read back is sent once it is mended`(
    old: String, new: String, why: String
  ) async throws {
    let world = try FolderAndCalendar()
    try world.write("run.ics", event("run", "Run"))
    _ = try await world.sync()
    try world.write("gym.ics", event("gym", "Gym").replacing(old, with: new))
    let edited = event("run", "Gym").replacing(old, with: new)
    try world.write("run.ics", edited)
    for _ in 0..<2 {
      let sync = try await world.sync(status: 1)
      #expect(sync.writes.isEmpty)
      let errors = sync.run.errors
      #expect(errors.components(separatedBy: why).count == 3, "\(errors)")
      #expect(!errors.contains("offered again after a day"), "\(errors)")
    }
    #expect(try await world.calgw("resolve", "gym", "--take", "local").status == 1)
    #expect(world.there() == ["run"])

    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("run.ics", event("run", "Gym"))
    let sync = try await world.sync()
    #expect(sync.writes.map(\.method) == ["PUT", "PUT"])
    #expect(world.there() == ["gym", "run"])
    try await world.expectQuiet()
  }

  @Test func `what is locked is sent by each run`() async throws {
    let isLocked = Switch()
    let world = try world(refusing: isLocked, with: 423)
    _ = try await world.sync()
    isLocked.turn(true)
    try world.write("gym.ics", event("gym", "Gym"))
    for _ in 0..<4 {
      let count = world.server.requests.count
      #expect(try await world.calgw("sync").status == 1)
      #expect(world.server.requests.dropFirst(count).contains { $0.method == "PUT" })
    }
    isLocked.turn(false)
    _ = try await world.sync()
    #expect(world.there() == ["gym"])
  }

  /// Another client is quicker, and what it stores is known by the end of the run.
  @Test func `an item whose UID was taken meanwhile is merged by the next run`() async throws {
    var switches = ModelSwitches()
    switches.uidConflictStatus = 409
    let model = Mutex<ModelServer?>(nil)
    let other = event("gym", "Gym").replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT")
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      // The calendar was just looked at.
      if request.method == "PROPFIND" {
        model.withLock { $0?.put("theirs.ics", other, in: FolderAndCalendar.path) }
      }
      return steps
    }
    _ = try await world.sync()
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("walk.ics", event("walk", "Walk"))
    model.withLock { $0 = world.model }
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("the next sync merges both"), "\(run.errors)")
    model.withLock { $0 = nil }
    _ = try await world.sync()
    #expect(world.text("gym.ics")?.contains("LOCATION:Hall") == true)
    #expect(world.there() == ["gym", "walk"])
    try await world.expectQuiet()
  }
}
