import Foundation
import TestSupport
import Testing

/// An account whose calendars are in two homes, mostly each on a host of its own.
@Suite struct TwoHomesTests {
  private let own: ModelServer
  private let shared: ModelServer

  init() {
    func model(_ calendar: String) -> ModelServer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      model.makeCalendar(calendar)
      return model
    }
    own = model("work")
    shared = model("team")
  }

  /// A principal with a home on each of two servers.
  private static func homes(on servers: [ScriptedServer]) -> String {
    principalText(homes: servers.map { $0.url + ModelServer.homePath.dropFirst() })
  }

  /// An item in the folder of each home's calendar.
  private func saveBoth(_ title: String, _ calgw: CommandLine) throws {
    for name in ["team", "work"] {
      try calgw.write("calendars/\(name)/\(name).ics", event(name, title))
    }
  }

  @Test func `one that cannot be reached keeps nothing of the other one waiting`() async throws {
    let isDown = Switch()
    let (own, shared) = (own, shared)
    let first = try ScriptedServer { own.steps(for: $0) }
    let second = try ScriptedServer { isDown.isOn ? [.close] : shared.steps(for: $0) }
    let homes = Self.homes(on: [first, second])
    let front = try ScriptedServer { _ in
      [.answer(207, headers: ["Content-Type": "application/xml"], body: homes)]
    }
    let calgw = try CommandLine()
    let hosts = [first, second].map { "\"127.0.0.1:\($0.port)\"" }.joined(separator: ", ")
    try calgw.configure(server: front.url, account: "trusted_hosts = [\(hosts)]")
    try saveBoth("Title", calgw)
    #expect(try await calgw("sync").status == 0)
    isDown.turn(true)
    try saveBoth("Edited", calgw)
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains("p/work: up: 1 changed"), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("does not show all of its calendars"), "\(run.errors)")
    isDown.turn(false)
    #expect(try await calgw("sync").output == "p/team: up: 1 changed\np/work: nothing to do\n")
  }

  /// The first one is a shared mailbox whose backend is gone, say, behind the proxy of both.
  @Test(arguments: [502, 503])
  func `one that fails for good hides nothing of the other one on its server`(
    status: Int
  ) async throws {
    let own = own
    let broken = "/broken/"
    let homes = principalText(homes: [broken, ModelServer.homePath])
    let server = try ScriptedServer { request in
      switch request.target {
      case "/": [.answer(207, headers: ["Content-Type": "application/xml"], body: homes)]
      case broken: [.answer(status)]
      default: own.steps(for: request)
      }
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url)
    for (title, change) in [("Title", "new"), ("Edited", "changed")] {
      try calgw.write("calendars/work/work.ics", event("work", title))
      let run = try await calgw("sync")
      #expect(run.status == (status == 503 ? 75 : 0), "\(run.errors)")
      #expect(run.output.contains("p/work: up: 1 \(change)"), "\(run.output) \(run.errors)")
      #expect(run.errors.contains("does not show all of its calendars"), "\(run.errors)")
    }
  }

  /// The first server is asked for nothing that the second one delays.
  @Test(arguments: [429, 503])
  func `one that is to be asked later leaves the rest of the run as it is, which is not done`(
    status: Int
  ) async throws {
    let isBusy = Switch()
    let (own, shared) = (own, shared)
    let first = try ScriptedServer { own.steps(for: $0) }
    let second = try ScriptedServer { request in
      isBusy.isOn
        ? [.answer(status, headers: ["Retry-After": "86400"])] : shared.steps(for: request)
    }
    let homes = Self.homes(on: [first, second])
    let front = try ScriptedServer { _ in
      [.answer(207, headers: ["Content-Type": "application/xml"], body: homes)]
    }
    let calgw = try CommandLine()
    let hosts = [first, second].map { "\"127.0.0.1:\($0.port)\"" }.joined(separator: ", ")
    try calgw.configure(server: front.url, account: "trusted_hosts = [\(hosts)]")
    isBusy.turn(true)
    let early = try await calgw("sync")
    #expect(early.status == 75 && calgw.exists("calendars/work"), "\(early.errors)")
    isBusy.turn(false)
    try saveBoth("Title", calgw)
    #expect(try await calgw("sync").status == 0)

    isBusy.turn(true)
    try saveBoth("Edited", calgw)
    let run = try await calgw("sync")
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.output.contains("p/work: up: 1 changed"), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("does not show all of its calendars"), "\(run.errors)")
    #expect(run.errors.contains("(status \(status) of \(second.url)"), "\(run.errors)")
    #expect(run.errors.contains("try again in 24 hours, at "), "\(run.errors)")
    for command in ["status", "discover", "doctor"] {
      let look = try await calgw(command)
      #expect(look.status == 75, "\(command) \(look.output) \(look.errors)")
      let said = look.output + look.errors
      #expect(said.contains("does not show all of its calendars"), "\(command) \(said)")
      #expect(command == "status" || look.output.contains("work"), "\(command) \(said)")
      #expect(command != "doctor" || look.output.contains("ok      sign in"), "\(said)")
    }
    // All of it is there.
    let named = try await calgw("sync", "p/work")
    #expect(named.status == 0, "\(named.errors)")
    isBusy.turn(false)
    #expect(try await calgw("sync").output == "p/team: up: 1 changed\np/work: nothing to do\n")
  }
}
