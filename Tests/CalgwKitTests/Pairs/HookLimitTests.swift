import CalgwKit
import Foundation
import Testing

/// Hooks that do not end by themselves.
@Suite struct HookLimitTests {
  /// Two items in conflict, and what their hooks leave behind.
  private func inConflict(_ onConflict: String) throws -> GatewayWorld {
    var world = try GatewayWorld()
    for uid in ["a", "b"] {
      try world.write("here/work/\(uid).ics", uid, "Here")
      try world.write("there/work/\(uid).ics", uid, "There")
    }
    world.pair += "conflict = \"ask\"\n"
    configure(&world, onConflict)
    return world
  }

  private func configure(_ world: inout GatewayWorld, _ onConflict: String) {
    world.pair =
      world.pair.components(separatedBy: "on_conflict").first.map {
        $0 + """
          on_conflict = ["sh", "-c", "\(onConflict)"]
          after_sync = ["touch", "\(world.folder.path)/after"]

          """
      } ?? ""
  }

  @Test(arguments: [
    HookLimits(each: .milliseconds(20)), HookLimits(each: .seconds(600), together: .zero),
  ])
  func `one that takes too long is killed, and the others wait for the next run`(
    limits: HookLimits
  ) async throws {
    var world = try inConflict("sleep 3600")
    var gateway = try world.gateway()
    gateway.hookLimits = limits
    let target = try #require(try gateway.targets([]).first)
    var report = await gateway.sync(target, RunOptions())
    await gateway.runHooks(after: &report)
    #expect(report.status == .attention)
    #expect(
      report.notices == [
        "on_conflict of pair copy (sh) took longer than 0 s",
        "what is left of pair copy's hooks waits for the next run: 1 conflict, after_sync",
      ])
    #expect(!world.folder.names().contains("after"))

    configure(&world, "cat >> \(world.folder.path)/told")
    gateway = try world.gateway()
    report = await gateway.sync(target, RunOptions())
    await gateway.runHooks(after: &report)
    #expect(report.notices == [])
    let told = try world.text("told")
    #expect(told.contains("\"uid\":\"b\"") && !told.contains("\"uid\":\"a\""), "\(told)")
    #expect(world.folder.names().contains("after"))
  }

  @Test(arguments: [
    HookLimits(each: .milliseconds(20)), HookLimits(each: .seconds(600), together: .zero),
  ])
  func `an after_sync that takes too long is killed, and called after the next run`(
    limits: HookLimits
  ) async throws {
    var world = try GatewayWorld()
    let pair = world.pair
    for side in ["here", "there"] { try world.write("\(side)/work/a.ics", "a") }
    world.pair = pair + "after_sync = [\"sh\", \"-c\", \"sleep 3600\"]\n"
    var gateway = try world.gateway()
    gateway.hookLimits = limits
    let target = try #require(try gateway.targets([]).first)
    var report = await gateway.sync(target, RunOptions())
    await gateway.runHooks(after: &report)
    #expect(report.notices == ["after_sync of pair copy (sh) took longer than 0 s"])
    #expect(report.status == .success && report.cutHook == nil)

    world.pair = pair + "after_sync = [\"touch\", \"\(world.folder.path)/after\"]\n"
    gateway = try world.gateway()
    report = await gateway.sync(target, RunOptions())
    await gateway.runHooks(after: &report)
    #expect(report.notices == [])
    #expect(world.folder.names().contains("after"))
  }
}
