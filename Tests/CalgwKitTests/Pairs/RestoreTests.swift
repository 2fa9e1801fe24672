import CalgwKit
import Foundation
import SyncModel
import Testing

/// Versions of the log, and the way back.
@Suite struct RestoreTests {
  private typealias World = GatewayWorld

  @Test func `a replaced version comes back on both sides`() async throws {
    let world = try World()
    try world.write("here/work/a.ics", "a", "First")
    #expect(try await world.sync().status == .success)
    try world.write("here/work/a.ics", "a", "Second")
    #expect(try await world.sync().status == .success)
    let gateway = try world.gateway()
    let log = await gateway.log(of: ItemID("a"), withContent: true)
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
    let longer = await gateway.log(of: ItemID("a"), withContent: false)
    #expect(longer.versions.count > log.versions.count)
  }

  /// What is done after "Second" took the place of "First" on both sides, before the restore.
  enum Since: CaseIterable { case nothing, goneHere, goneThere, goneOnBoth, editedHere, backHere }

  @Test(arguments: Since.allCases)
  func `a dry run counts what the run does`(since: Since) async throws {
    let world = try World()
    for title in ["First", "Second"] {
      try world.write("here/work/a.ics", "a", title)
      // So that nothing of it looks like a mass deletion.
      for uid in ["b", "c", "d"] { try world.write("here/work/\(uid).ics", uid) }
      #expect(try await world.sync().status == .success)
    }
    let there = try #require(try fileOfA(world))
    if since == .goneHere || since == .goneOnBoth { try world.remove("here/work/a.ics") }
    if since == .goneThere || since == .goneOnBoth { try world.remove(there) }
    if since == .editedHere { try world.write("here/work/a.ics", "a", "Third") }
    if since == .backHere { try world.write("here/work/a.ics", "a", "First") }

    let gateway = try world.gateway()
    let dry = try await gateway.restore("copy/1", isDryRun: true, patience: .zero)
    let run = try await gateway.restore("copy/1", isDryRun: false, patience: .zero)
    #expect(run.status == .success && dry.status == .success, "\(run.failures)")
    #expect(try world.text(try #require(try fileOfA(world))).contains("First"))
    let foreseen = try #require(dry.collections.first)
    let done = try #require(run.collections.first)
    #expect(foreseen.pulled == done.pulled)
    #expect(foreseen.pushed == done.pushed)
    #expect(done.pushed.total == 1)
  }

  private func fileOfA(_ world: GatewayWorld) throws -> String? {
    try world.folder.names(in: "there/work").map { "there/work/\($0)" }
      .first { try world.text($0).contains("UID:a\r\n") }
  }

  @Test(arguments: ["x", "copy/x", "copy/1/2", "", "/"])
  func `what is no version's id is status 64`(id: String) async throws {
    let gateway = try World().gateway()
    let failure = await #expect(throws: RunFailure.self) {
      try await gateway.restore(id, isDryRun: false, patience: .zero)
    }
    #expect(failure?.status == .usage)
  }

  @Test(arguments: ["copy/99999999999999999999", "copy/value-99999999999999999999"])
  func `a number beyond all is one that the log does not have`(id: String) async throws {
    let world = try await edited()
    let failure = await #expect(throws: RunFailure.self) {
      try await world.gateway().restore(id, isDryRun: false, patience: .zero)
    }
    #expect(failure?.status == .missingInput, "\(failure?.message ?? "")")
  }

  /// The folder `cal` and the collection `far` there, with a version of a in the log.
  private func edited() async throws -> GatewayWorld {
    var world = try World()
    world.pair += "collections = [{ cal = \"far\" }]\n"
    try world.write("there/far/b.ics", "b")
    try world.write("here/cal/a.ics", "a", "First")
    #expect(try await world.sync().status == .success)
    try world.write("here/cal/a.ics", "a", "Second")
    #expect(try await world.sync().status == .success)
    let gateway = try world.gateway()
    let target = try #require(try gateway.targets([]).first)
    #expect(try await gateway.forget(target, patience: .zero) == ["cal"])
    return world
  }

  @Test func `a version of a forgotten collection comes back to where that is now`() async throws {
    var world = try await edited()
    try FileManager.default.moveItem(
      atPath: world.folder.path + "/here/cal", toPath: world.folder.path + "/here/renamed")
    world.pair = world.pair.replacing("{ cal =", with: "{ renamed =")
    for isSynced in [false, true] {
      let gateway = try world.gateway()
      if isSynced { #expect(try await world.sync().status == .success) }
      let report = try await gateway.restore("copy/1", isDryRun: !isSynced, patience: .zero)
      #expect(report.status == .success, "\(report.failures)")
      #expect(report.collections.map(\.name) == ["renamed"])
    }
    #expect(try world.text("here/renamed/a.ics").contains("First"))
  }

  @Test func `a version of a collection that is there no more can still be seen`() async throws {
    var world = try await edited()
    try world.write("there/other/c.ics", "c")
    world.pair = world.pair.replacing("{ cal = \"far\"", with: "{ other = \"other\"")
    #expect(try await world.sync().status == .success)
    let gateway = try world.gateway()
    let report = try await gateway.restore("copy/1", isDryRun: false, patience: .zero)
    #expect(report.status == .missingInput)
    #expect(report.failure?.message.contains("\"cal\"") == true)
    #expect(report.failure?.hint.contains("log --content") == true)
    let version = await gateway.log(of: ItemID("a"), withContent: true).versions.first
    #expect(
      version?.before.map { String(decoding: $0.bytes, as: UTF8.self).contains("First") } == true)
  }
}
