import CalgwKit
import Glibc
import SyncModel
import Testing

/// Collections that are in trouble alone, or that a person chose anew.
@Suite struct ChosenCollectionsTests {
  private typealias World = GatewayWorld

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a folder that may not be read is an error of its own, and the others are synced`()
    async throws
  {
    let world = try World()
    for name in ["home", "work"] { try world.write("here/\(name)/a.ics", "a \(name)") }
    #expect(try await world.sync().status == .success)
    let path = world.folder.path + "/here/home"
    defer { chmod(path, 0o700) }
    #expect(chmod(path, 0) == 0)
    try world.write("here/work/b.ics", "b")
    let report = try await world.sync()
    #expect(report.status == .io)
    #expect(report.failures.count == 1)
    #expect(report.failures.first?.message.contains("/here/home") == true)
    #expect(world.folder.names(in: "there/work").count == 2)
    #expect(world.folder.names(in: "there/home").count == 1)
  }

  @Test func `a mapping that was changed is followed, and an odd one is a problem`() async throws {
    let world = try World()
    try world.write("here/rr/a.ics", "a")
    try world.write("there/rr2/b.ics", "b")
    func mapped(to name: String) -> World {
      var world = world
      world.pair += "collections = [{ rr = \"\(name)\" }]\n"
      return world
    }
    #expect(try await mapped(to: "rr").sync().status == .success)
    let odd = try await mapped(to: "nowhere").sync()
    #expect(odd.status == .attention)
    let problem = try #require(odd.collections.first?.problems.first?.problem)
    #expect(problem.code == .collectionGone && problem.message.contains("\"nowhere\""))
    #expect(problem.hint.contains("calgw forget copy/rr"))
    #expect(world.folder.names(in: "there") == ["rr", "rr2"])
    let report = try await mapped(to: "rr2").sync()
    #expect(report.status == .success)
    #expect(report.notices.contains { $0.contains("is another place than in the last run") })
    #expect(world.folder.names(in: "there/rr2").count == 2)
    #expect(world.folder.names(in: "there/rr").count == 1)
    #expect(try await mapped(to: "rr2").sync().notices == [])
  }
}
