import Foundation
import Glibc
import TestSupport
import Testing

/// Every problem as a script meets it: its code and a hint with status 1, whatever else there is
/// is synced, and it goes with its cause.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ProblemTests {
  /// A folder and, where it is no real server, what stands on the other side.
  struct Scene: Sendable {
    let sandbox: Sandbox
    var model: ModelServer?

    var file: String { "\(sandbox.path)/calendars/work/odd.ics" }

    func write(_ text: String, _ name: String = "odd.ics") throws {
      try sandbox.write("calendars/work/\(name)", text)
    }

    func remove(_ name: String = "odd.ics") throws {
      try sandbox.remove("calendars/work/\(name)")
    }

    func serve(_ text: String) {
      model?.put("odd.ics", text, in: ProblemTests.calendar)
    }
  }

  /// A problem of the item `odd`: what brings it about, and the mend.
  struct Trouble: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var cause: @Sendable (Scene) throws -> Void
    var mend: @Sendable (Scene) throws -> Void
    /// Of the server.
    var switches = ModelSwitches()
    /// Of the pair.
    var keys = ""

    init(
      _ code: String, cause: @escaping @Sendable (Scene) throws -> Void,
      mend: @escaping @Sendable (Scene) throws -> Void
    ) {
      testDescription = code
      (self.cause, self.mend) = (cause, mend)
    }

    /// The same before another server or in another pair.
    func with(_ change: (inout Trouble) -> Void) -> Trouble {
      var other = self
      change(&other)
      return other
    }
  }

  private static let calendar = "/calendars/alice/work/"
  private static let odd = Event.make("odd", "Odd")
  private static let todo = odd.replacing("VEVENT", with: "VTODO")
  /// 17 MiB, where 16 are taken.
  private static let huge = Event.make(
    "odd", "Odd", extra: "X-HUGE:" + String(repeating: "x", count: 17 << 20))

  static let ofFiles = [
    Trouble("incomplete") {
      try $0.write(String(odd.prefix(90)))
    } mend: {
      try $0.write(odd)
    },
    Trouble("unreadable") {
      try $0.write("<!DOCTYPE html><title>Sign in</title>")
    } mend: {
      try $0.write(odd)
    },
    Trouble("no-uid") {
      try $0.write(odd.replacing("UID:odd\r\n", with: ""))
    } mend: {
      try $0.write(odd)
    },
    Trouble("several-uids") {
      let other = Event.make("other", "Other").split(separator: "BEGIN:VEVENT").last ?? ""
      try $0.write(odd.replacing("END:VCALENDAR\r\n", with: "BEGIN:VEVENT" + other))
    } mend: {
      try $0.write(odd)
    },
    Trouble("duplicate-uid") {
      try $0.write(odd)
      try $0.write(odd.replacing("Odd", with: "Even"), "even.ics")
    } mend: {
      try $0.remove("even.ics")
    },
    Trouble("not-a-file") {
      mkdir($0.file, 0o700)
    } mend: {
      try $0.remove()
    },
    Trouble("too-large") {
      try $0.write(huge)
    } mend: {
      try $0.write(odd)
    },
  ]

  static let ofServers = [
    Trouble("broken-remote") {
      $0.serve(odd.replacing("Odd", with: "O\u{1}dd"))
    } mend: {
      $0.serve(odd)
    },
    Trouble("incomplete") {
      $0.serve(String(odd.prefix(90)))
    } mend: {
      $0.serve(odd)
    },
    Trouble("too-large") {
      try $0.write(Event.make("odd", "Odd", extra: String(repeating: "X-A:b\n", count: 500)))
    } mend: {
      try $0.write(odd)
    }.with { $0.switches.maxResourceSize = 2000 },
    Trouble("unsupported") {
      try $0.write(todo)
    } mend: {
      try $0.remove()
    }
    .with { $0.switches.enforcesComponents = true },
    Trouble("refused") {
      $0.model?.interfere { request in
        request.method == "PUT" ? .answer(403) : nil
      }
      try $0.write(odd)
    } mend: {
      $0.model?.interfere(nil)
      try $0.write(odd.replacing("Odd", with: "Even"))
    },
    Trouble("unguarded") {
      try $0.write(Event.make("agreed", "Edited"), "agreed.ics")
    } mend: { _ in
      // It was written, and that was said.
    }.with { $0.switches.tagForm = .weak },
    Trouble("read-only") {
      try $0.write(Event.make("agreed", "Edited"), "agreed.ics")
    } mend: {
      try $0.write(Event.make("agreed", "Agreed"), "agreed.ics")
    }.with { $0.keys = "read_only = true" },
  ]

  private func problems(_ run: Program.Run) throws -> [[String: Any]] {
    let collections = try #require(run.objects().first?["collections"] as? [[String: Any]])
    return collections.flatMap { $0["problems"] as? [[String: Any]] ?? [] }
  }

  /// Brings the trouble about and mends it; meanwhile an item that has none comes and is synced.
  private func meet(
    _ trouble: Trouble, _ scene: Scene, _ calgw: Program, addRest: () async throws -> Void,
    isRestSynced: () async throws -> Bool
  ) async throws {
    #expect(try await calgw("sync").status == 0)
    try trouble.cause(scene)
    try await addRest()
    let run = try await calgw("sync", "--json")
    #expect(run.status == 1, "\(run.errors.prefix(1000))")
    let told = try problems(run)
    #expect(Set(told.map { $0["code"] as? String }) == [trouble.testDescription], "\(told)")
    #expect(told.allSatisfy { ($0["hint"] as? String)?.isEmpty == false }, "\(told)")
    #expect(try await isRestSynced())

    try trouble.mend(scene)
    let mended = try await calgw("sync", "--json")
    #expect(mended.status == 0, "\(mended.output.prefix(1000)) \(mended.errors.prefix(1000))")
    #expect(try problems(mended).isEmpty)
    let status = try await calgw("status", "--exit-code")
    #expect(status.status == 0, "\(status.output.prefix(1000))")
  }

  @Test(arguments: ofFiles)
  func `a problem of a file is told, holds up nothing else, and goes with its cause`(
    trouble: Trouble
  ) async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("agreed.ics", Event.make("agreed", "Agreed"))
    try await meet(trouble, Scene(sandbox: pair.sandbox), pair.calgw) {
      try pair.write("rest.ics", Event.make("rest", "Rest"))
    } isRestSynced: {
      try await pair.remoteTexts()["rest"] != nil
    }
    await pair.server.stop()
  }

  @Test(arguments: ofServers)
  func `a problem of a server is told, holds up nothing else, and goes with its cause`(
    trouble: Trouble
  ) async throws {
    let model = ModelServer(trouble.switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", components: ["VEVENT"])
    model.put("agreed.ics", Event.make("agreed", "Agreed"), in: Self.calendar)
    let server = try ScriptedServer { model.steps(for: $0) }
    let sandbox = Sandbox()
    try sandbox.write(
      "config/calgw/config.toml",
      """
      [account.home]
      url = "\(server.url)"

      [pair.test]
      local = "~/calendars"
      remote = "home"
      \(trouble.keys)
      """)
    let scene = Scene(sandbox: sandbox, model: model)
    try await meet(trouble, scene, Program(sandbox: sandbox)) {
      model.put("rest.ics", Event.make("rest", "Rest"), in: Self.calendar)
    } isRestSynced: {
      sandbox.items(in: "calendars/work").contains { $0.contains("rest") }
    }
  }
}
