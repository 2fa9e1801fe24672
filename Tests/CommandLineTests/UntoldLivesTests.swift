import Foundation
import Synchronization
import TestSupport
import Testing

/// A server whose report of changes compares two states (Xandikos): what calgw stored, and what
/// somebody else has deleted there before calgw listed it, is in no report.
@Suite struct UntoldLivesTests {
  /// What the server does besides, once it is there.
  private final class Besides: Sendable {
    let model = Mutex<ModelServer?>(nil)
    let removesGym = Switch()
    let failsToList = Switch()

    func answer(_ request: ReceivedRequest, _ steps: [ServerStep]) -> [ServerStep] {
      let body = String(decoding: request.body, as: UTF8.self)
      let isWhole = request.method == "PROPFIND" && request.header("Depth") == "1"
      let isListing = body.contains("sync-collection") || isWhole
      if failsToList.isOn, isListing, request.target == FolderAndCalendar.path { return [.close] }
      // It was stored, and calgw has just looked at it.
      if removesGym.isOn, request.method == "GET" || body.contains("calendar-multiget") {
        removeGym()
      }
      return steps
    }

    func removeGym() {
      guard let model = model.withLock({ $0 }) else { return }
      for (name, text) in model.items(in: FolderAndCalendar.path)
      where String(decoding: text, as: UTF8.self).contains("UID:gym\r\n") {
        model.remove(name, in: FolderAndCalendar.path)
      }
    }
  }

  private func world(_ besides: Besides) async throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.comparesStates = true
    let world = try FolderAndCalendar(switches: switches, answer: besides.answer)
    besides.model.withLock { $0 = world.model }
    try world.write("choir.ics", event("choir", "Choir"))
    _ = try await world.sync()
    // More than one, so that the report names something.
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("lunch.ics", event("lunch", "Lunch"))
    return world
  }

  @Test func `what is deleted before the run lists it leaves the folder`() async throws {
    let besides = Besides()
    let world = try await world(besides)
    besides.removesGym.turn(true)
    _ = try await world.calgw("sync")
    besides.removesGym.turn(false)
    _ = try await world.sync()
    #expect(world.there() == ["choir", "lunch"])
    #expect(try world.here() == ["choir", "lunch"])
    try await world.expectQuiet()
  }

  @Test func `what is deleted after a run that ended early leaves the folder`() async throws {
    let besides = Besides()
    let world = try await world(besides)
    besides.failsToList.turn(true)
    let early = try await world.calgw("sync")
    #expect(early.status == 69, "\(early.output) \(early.errors)")
    #expect(world.there() == ["choir", "gym", "lunch"])
    besides.failsToList.turn(false)
    besides.removeGym()
    _ = try await world.sync()
    #expect(world.there() == ["choir", "lunch"])
    #expect(try world.here() == ["choir", "lunch"])
    try await world.expectQuiet()
  }
}
