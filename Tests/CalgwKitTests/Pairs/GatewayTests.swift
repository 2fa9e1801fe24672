import Foundation
import Glibc
import SyncModel
import Testing

@testable import CalgwKit

/// Whole runs over two directories: what the composition adds to the engine.
@Suite struct GatewayTests {
  /// Two directories, a state directory and a configuration over them.
  private struct World {
    let folder: TemporaryFolder
    var pair = "remote = { local = \"there\" }\n"

    init() throws { folder = try TemporaryFolder() }

    func gateway(_ signals: StopSignals? = nil) throws -> Gateway {
      let text = "state_dir = \"state\"\n[pair.copy]\nlocal = \"here\"\n" + pair
      let configuration = try Configuration.parse(
        text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
      return try Gateway(configuration, environment: .home, signals: signals)
    }

    func sync(_ arguments: String..., change: (inout RunOptions) -> Void = { _ in })
      async throws -> PairReport
    {
      let gateway = try gateway()
      var options = RunOptions()
      change(&options)
      let target = try #require(try gateway.targets(arguments).first)
      return await gateway.sync(target, options)
    }

    func status(offline: Bool = false) async throws -> StatusReport {
      let gateway = try gateway()
      return await gateway.status(try #require(try gateway.targets([]).first), offline: offline)
    }

    @discardableResult
    func write(_ name: String, _ uid: String, _ summary: String = "Event") throws -> String {
      try folder.write(name, event(uid, summary))
    }

    func remove(_ name: String) throws {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }

    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }
  }

  @Test func `folders are made on the other side, with name and colour`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    try world.folder.write("here/empty-but-named/displayname", "Named")
    try world.folder.write("here/empty-but-named/color", "#aabbcc")
    try world.write("there/far/b.ics", "b")
    let report = try await world.sync()
    #expect(report.status == .success)
    #expect(report.collections.map(\.name) == ["empty-but-named", "far", "work"])
    #expect(world.folder.names(in: "there/work").count == 1)
    #expect(world.folder.names(in: "here/far").count == 1)
    #expect(try world.text("there/empty-but-named/displayname") == "Named")
    #expect(try world.text("there/empty-but-named/color") == "#aabbcc")
  }

