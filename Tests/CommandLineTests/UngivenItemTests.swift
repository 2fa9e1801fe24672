import Foundation
import TestSupport
import Testing

/// An item that the server stores and lists, and does not give back (Yahoo, of events with a
/// VTIMEZONE).
@Suite struct UngivenItemTests {
  @Test(arguments: [404, 500])
  func `it is named once, and what becomes of its file goes there`(status: Int) async throws {
    let isBroken = Switch()
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      isBroken.isOn && request.method == "GET" ? [.answer(status)] : steps
    }
    _ = try await world.sync()
    isBroken.turn(true)
    try world.write("gym.ics", event("gym", "Gym"))
    for writes in [["PUT"], []] { try await expectNamed(world, writes) }
    try world.write("gym.ics", event("gym", "Sports"))
    for writes in [["PUT"], []] { try await expectNamed(world, writes) }
    let texts = world.model.items(in: FolderAndCalendar.path).values
    #expect(texts.map { String(decoding: $0, as: UTF8.self) }.first?.contains("Sports") == true)

    try world.remove("gym.ics")
    let deletion = try await world.sync()
    #expect(deletion.run.output == "p/work: up: 1 deleted\n")
    #expect(deletion.writes.map(\.method) == ["DELETE"])
    #expect(deletion.writes.allSatisfy { $0.header("If-Match") != nil })
    #expect(world.there().isEmpty)
  }

  @Test func `a person who looks at or settles what is not clear is told why, as by a sync`()
    async throws
  {
    let isBroken = Switch()
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let odd = event("gym", "G\u{B}ym")
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      isBroken.isOn && request.method == "GET"
        ? [.answer(200, headers: ["Content-Type": "text/calendar"], body: odd)] : steps
    }
    _ = try await world.sync()
    isBroken.turn(true)
    try world.write("gym.ics", event("gym", "Gym"))
    let why = "what the remote side has of it is not clear"
    let reason = "holds a control character, which no calendar may"
    for _ in 0..<2 {
      let errors = try await world.sync(status: 1).run.errors
      #expect(errors.contains(reason), "\(errors)")
      #expect(errors.contains("correct the item on the server") && !errors.contains(why))
    }
    let status = try await world.calgw("status").output
    #expect(status.contains(reason) && !status.contains(why), "\(status)")
    // It has one name, that of its file.
    #expect(status.components(separatedBy: reason).count == 2, "\(status)")
    #expect(status.contains("\"Gym\" (gym.ics)"), "\(status)")
    for choice in ["local", "remote"] {
      let run = try await world.calgw("resolve", "gym", "--take", choice)
      #expect(run.status == 1 && run.errors.contains(reason), "\(run.output) \(run.errors)")
      #expect(!run.errors.contains(why), "\(run.errors)")
    }
  }

  @Test func `where a new file waits for it, its mend speaks of the server's items alone`()
    async throws
  {
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      let isMeant = request.method == "GET" && request.target.hasSuffix("/choir.ics")
      return isMeant ? [.answer(500)] : steps
    }
    for name in ["choir", "tea"] {
      world.model.put("\(name).ics", event(name, name), in: FolderAndCalendar.path)
    }
    try world.write("gym.ics", event("gym", "Gym"))
    let sync = try await world.sync(status: 1)
    #expect(sync.writes.isEmpty)
    #expect(try world.here() == ["gym", "tea"])
    let errors = sync.run.errors
    #expect(errors.contains("it waits until") && errors.contains("it may be it"), "\(errors)")
    #expect(errors.contains("; what else the server has is not affected\n"), "\(errors)")
  }

  private func expectNamed(_ world: FolderAndCalendar, _ writes: [String]) async throws {
    let sync = try await world.sync(status: 1)
    #expect(sync.writes.map(\.method) == writes)
    let errors = sync.run.errors
    #expect(errors.components(separatedBy: "problem: ").count == 2, "\(errors)")
    #expect(errors.contains(" (gym.ics)\n"), "\(errors)")
    #expect(errors.contains("has stored it, and does not give it back"), "\(errors)")
    #expect(!errors.contains("never here"), "\(errors)")
  }
}
