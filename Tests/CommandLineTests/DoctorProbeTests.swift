import Foundation
import Glibc
import TestSupport
import Testing

/// `doctor --write` where something goes wrong with what it tries.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DoctorProbeTests {
  private let doctor: DoctorRuns
  private let model: ModelServer

  init() throws {
    doctor = try DoctorRuns()
    model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
  }

  /// The model, some of whose answers are replaced.
  private func server(
    _ steps: @escaping @Sendable (ReceivedRequest, ModelServer) -> [ServerStep]?
  ) throws -> ScriptedServer {
    let model = model
    let server = try ScriptedServer { steps($0, model) ?? model.steps(for: $0) }
    try doctor.configure(server.url)
    return server
  }

  private func probe(_ found: DoctorRuns.Findings) -> [DoctorRuns.Line] {
    found.lines.filter { $0.step == "probe" }
  }

  @Test(arguments: [(403, 77), (500, 76), (502, 69), (507, 74)] as [(Int, Int32)])
  func `an event that is refused is told by the kind of the answer`(
    answer: Int, status: Int32
  ) async throws {
    let server = try server { request, _ in request.method == "PUT" ? [.answer(answer)] : nil }
    let found = try await doctor.findings("--write")
    #expect(found.status == status)
    let failed = probe(found).filter { $0.result == "failed" }
    #expect(failed.map(\.status) == [Int(status)], "\(failed)")
    #expect(failed.first?.message.contains("the server answered \(answer)") == true, "\(failed)")
    #expect(server.requests.last?.method == "DELETE")
  }

  @Test func `an error shows nothing, and is told as what it is`() async throws {
    let server = try server { request, _ in
      switch (request.method, request.header("If-Match")) {
      case ("PUT", .some), ("GET", _): [.answer(500)]
      default: nil
      }
    }
    let found = try await doctor.findings("--write")
    #expect(found.status == 0)
    let warned = probe(found).filter { $0.result == "warning" }.map(\.message)
    #expect(warned.count == 1, "\(warned)")
    for words in ["stored as they are sent (the server answered 500)", "(If-Match) (the server"] {
      #expect(warned.first?.contains(words) == true, "\(warned)")
    }
    #expect(!probe(found).contains { $0.message.contains("the server takes") })
    #expect(!probe(found).contains { $0.message.contains("stored otherwise") })
    #expect(server.requests.last?.method == "DELETE")
  }

  @Test func `a server that shows late what it took is told to do so, and nothing else of it`()
    async throws
  {
    let clock = ModelClock()
    var switches = ModelSwitches()
    switches.lag = 30_000
    switches.writeLag = 30_000
    let late = ModelServer(switches, surroundings: clock.surroundings)
    let server = try ScriptedServer { request in
      let steps = late.steps(for: request)
      // By the next look it shows.
      if request.method == "GET" { clock.advance(milliseconds: 60_000) }
      return steps
    }
    try doctor.configure(server.url)
    let found = try await doctor.findings("--write")
    #expect(found.status == 0)
    let warned = probe(found).filter { $0.result == "warning" }
    #expect(
      warned.map(\.message) == [
        "what is written shows late: the event could be read only after 1 second and was listed"
          + " only after 1 second"
      ], "\(probe(found))")
    #expect(warned.first?.hint == "a change made on another device may come with a later sync")
    #expect(probe(found).contains { $0.message == "events are stored as they are sent" })
    server.stop()
  }

  @Test func `a calendar that nobody said to be made is named where it may be left`()
    async throws
  {
    let server = try server { request, model in
      switch request.method {
      case "MKCALENDAR":
        _ = model.steps(for: request)
        return [.reset]
      case "DELETE": return [.answer(403)]
      default: return nil
      }
    }
    let found = try await doctor.findings("--write")
    #expect(found.status == 69)
    let failed = probe(found).filter { $0.result == "failed" }
    #expect(failed.map(\.status) == [69, 1], "\(failed)")
    let left = failed.last?.message ?? ""
    let home = String(server.url.dropLast()) + ModelServer.homePath
    #expect(left.contains("may be left at \(home)calgw-doctor-"), "\(left)")
    #expect(failed.last?.hint.contains("remove it") == true)
  }

  @Test func `a calendar that the server calls otherwise is left alone, and named`() async throws {
    model.change { switches in
      switches.choosesCalendarNames = true
      switches.locatesCalendars = true
      switches.newCalendar = ("Untitled", nil)
    }
    let server = try server { _, _ in nil }
    let found = try await doctor.findings("--write")
    #expect(found.status == 76)
    let failed = probe(found).filter { $0.result == "failed" }
    #expect(failed.map(\.status) == [76, 1], "\(failed)")
    #expect(failed.first?.message.contains("“Untitled”") == true, "\(failed)")
    let left = failed.last?.message ?? ""
    #expect(left.contains("was not removed, since it may not be the one"), "\(left)")
    #expect(failed.last?.hint.contains("remove it there if nobody uses it") == true)
    let removed = server.requests.filter { $0.method == "DELETE" }.map(\.target)
    #expect(removed.allSatisfy { $0.contains("/calgw-doctor-") }, "\(removed)")
    #expect(!server.requests.contains { $0.method == "PUT" })
    #expect(model.calendarPaths.count == 2)
    try await expectTakenBySyncs(failed.last, on: server)
    server.stop()
  }

  /// A sync takes what was left, unless the hint is followed.
  private func expectTakenBySyncs(
    _ told: DoctorRuns.Line?, on server: ScriptedServer
  ) async throws {
    let made = try #require(model.calendarPaths.first { $0 != ModelServer.homePath + "work/" })
    let id = String(made.dropFirst(ModelServer.homePath.count).dropLast())
    let hint = told?.hint ?? ""
    #expect(hint.contains("unless \"!\(id)\" is in the pair's `collections`"), "\(hint)")
    #expect(!hint.contains("no sync takes it"), "\(hint)")
    for (keys, isTaken) in [("collections = [\"!\(id)\"]", false), ("", true)] {
      try doctor.configure(server.url, pairKeys: keys)
      let run = try await doctor.calgw.run(["sync"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(doctor.calgw.exists("calendars/\(id)") == isTaken, "\(run.output)")
    }
  }

  @Test func `one that stays and that the server calls otherwise is said to be synced`()
    async throws
  {
    model.change { $0.newCalendar = ("Untitled", nil) }
    let server = try server { request, _ in request.method == "DELETE" ? [.answer(403)] : nil }
    let found = try await doctor.findings("--write")
    #expect(found.status == 1)
    let failed = probe(found).filter { $0.result == "failed" }
    #expect(failed.count == 1, "\(failed)")
    try await expectTakenBySyncs(failed.first, on: server)
    server.stop()
  }

  @Test(arguments: [[], ["--write"]] as [[String]])
  func `what somebody uses of what a probe left is named, with the mend`(
    arguments: [String]
  ) async throws {
    let path = ModelServer.homePath + "calgw-doctor-0a1b2c3d/"
    model.makeCalendar("calgw-doctor-0a1b2c3d", components: ["VEVENT"])
    model.put("e.ics", event("choir", "Choir"), in: path)
    let server = try server { _, _ in nil }
    let run = try await doctor.calgw.run(["doctor"] + arguments)
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("\(path) has the name of one"), "\(run.output)")
    #expect(model.names(in: path).count == 1)
    // Written out it is a calendar as any other.
    try doctor.configure(
      server.url, pairKeys: "collections = [\"work\", \"calgw-doctor-0a1b2c3d\"]")
    let named = try await doctor.calgw.run(["doctor"] + arguments)
    #expect(named.status == 0, "\(named.output)")
    server.stop()
  }

  @Test func `what a probe had to leave is told by one sync, and not taken`() async throws {
    model.makeCalendar("calgw-doctor-0a1b2c3d", components: ["VEVENT"])
    let server = try server { _, _ in nil }
    for isFirst in [true, false] {
      let run = try await doctor.calgw.run(["sync"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("calgw-doctor-0a1b2c3d") == isFirst, "\(run.errors)")
    }
    #expect(!doctor.calgw.exists("calendars/calgw-doctor-0a1b2c3d"))
    server.stop()
  }

  @Test(arguments: [(500, 76), (502, 69), (507, 74)] as [(Int, Int32)])
  func `a server that fails to make a calendar is not said to make none`(
    answer: Int, status: Int32
  ) async throws {
    let server = try server { request, _ in
      request.method.hasPrefix("MK") ? [.answer(answer)] : nil
    }
    let found = try await doctor.findings("--write")
    #expect(found.status == status)
    let line = try #require(probe(found).first)
    #expect(line.result == "failed")
    #expect(line.message.contains("the server answered \(answer)"), "\(line.message)")
    server.stop()
  }

  @Test func `a server that forbids calendars is at no fault`() async throws {
    let server = try server { request, _ in
      request.method.hasPrefix("MK") ? [.answer(403)] : nil
    }
    let found = try await doctor.findings("--write")
    #expect(found.status == 0)
    let line = try #require(probe(found).first)
    #expect(line.result == "warning")
    #expect(line.message.contains("could be made there"), "\(line.message)")
    #expect(line.message.contains("the server answered 403"), "\(line.message)")
    #expect(!server.requests.contains { $0.method == "DELETE" })
    server.stop()
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal leaves out what was not tried yet, and the calendar is removed`(
    signal: Int32, status: Int32
  ) async throws {
    let gate = try Gate()
    let writes = DispatchSemaphore(value: 0)
    let server = try server { request, model in
      guard request.method == "PUT" else { return nil }
      // The answer never comes: what hangs is given up after a while.
      let waiting: [ServerStep] = [.run { writes.signal() }, .wait(gate)]
      return waiting + model.steps(for: request)
    }
    let program = try doctor.calgw.start(["doctor", "--write"])
    // On that thread: a test that waits among many may be resumed after calgw has given up.
    let run = await onOwnThread { () -> CommandLine.Run in
      _ = writes.wait(timeout: .now() + .seconds(240))
      program.send(signal)
      return program.finish()
    }
    gate.open()
    #expect(run.status == status)
    #expect(run.errors.contains("the rest was not looked at"), "\(run.errors)")
    #expect(!run.errors.contains("recorded"), "\(run.errors)")
    #expect(run.output.contains("skipped probe: not looked at to the end"), "\(run.output)")
    #expect(run.output.contains("ok      probe: the calendar is removed again"), "\(run.output)")
    let methods = server.requests.map(\.method)
    let put = try #require(methods.firstIndex(of: "PUT"))
    #expect(methods[(put + 1)...] == ["DELETE", "DELETE"])
    server.stop()
  }
}
