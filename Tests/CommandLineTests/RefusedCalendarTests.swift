import Synchronization
import TestSupport
import Testing

/// A server that makes no calendars: it is told of in each run, and asked by one request.
@Suite struct RefusedCalendarTests {
  /// What the server answers to who makes a calendar; nil: it makes it.
  private final class Refusal: Sendable {
    private let status: Mutex<Int?>

    init(_ status: Int) { self.status = Mutex(status) }

    func end() { status.withLock { $0 = nil } }

    func answer(_ request: ModelRequest) -> ModelFault? {
      guard request.method.hasPrefix("MK") else { return nil }
      return status.withLock { $0 }.map { .answer($0) }
    }
  }

  /// A run, and the methods of what it asked.
  private struct Run {
    var run: CommandLine.Run
    var methods: [String]

    var asked: Int { methods.filter { $0.hasPrefix("MK") }.count }
  }

  /// A calendar that is synced already, and a new folder that has none.
  private func world(_ refusal: Refusal) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    world.model.interfere(refusal.answer)
    _ = try await world.sync()
    try world.calgw.write("calendars/new/n.ics", event("n", "New"))
    return world
  }

  private func sync(_ world: FolderAndCalendar) async throws -> Run {
    let before = world.server.requests.count
    let run = try await world.calgw("sync")
    return Run(run: run, methods: world.server.requests.dropFirst(before).map(\.method))
  }

  @Test(arguments: [(403, 77), (405, 73), (501, 73), (400, 73), (409, 73)] as [(Int, Int32)])
  func `a refused calendar is told of in each run, and asked for by one request`(
    answer: Int, status: Int32
  ) async throws {
    let world = try await world(Refusal(answer))
    let first = try await sync(world)
    #expect(first.run.status == status, "\(first.run.errors)")
    #expect(first.run.errors.contains("the calendar “new” cannot be made"), "\(first.run.errors)")
    #expect(first.asked > 0)
    for _ in 0..<2 {
      let again = try await sync(world)
      #expect(again.run.status == status)
      #expect(again.run.errors == first.run.errors)
      #expect(again.methods == ["PROPFIND", "MKCALENDAR"])
    }
  }

  @Test func `a calendar that a server failed to make is asked for in each run`() async throws {
    let world = try await world(Refusal(500))
    for _ in 0..<2 {
      let run = try await sync(world)
      #expect(run.run.status == 76, "\(run.run.errors)")
      #expect(run.asked > 0)
    }
  }

  @Test func `another kind of items is another question`() async throws {
    let world = try await world(Refusal(400))
    _ = try await sync(world)
    #expect(try await sync(world).asked == 1)
    let task = event("t", "Task").replacing("VEVENT", with: "VTODO")
    try world.calgw.write("calendars/new/t.ics", task)
    #expect(try await sync(world).asked > 1)
    #expect(try await sync(world).asked == 1)
  }

  @Test func `of many that were refused one is asked for`() async throws {
    let world = try await world(Refusal(403))
    for name in ["a", "b"] { try world.calgw.write("calendars/\(name)/n.ics", event("n", "New")) }
    let first = try await sync(world)
    let second = try await sync(world)
    #expect(second.asked == 1)
    #expect(second.run.errors == first.run.errors)
  }

  @Test(arguments: [400, 403, 405])
  func `what is allowed by now is made at once`(answer: Int) async throws {
    let refusal = Refusal(answer)
    let world = try await world(refusal)
    for _ in 0..<2 { _ = try await sync(world) }
    refusal.end()
    let run = try await sync(world)
    #expect(run.run.status == 0, "\(run.run.errors)")
    #expect(run.asked == 1)
    #expect(world.there(ModelServer.homePath + "new/") == ["n"])
    let next = try await sync(world)
    #expect(next.methods == ["PROPFIND"] && next.run.status == 0, "\(next)")
  }

  @Test(arguments: [true, false])
  func `a colour with which no calendar is made is set afterwards, or told to be refused`(
    isTaken: Bool
  ) async throws {
    var switches = ModelSwitches()
    switches.propertiesRefusedInMaking = ["calendar-color"]
    if !isTaken { switches.refusedProperties = ["calendar-color"] }
    let world = try FolderAndCalendar(switches: switches)
    _ = try await world.sync()
    try world.calgw.write("calendars/new/n.ics", event("n", "New"))
    try world.calgw.write("calendars/new/color", "#ff0000")
    let run = try await sync(world)
    #expect(run.run.status == 0, "\(run.run.errors)")
    #expect(world.there(ModelServer.homePath + "new/") == ["n"])
    let color = world.model.metadata(of: ModelServer.homePath + "new/")["color"]
    #expect(color == (isTaken ? "#FF0000FF" : nil))
    #expect(run.methods.filter { $0 == "PROPPATCH" }.count == 1, "\(run.methods)")
    let words = "the remote side was to have the color '#ff0000'"
    #expect(run.run.errors.contains(words) == !isTaken, "\(run.run.errors)")
    let next = try await sync(world)
    #expect(next.methods == ["PROPFIND"] && next.run.status == 0, "\(next)")
  }

  /// A later run asks by one request alone, which the colour must not spoil.
  @Test func `a calendar that may be made by now is not refused for its colour`() async throws {
    let refusal = Refusal(403)
    let world = try await world(refusal)
    try world.calgw.write("calendars/new/color", "#ff0000")
    _ = try await sync(world)
    refusal.end()
    world.model.change { $0.propertiesRefusedInMaking = ["calendar-color"] }
    let run = try await sync(world)
    #expect(run.run.status == 0, "\(run.run.errors)")
    #expect(run.asked == 1)
    let color = world.model.metadata(of: ModelServer.homePath + "new/")["color"]
    #expect(color == "#FF0000FF")
  }

  @Test func `a limit on how many calendars are made holds back no other one`() async throws {
    let world = try FolderAndCalendar()
    _ = try await world.sync()
    world.model.interfere { request in
      request.method.hasPrefix("MK") ? .answer(429, headers: [["Retry-After", "3600"]]) : nil
    }
    for name in ["more", "new"] {
      try world.calgw.write("calendars/\(name)/n.ics", event("in-\(name)", "New"))
    }
    try world.write("choir.ics", event("choir", "Choir"))
    let run = try await sync(world)
    #expect(run.run.status == 75, "\(run.run.errors)")
    #expect(run.asked == 1)
    #expect(run.run.errors.contains("the calendar is not made yet"), "\(run.run.errors)")
    #expect(run.run.errors.contains("the calendar “new” is not made yet"), "\(run.run.errors)")
    #expect(run.run.errors.contains("try again in 60 minutes"), "\(run.run.errors)")
    #expect(world.there() == ["choir"])
    world.model.interfere(nil)
    _ = try await world.sync()
    #expect(world.there(ModelServer.homePath + "more/") == ["in-more"])
    #expect(world.there(ModelServer.homePath + "new/") == ["in-new"])
  }

  @Test func `a calendar that a person makes is found`() async throws {
    let world = try await world(Refusal(501))
    _ = try await sync(world)
    world.model.makeCalendar("new")
    let run = try await sync(world)
    #expect(run.run.status == 0, "\(run.run.errors)")
    #expect(run.asked == 0, "it is there")
    #expect(world.there(ModelServer.homePath + "new/") == ["n"])
  }
}
