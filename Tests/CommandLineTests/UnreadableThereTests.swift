import Foundation
import TestSupport
import Testing

/// An item that both sides share, and that the server gives no more.
@Suite struct UnreadableThereTests {
  private let isBroken = Switch()
  private let world: FolderAndCalendar

  /// `gym` is on both sides; the phone gives it another title, which nobody can read.
  init() async throws {
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let isBroken = isBroken
    world = try FolderAndCalendar(switches: switches) { request, steps in
      let isMeant = request.method == "GET" && request.target.hasSuffix("/gym.ics")
      return isBroken.isOn && isMeant ? [.answer(500)] : steps
    }
    world.model.put("gym.ics", event("gym", "Gym"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    world.model.put("gym.ics", event("gym", "Sports"), in: FolderAndCalendar.path)
    isBroken.turn(true)
  }

  @Test func `the mend says that its file goes when it is taken away there`() async throws {
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("problem: \"Gym\" (gym.ics)\n"), "\(run.errors)")
    #expect(run.errors.contains("[broken-remote]"), "\(run.errors)")
    #expect(!run.errors.contains("never here"), "\(run.errors)")
    for command in ["sync", "status"] {
      let lines = try await world.calgw(command, "--json").output
      #expect(lines.contains("\"file\":\"gym.ics\""), "\(lines)")
    }
  }

  @Test func `a comparison with the server shows the local change, and says why`() async throws {
    try world.write("gym.ics", event("gym", "Swimming"))
    let run = try await world.calgw("diff", "--remote", "gym")
    #expect(
      run.output.contains(
        "    the remote version cannot be read; the local one since the last sync:\n"
          + "    title \"Gym\" → \"Swimming\"\n"), "\(run.output)")
  }
}

/// An item that both sides share, and that something on the way to the server cuts.
@Suite struct CutOnTheWayTests {
  @Test func `its mend asks for it again at once`() async throws {
    let isCut = Switch()
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let half = event("gym", "Sports").components(separatedBy: "SUMMARY")[0]
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      let isMeant = request.method == "GET" && request.target.hasSuffix("/gym.ics")
      return isCut.isOn && isMeant ? [.answer(200, body: half)] : steps
    }
    world.model.put("gym.ics", event("gym", "Gym"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    world.model.put("gym.ics", event("gym", "Sports"), in: FolderAndCalendar.path)
    isCut.turn(true)
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("[incomplete]"), "\(run.errors)")
    let mend = "within a day, or at once by `calgw resolve --take remote gym`"
    #expect(run.errors.contains(mend), "\(run.errors)")
    isCut.turn(false)
    #expect(try await world.calgw("resolve", "--take", "remote", "gym").status == 0)
    #expect(world.text("gym.ics")?.contains("SUMMARY:Sports") == true)
    _ = try await world.sync()
  }
}
