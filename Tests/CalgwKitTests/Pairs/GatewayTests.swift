import CalgwKit
import Foundation
import Glibc
import SyncModel
import TestSupport
import Testing

/// Whole runs over two directories: what the composition adds to the engine.
@Suite struct GatewayTests {
  private typealias World = GatewayWorld

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
    let report = try await world.sync()
    #expect(report.collections.flatMap(\.problems).map(\.problem.code) == [.incomplete])
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
    #expect(report.notices.count == 1)
    #expect(world.folder.names(in: "elsewhere/work").count == 2)
    #expect(world.folder.names(in: "here/work").count == 2)
  }

  @Test func `two configurations with one state directory are told why deletions come back`()
    async throws
  {
    let one = try World()
    var two = one
    two.pair = "remote = { local = \"elsewhere\" }\n"
    for uid in ["a", "b", "c", "d"] { try one.write("here/work/\(uid).ics", uid) }
    try two.write("elsewhere/work/a.ics", "a")
    #expect(try await one.sync().notices == [])
    let words = "copy/work is another place than in the last run"
    let other = try await two.sync()
    #expect(other.notices.contains { $0.hasPrefix(words) }, "\(other.notices)")
    try one.remove("here/work/a.ics")
    let again = try await one.sync()
    #expect(again.notices.contains { $0.hasPrefix(words) }, "\(again.notices)")
    #expect(one.folder.names(in: "here/work").count == 4, "it came back")
    #expect(try await one.sync().notices == [])
  }

  @Test func `status shows no deletion that a sync would not do`() async throws {
    let world = try World()
    for uid in ["a", "b", "c", "d"] { try world.write("here/work/\(uid).ics", uid) }
    #expect(try await world.sync().status == .success)
    // Saved under another name, and not to its end.
    try world.remove("here/work/a.ics")
    try world.folder.write("here/work/new.ics", String(World.event("a", "Event").prefix(100)))
    let items = try await world.status().items
    #expect(items.map(\.item.file?.text) == ["new.ics"])
    #expect(items.map(\.problem?.code) == [.incomplete])
    #expect(try await world.sync().status == .attention)
    #expect(world.folder.names(in: "there/work").count == 4)
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
    var lock: PairLock? = try await gateway.opener.lock(pair, LockWait())
    let report = try await world.sync()
    #expect(report.status == .tryLater)
    #expect(report.failure?.why.contains("\(getpid())") == true)
    #expect(report.failure?.hint.contains("--wait") == true)
    #expect(world.folder.names(in: "there") == [])
    #expect(!world.folder.names(in: "state").contains("copy.sqlite"))
    #expect(try await world.sync { $0.isDryRun = true }.status == .success)
    #expect(try await world.status().failures.isEmpty)
    async let waiting = world.sync { $0.patience = .seconds(60) }
    let copies = try InheritedDescriptors(of: world.folder.path + "/state/copy.lock")
    #expect(!copies.numbers.isEmpty)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try await waiting.status == .success)
    withExtendedLifetime(copies) {}
    #expect(world.folder.names(in: "there/work").count == 1)
    #expect(world.folder.names(in: "state").contains("copy.sqlite"))
  }

  /// `file` is there, `nothing` is not.
  @Test(arguments: ["file", "nothing"])
  func `a lock file that is a link is refused, and what it leads to is left alone`(target: String)
    async throws
  {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    try world.folder.write("file", "mine")
    try world.folder.write("state/readme", "")
    let lock = world.folder.path + "/state/copy.lock"
    #expect(symlink(world.folder.path + "/" + target, lock) == 0)
    let report = try await world.sync()
    #expect(report.status == .cannotCreate)
    #expect(report.failure?.message.contains("state/copy.lock") == true)
    #expect(try world.text("file") == "mine")
    #expect(world.folder.names() == ["file", "here", "state"])
    #expect(unlink(lock) == 0)
    #expect(try await world.sync().status == .success)
  }

  @Test(arguments: [
    (StopReason.interrupted, CalgwKit.ExitStatus.interrupted), (.terminated, .terminated),
    (.hungUp, .hungUp),
  ])
  func `who waits for a lock and is told to stop says that, and not that it is held`(
    reason: StopReason, status: CalgwKit.ExitStatus
  ) async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    let gateway = try world.gateway(StopSignals(told: reason))
    let pair = try #require(gateway.configuration.pairs.first)
    let lock = try await gateway.opener.lock(pair, LockWait())
    defer { withExtendedLifetime(lock) {} }
    var options = RunOptions()
    options.patience = .seconds(15)
    let target = try #require(try gateway.targets([]).first)
    #expect(await gateway.sync(target, options).status == status)
  }

  @Test func `what a signal leaves out gives the signal's status and no success`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    let gateway = try world.gateway(StopSignals(told: .terminated))
    let diff = try await gateway.diff([], fromRemote: false)
    #expect(diff.failures.map(\.status) == [.terminated])
    let pruned = await gateway.pruneLog(isDryRun: true, patience: .zero)
    #expect(pruned.failures.map(\.status) == [.terminated])
    let failure = await #expect(throws: RunFailure.self) {
      try await gateway.standing(of: "a")
    }
    #expect(failure?.status == .terminated)
  }

  @Test func `a vdir of two pairs is locked by the one that runs`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a")
    #expect(try await world.sync().status == .success)
    let descriptor = open(world.folder.path + "/here/work", O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try world.write("here/work/b.ics", "b")
    #expect(try await world.sync().status == .tryLater)
    #expect(world.folder.names(in: "there/work").count == 1)
  }

  /// PITFALLS E2.14
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