  @Test func `a folder without a valid item, or hidden, gets no counterpart`() async throws {
    let world = try World()
    try world.folder.write("here/empty/readme.txt", "x")
    try world.folder.write("here/broken/a.ics", "BEGIN:VCALENDAR\r\n")
    try world.write("here/.hidden/a.ics", "a")
    try FileManager.default.createDirectory(
      atPath: world.folder.path + "/there", withIntermediateDirectories: true)
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "there") == [])
  }

  @Test func `pull makes nothing there, push makes nothing here`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    try world.write("there/far/b.ics", "b")
    #expect(try await world.sync { $0.direction = .pull }.status == .success)
    #expect(world.folder.names(in: "there") == ["far"])
    #expect(world.folder.names(in: "here") == ["far", "work"])
    try world.write("there/farther/c.ics", "c")
    #expect(try await world.sync { $0.direction = .push }.status == .success)
    #expect(world.folder.names(in: "there") == ["far", "farther", "work"])
    #expect(world.folder.names(in: "here") == ["far", "work"])
  }

  @Test func `a dry run makes nothing and says what it would`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    let report = try await world.sync { $0.isDryRun = true }
    #expect(report.status == .success)
    #expect(report.collections.first?.pushed.created == 1)
    #expect(world.folder.names() == ["here"])
  }

  @Test func `a counterpart that is gone is a problem until it is forgotten`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    try world.remove("there/work")
    let report = try await world.sync()
    #expect(report.status == .attention)
    let problem = try #require(report.collections.first?.problems.first?.problem)
    #expect(problem.code == .collectionGone)
    #expect(problem.hint.contains("calgw forget copy/work"))
    #expect(world.folder.names(in: "there") == [])
    #expect(try await world.status().items.first?.problem?.code == .collectionGone)

    let gateway = try world.gateway()
    let target = try #require(try gateway.targets(["copy/work"]).first)
    #expect(try await gateway.forget(target, patience: .zero) == ["work"])
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "there/work").count == 1)
  }

  @Test func `a folder that has vanished is an error and no deletion`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    try world.remove("here/work")
    let report = try await world.sync()
    #expect(report.status == .io)
    #expect(report.failures.first?.message.contains("here/work is gone") == true)
    try world.remove("here")
    #expect(try await world.sync().status == .io)
    #expect(world.folder.names(in: "there/work").count == 1)
  }

  @Test func `a folder that was put in another's place starts anew and deletes nothing`()
    async throws
  {
    let world = try World()
    for uid in ["a", "b", "c"] { try world.write("here/work/\(uid).ics", uid) }
    #expect(try await world.sync().status == .success)
    // The old one stays, so that its inode is not given away again.
    try FileManager.default.moveItem(
      atPath: world.folder.path + "/here/work", toPath: world.folder.path + "/aside")
    try world.write("here/work/d.ics", "d")
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "there/work").count == 4)
    #expect(world.folder.names(in: "here/work").count == 4)
  }

  @Test func `one collection alone, and one that is not there`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    try world.write("here/home/b.ics", "b")
    let report = try await world.sync("copy/work")
    #expect(report.collections.map(\.name) == ["work"])
    #expect(world.folder.names(in: "there") == ["work"])
    let wrong = try await world.sync("copy/wrk")
    #expect(wrong.status == .usage)
    #expect(wrong.failure?.hint == "did you mean \"work\"?")
  }

  @Test func `the one collection of two folders`() async throws {
    var world = try World()
    world.pair += "calendar = \".\"\n"
    try world.write("here/a.ics", "a")
    try world.write("there/b.ics", "b")
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here") == ["a.ics", "b.ics"])
    #expect(world.folder.names(in: "there").count == 2)
  }

  @Test func `a pair that was pointed elsewhere meets it as for the first time`() async throws {
    var world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    world.pair = "remote = { local = \"elsewhere\" }\n"
    try world.write("elsewhere/work/b.ics", "b")
    let report = try await world.sync()
    #expect(report.status == .success)
    #expect(world.folder.names(in: "elsewhere/work").count == 2)
    #expect(world.folder.names(in: "here/work").count == 2)
  }

  @Test func `status says what each side did, and offline what this one did`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a", "Old")
    try world.write("here/work/b.ics", "b")
    #expect(try await world.sync().status == .success)
    #expect(try await world.status().items.isEmpty)
    try world.write("here/work/a.ics", "a", "New title")
    let there = try #require(world.folder.names(in: "there/work").first { $0.contains("b") })
    try world.remove("there/work/\(there)")
    let both = try await world.status()
    #expect(both.failures.isEmpty)
    let changes = both.items.map { "\($0.item.uid?.text ?? "") \($0.local) \($0.remote)" }
    #expect(changes.sorted() == ["a updated unchanged", "b unchanged deleted"])
    let offline = try await world.status(offline: true).items
    #expect(offline.map { "\($0.item.uid?.text ?? "") \($0.local)" } == ["a updated"])
  }

  @Test func `a replaced version comes back on both sides`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a", "First")
    #expect(try await world.sync().status == .success)
    try world.write("here/work/a.ics", "a", "Second")
    #expect(try await world.sync().status == .success)
    let gateway = try world.gateway()
    let log = await gateway.log(uid: "a", withContent: true)
    let version = try #require(log.versions.first)
    #expect(version.entry.side == .remote)
    #expect(
      version.before.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("First") == true)
    let dry = try await gateway.restore(version.id, isDryRun: true, patience: .zero)
    #expect(dry.status == .success)
    #expect(try world.text("here/work/a.ics").contains("Second"))
    let report = try await gateway.restore(version.id, isDryRun: false, patience: .zero)
    #expect(report.status == .success)
    #expect(try world.text("here/work/a.ics").contains("First"))
    let there = try #require(world.folder.names(in: "there/work").first)
    #expect(try world.text("there/work/\(there)").contains("First"))
    #expect(await gateway.log(uid: "a", withContent: false).versions.count > log.versions.count)
  }

  @Test(arguments: ["x", "copy/x", "copy/1/2", "", "/"])
  func `what is no version's id is status 64`(id: String) async throws {
    let gateway = try World().gateway()
    let failure = await #expect(throws: RunFailure.self) {
      try await gateway.restore(id, isDryRun: false, patience: .zero)
    }
    #expect(failure?.status == .usage)
  }

  @Test func `a direction that the pair does not have is status 64`() throws {
    var world = try World()
    world.pair += "direction = \"pull\"\n"
    let gateway = try world.gateway()
    #expect(try gateway.targets([], for: .pull).count == 1)
    #expect(try gateway.targets([], for: .both).count == 1)
    let failure = #expect(throws: RunFailure.self) { try gateway.targets([], for: .push) }
    #expect(failure?.status == .usage)
  }

  @Test func `a pair whose lock is held is status 75, and waiting helps`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    let gateway = try world.gateway()
    let pair = try #require(gateway.configuration.pairs.first)
    let watch = StopWatch(signals: nil)
    var lock: PairLock? = try await gateway.opener.lock(pair, patience: .zero, watch: watch)
    let report = try await world.sync()
    #expect(report.status == .tryLater)
    #expect(report.failure?.why.contains("\(getpid())") == true)
    #expect(report.failure?.hint.contains("--wait") == true)
    #expect(try await world.sync { $0.isDryRun = true }.status == .success)
    #expect(try await world.status().failures.isEmpty)
    async let waiting = world.sync { $0.patience = .seconds(60) }
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try await waiting.status == .success)
  }

  @Test(arguments: [
    (StopReason.interrupted, ExitStatus.interrupted), (.terminated, .terminated),
    (.hungUp, .hungUp),
  ])
  func `who waits for a lock and is told to stop says that, and not that it is held`(
    reason: StopReason, status: ExitStatus
  ) async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    let gateway = try world.gateway(StopSignals(told: reason))
    let pair = try #require(gateway.configuration.pairs.first)
    let lock = try await gateway.opener.lock(
      pair, patience: .zero, watch: StopWatch(signals: nil))
    defer { withExtendedLifetime(lock) {} }
    var options = RunOptions()
    options.patience = .seconds(15)
    let target = try #require(try gateway.targets([]).first)
    #expect(await gateway.sync(target, options).status == status)
  }

  @Test func `a vdir of two pairs is locked by the one that runs`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    let descriptor = open(world.folder.path + "/here/work", O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try await world.sync().status == .tryLater)
  }

  @Test func `the state is its owner's alone`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    for name in ["state"] + world.folder.names(in: "state").map({ "state/" + $0 }) {
      let path = world.folder.path + "/" + name
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? Int ?? 0o777) & 0o077 == 0, "\(name)")
    }
  }
}

private func event(_ uid: String, _ summary: String) -> String {
  [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:\(uid)",
    "DTSTAMP:20260101T000000Z", "DTSTART:20260105T100000Z", "SUMMARY:\(summary)", "END:VEVENT",
    "END:VCALENDAR", "",
  ].joined(separator: "\r\n")
}
