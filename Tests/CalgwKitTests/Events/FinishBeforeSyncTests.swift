import CalgwKit
import SyncModel
import TestSupport
import Testing

/// What a killed event command left is settled by whoever comes next on that folder.
struct FinishBeforeSyncTests {
  private let folder: TemporaryFolder
  private let gateway: Gateway
  private let pair: PairConfiguration

  init() throws {
    folder = try TemporaryFolder()
    pair = PairConfiguration(
      name: "own", local: .directory(folder.path + "/cal"),
      remote: .directory(folder.path + "/copy"))
    let configuration = Configuration(
      file: nil, stateDirectory: folder.path + "/state", accounts: [], pairs: [pair])
    gateway = try Gateway(configuration, environment: .home, signals: nil)
    try folder.write("cal/work/old.ics", String(decoding: SplitWorld.old, as: UTF8.self))
  }

  private func text(_ name: String) throws -> [UInt8] {
    try readInput(folder.path + "/" + name)
  }

  /// As it is when the command is killed after the first of its two writes.
  private func leaveHalfDone() async throws {
    let memory = try await EditMemory.open(gateway.configuration, .live)
    let journal: any Journal = try await memory.journal(
      of: Array(realPath(of: folder.path + "/cal/work").utf8))
    let replaced = HistoryEntry(
      time: Surroundings.live.now(), uid: ItemID("old"), side: .local, action: .replaced,
      reason: "split",
      href: Href("old.ics"), before: sha256(SplitWorld.old), after: sha256(SplitWorld.shortened))
    _ = try await journal.begin(
      SplitWorld.changes.map { $0.intent(sha256) }, history: [replaced],
      contents: SplitWorld.changes.flatMap { $0.contents(sha256) })
    await memory.close()
    try folder.write("cal/work/new.ics", String(decoding: SplitWorld.new, as: UTF8.self))
  }

  @Test func `without a state directory nothing is begun, and the mend is said`() async throws {
    let homeless = Configuration(file: nil, stateDirectory: "", accounts: [], pairs: [pair])
    let failure = await #expect(throws: RunFailure.self) {
      _ = try await EditMemory.open(homeless, .live)
    }
    #expect(failure?.status == .configuration)
    #expect(failure?.hint.contains("set HOME") == true)
  }

  @Test func `a sync finishes it before it looks, and says so`() async throws {
    try await leaveHalfDone()
    let report = await gateway.sync(PairTarget(pair: pair), RunOptions())
    #expect(report.status == .success)
    #expect(
      report.notices == ["finished an edit of old in own/work that was interrupted"])
    #expect(try text("cal/work/old.ics") == SplitWorld.shortened)
    #expect(try text("copy/work/old.ics") == SplitWorld.shortened)
    #expect(try text("copy/work/new.ics") == SplitWorld.new)
    #expect(await gateway.sync(PairTarget(pair: pair), RunOptions()).notices == [])
  }

  @Test func `a dry run leaves it as it is`() async throws {
    try await leaveHalfDone()
    var options = RunOptions()
    options.isDryRun = true
    let report = await gateway.sync(PairTarget(pair: pair), options)
    #expect(report.notices == [])
    #expect(try text("cal/work/old.ics") == SplitWorld.old)
  }

  @Test func `another event command on the folder finishes it too`() async throws {
    try await leaveHalfDone()
    var request = NewEventRequest(summary: "Lunch", start: "2026-07-01 12:00")
    request.zone = "Europe/Vienna"
    _ = try await gateway.new(request, in: "own/work", here: .local(.home))
    #expect(try text("cal/work/old.ics") == SplitWorld.shortened)
  }

  @Test func `while a command holds the edits a sync goes on without them`() async throws {
    try await leaveHalfDone()
    let memory = try await EditMemory.open(gateway.configuration, .live)
    let report = await gateway.sync(PairTarget(pair: pair), RunOptions())
    #expect(report.status == .success)
    #expect(try text("cal/work/old.ics") == SplitWorld.old)
    await memory.close()
  }

  @Test func `what an edit replaced is in the log, and nothing is left in the folder`() async throws
  {
    let item = try await gateway.findItem("old", in: nil)
    _ = try await gateway.replace(item, with: SplitWorld.shortened, isDryRun: false)
    #expect(folder.names(in: "cal/work") == ["old.ics"])
    let log = await gateway.log(of: ItemID("old"), withContent: true)
    #expect(log.versions.map(\.before?.bytes) == [SplitWorld.old])
    #expect(log.versions.map(\.pair) == ["own"])
    #expect(log.versions.map(\.collection) == ["work"])
  }
}
