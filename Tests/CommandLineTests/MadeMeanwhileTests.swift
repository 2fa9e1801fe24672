import Synchronization
import TestSupport
import Testing

/// Two machines that sync a new folder of one name at once make one calendar of it.
@Suite struct MadeMeanwhileTests {
  /// The other machine: it makes the calendar `new` after some of our looks at the home set.
  private final class OtherMachine: Sendable {
    private struct Plan {
      var model: ModelServer?
      var looks = 0
    }

    private let plan = Mutex(Plan())
    private let name: String

    init(calls name: String) { self.name = name }

    func makesIt(afterLooks looks: Int, on model: ModelServer) {
      plan.withLock { $0 = Plan(model: model, looks: looks) }
    }

    func act(_ request: ReceivedRequest, _ steps: [ServerStep]) -> [ServerStep] {
      guard request.method == "PROPFIND", request.target == ModelServer.homePath else {
        return steps
      }
      let model = plan.withLock { plan -> ModelServer? in
        plan.looks -= 1
        return plan.looks == 0 ? plan.model : nil
      }
      if let model {
        let path = model.makeCalendar("new", displayName: name)
        model.put(Array("t.ics".utf8), Array(event("t", "Theirs").utf8), in: path)
      }
      return steps
    }
  }

  private static let path = ModelServer.homePath + "new/"

  /// One look lists the calendars for the pair, another one before a calendar is made.
  @Test(arguments: [1, 2])
  func `a calendar that another machine made meanwhile is the folder's`(looks: Int) async throws {
    let other = OtherMachine(calls: "new")
    let world = try FolderAndCalendar(answer: other.act)
    _ = try await world.sync()
    try world.calgw.write("calendars/new/o.ics", event("o", "Ours"))
    other.makesIt(afterLooks: looks, on: world.model)
    let sync = try await world.sync()
    #expect(!sync.run.output.contains("made the"), "\(sync.run.output)")
    #expect(world.model.calendarPaths == [Self.path, FolderAndCalendar.path])
    #expect(world.there(Self.path) == ["o", "t"])
    #expect(try world.folders() == ["new", "work"])
    let again = try await world.sync()
    #expect(again.methods == ["PROPFIND"])
  }

  @Test(arguments: [1, 2])
  func `a calendar of another name at that address is left alone`(looks: Int) async throws {
    let other = OtherMachine(calls: "Theirs")
    let world = try FolderAndCalendar(answer: other.act)
    _ = try await world.sync()
    try world.calgw.write("calendars/new/o.ics", event("o", "Ours"))
    other.makesIt(afterLooks: looks, on: world.model)
    _ = try await world.sync()
    #expect(world.model.calendarPaths.count == 3)
    #expect(world.there(Self.path) == ["t"])
  }
}
