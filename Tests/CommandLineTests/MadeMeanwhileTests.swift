import Synchronization
import TestSupport
import Testing

/// Two machines that sync a new folder of one name at once make one calendar of it.
@Suite struct MadeMeanwhileTests {
  /// The other machine: it makes the calendars `new` and `next` after some of our looks at the home
  /// set.
  private final class OtherMachine: Sendable {
    private struct Plan {
      var model: ModelServer?
      var looks = 0
    }

    private let plan = Mutex(Plan())
    private let names: [String: String]

    /// - Parameter names: what it calls them, by their ids.
    init(_ names: [String: String]) { self.names = names }

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
        for (id, name) in names.sorted(by: { $0.key < $1.key }) {
          let path = model.makeCalendar(id, displayName: name)
          model.put(Array("t.ics".utf8), Array(event("t-\(id)", "Theirs").utf8), in: path)
        }
      }
      return steps
    }
  }

  private static func path(_ id: String) -> String { "\(ModelServer.homePath)\(id)/" }

  /// One look lists the calendars for the pair, another one before a calendar is made.
  @Test(arguments: [1, 2])
  func `calendars that another machine made meanwhile are the folders'`(looks: Int) async throws {
    let other = OtherMachine(["new": "new", "next": "next"])
    let world = try FolderAndCalendar(answer: other.act)
    _ = try await world.sync()
    for id in ["new", "next"] {
      try world.calgw.write("calendars/\(id)/o.ics", event("o-\(id)", "Ours"))
    }
    other.makesIt(afterLooks: looks, on: world.model)
    let sync = try await world.sync()
    #expect(!sync.run.output.contains("made the"), "\(sync.run.output)")
    #expect(
      world.model.calendarPaths == [Self.path("new"), Self.path("next"), FolderAndCalendar.path])
    for id in ["new", "next"] {
      #expect(world.there(Self.path(id)) == ["o-\(id)", "t-\(id)"])
    }
    #expect(try world.folders() == ["new", "next", "work"])
    let again = try await world.sync()
    #expect(again.methods == ["PROPFIND"])
  }

  @Test(arguments: [1, 2])
  func `a calendar of another name at that address is left alone`(looks: Int) async throws {
    let other = OtherMachine(["new": "Theirs"])
    let world = try FolderAndCalendar(answer: other.act)
    _ = try await world.sync()
    try world.calgw.write("calendars/new/o.ics", event("o", "Ours"))
    other.makesIt(afterLooks: looks, on: world.model)
    _ = try await world.sync()
    #expect(world.model.calendarPaths.count == 3)
    #expect(world.there(Self.path("new")) == ["t-new"])
  }
}
