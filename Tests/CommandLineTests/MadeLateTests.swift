import TestSupport
import Testing

/// A calendar for a new folder that a server makes without saying so, and shows only after the run.
@Suite struct MadeLateTests {
  private static let path = FolderAndCalendar.path

  /// A folder with an item, and a server that has another calendar.
  private func world(
    _ folder: String = "work", change: (inout ModelSwitches) -> Void = { _ in },
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    change(&switches)
    let world = try FolderAndCalendar(switches: switches, answer: answer)
    world.model.makeCalendar("other")
    world.model.removeCalendar(Self.path)
    try world.configure("collections = [\"\(folder)\"]")
    try world.calgw.write("calendars/\(folder)/a.ics", event("a", "Dentist"))
    return world
  }

  /// Hides the calendar from the home's listing and at its address.
  private func hide(_ world: FolderAndCalendar, _ making: ModelFault? = nil) {
    world.model.change { $0.unlistedCalendars = [Self.path] }
    world.model.interfere { request in
      if request.method == "MKCALENDAR" { return making }
      return request.method == "PROPFIND" && request.path == Self.path ? .answer(404) : nil
    }
  }

  /// It answers at its address, is listed later, and is the only one all the time.
  private func expectOne(_ world: FolderAndCalendar) async throws {
    let paths = [ModelServer.homePath + "other/", Self.path]
    #expect(world.model.calendarPaths.sorted() == paths)
    world.model.interfere(nil)
    let sync = try await world.sync()
    #expect(!sync.methods.contains { $0.hasPrefix("MK") }, "\(sync.methods)")
    #expect(world.there() == ["a"])
    world.model.change { $0.unlistedCalendars = [] }
    try await world.expectQuiet()
    #expect(world.model.calendarPaths.sorted() == paths)
  }

  @Test(arguments: [(500, 76), (502, 69), (504, 69)] as [(Int, Int32)])
  func `the run after an error takes it up, and makes no second one`(
    answer: Int, status: Int32
  ) async throws {
    let world = try world()
    hide(world, .actThenAnswer(answer))
    let failed = try await world.sync(status: status)
    #expect(failed.run.errors.contains("the server answered \(answer)"), "\(failed.run.errors)")
    try await expectOne(world)
  }

  @Test func `the run after a connection that broke takes it up`() async throws {
    let world = try world(answer: { request, steps in
      request.method == "MKCALENDAR" ? [.close] : steps
    })
    hide(world)
    _ = try await world.sync(status: 69)
    try await expectOne(world)
  }

  /// Its address is a random one, and its name the server's own: only what was asked for tells.
  @Test func `one that is called otherwise by then is the folder's by its address`() async throws {
    let folder = "Neue Sachen"
    let world = try world(folder) { $0.newCalendar = ("New Calendar", nil) }
    world.model.interfere { request in
      if request.method == "MKCALENDAR" { return .actThenAnswer(504) }
      let isRandom = request.path.split(separator: "-").count == 5
      return request.method == "PROPFIND" && isRandom ? .answer(404) : nil
    }
    _ = try await world.sync(status: 69)
    world.model.interfere(nil)
    _ = try await world.sync()
    let paths = world.model.calendarPaths.filter { !$0.hasSuffix("/other/") }
    #expect(paths.count == 1)
    #expect(paths.map { world.there($0) } == [["a"]])
    #expect(try world.folders() == [folder])
  }
}
