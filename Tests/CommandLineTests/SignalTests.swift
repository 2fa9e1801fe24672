import Foundation
import Glibc
import TestSupport
import Testing

/// Signals while a write is on its way to a server. Those at other times are in `OutputTests`,
/// `HookTests` and `TerminalTests`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SignalTests {
  /// A folder with events, and a server that stores them and answers once the gate is open.
  private struct World {
    let model: ModelServer
    let server: ScriptedServer
    let calgw: CommandLine
    let gate: Gate
    private let writes = DispatchSemaphore(value: 0)

    init(events: Int = 1) throws {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      model.makeCalendar("work")
      let gate = try Gate()
      let writes = self.writes
      server = try ScriptedServer { request in
        let steps = model.steps(for: request)
        guard request.method == "PUT" else { return steps }
        let waiting: [ServerStep] = [.run { writes.signal() }, .wait(gate)]
        return waiting + steps
      }
      self.model = model
      self.gate = gate
      calgw = try CommandLine()
      try calgw.configure(server: server.url)
      for name in ["a"] + (1..<events).map({ "b\($0)" }) {
        try calgw.write("calendars/work/\(name).ics", event(name, "Dentist"))
      }
    }

    /// Starts a sync, does something when the server has an event and keeps that to itself, and
    /// waits for the sync's end. All on one thread: a test that waits among many may be resumed
    /// after calgw has given up waiting for an answer.
    func sync(
      whileWriting act: @escaping @Sendable (RunningProgram, pid_t) -> Void
    ) async throws -> CommandLine.Run {
      let program = try calgw.start(["sync"])
      let (writes, lock) = (self.writes, calgw.home + "/state/calgw/p.lock")
      let run = await onOwnThread { () -> CommandLine.Run? in
        // In less than the suite's limit: a program that fails writes nothing.
        guard writes.wait(timeout: .now() + .seconds(240)) == .success,
          let holder = try? String(contentsOfFile: lock, encoding: .utf8),
          let pid = pid_t(holder.prefix { $0 != "\n" })
        else { return nil }
        act(program, pid)
        return program.finish()
      }
      return try #require(run, "nothing was written, or no lock says by whom")
    }

    /// The journal says that both sides agree.
    func isRecorded() async throws -> Bool {
      try await calgw("status", "--offline", "--exit-code").status == 0
    }

    /// The next run finds the event on both sides, and leaves it as it is.
    func expectOrder() async throws {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == "p/work: nothing to do\n")
      #expect(model.count("PUT") == 1, "it is not sent again")
      #expect(model.items(in: "/calendars/alice/work/").count == 1)
      let folder = calgw.home + "/calendars/work"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.ics"])
      #expect(try await isRecorded())
    }
  }

  @Test(
    arguments: [
      (SIGINT, SIGINT), (SIGTERM, SIGTERM), (SIGHUP, SIGHUP), (SIGINT, SIGTERM),
    ] as [(Int32, Int32)])
  func `a second signal ends at once what waits for a server`(
    first: Int32, second: Int32
  ) async throws {
    let world = try World()
    let run = try await world.sync { program, pid in
      program.send(first)
      waitUntilNoted(first, by: pid)
      program.send(second)
    }
    #expect(run.status == 128 + second)
    // A run that ends by itself, after the grace of its first signal, has words for it.
    #expect(run.errors.isEmpty && run.output.isEmpty, "\(run.errors)")
    #expect(try await !world.isRecorded(), "nobody knows yet what became of it")
    world.gate.open()
    try await world.expectOrder()
    world.server.stop()
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a write that is on its way when a signal comes is waited for and recorded`(
    signal: Int32, status: Int32
  ) async throws {
    let world = try World()
    let gate = world.gate
    let run = try await world.sync { program, pid in
      program.send(signal)
      waitUntilNoted(signal, by: pid)
      gate.open()
    }
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("what was done is recorded"), "\(run.errors)")
    #expect(try await world.isRecorded())
    try await world.expectOrder()
    world.server.stop()
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `of many writes those that were not sent when a signal comes wait for the next run`(
    signal: Int32, status: Int32
  ) async throws {
    let world = try World(events: 40)
    let gate = world.gate
    let run = try await world.sync { program, pid in
      program.send(signal)
      waitUntilNoted(signal, by: pid)
      gate.open()
    }
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.matches(of: /what was done is recorded/).count == 1, "\(run.errors)")
    #expect((1...4).contains(world.model.count("PUT")), "those that were on their way")
    let next = try await world.calgw("sync")
    #expect(next.status == 0, "\(next.errors)")
    #expect(world.model.count("PUT") == 40, "none is sent twice")
    #expect(world.model.items(in: "/calendars/alice/work/").count == 40)
    #expect(try await world.isRecorded())
    world.server.stop()
  }
}

/// Comes back when the process has taken a signal that was sent to it: as long as it waits to be
/// taken, another of its kind is lost.
private func waitUntilTaken(_ signal: Int32, by pid: pid_t) {
  while pendingSignals(of: pid) >> UInt64(signal - 1) & 1 == 1 { sched_yield() }
}

/// Comes back when the handler of a signal has run, in a process of which all threads wait: the one
/// that takes the signal runs until the handler is done.
private func waitUntilNoted(_ signal: Int32, by pid: pid_t) {
  waitUntilTaken(signal, by: pid)
  while isRunning(pid) { sched_yield() }
}

/// Some thread of the process runs, or could (proc(5), the third field of `stat`).
private func isRunning(_ pid: pid_t) -> Bool {
  let tasks = "/proc/\(pid)/task"
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
  return threads.contains { thread in
    let stat = FileManager.default.contents(atPath: "\(tasks)/\(thread)/stat") ?? Data()
    // The name before it may have spaces and brackets.
    let rest = String(decoding: stat, as: UTF8.self).split(separator: ")").last ?? ""
    return rest.hasPrefix(" R")
  }
}

/// The set of the signals that wait for the process, signal 1 as the lowest bit; none where it has
/// ended.
private func pendingSignals(of pid: pid_t) -> UInt64 {
  let file = open("/proc/\(pid)/status", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = read(file, &bytes, bytes.count)
  let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  let digits = lines.first { $0.hasPrefix("ShdPnd:\t") }?.dropFirst("ShdPnd:\t".count) ?? ""
  return UInt64(digits, radix: 16) ?? 0
}
