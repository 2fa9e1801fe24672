import SyncExecution
import SyncModel
import TestSupport
import Testing

/// A side that has always one more page.
@Suite struct EndlessListingTests {
  @Test func `a listing that does not end is a failure of its side, and nothing is made of it`()
    throws
  {
    let world = World()
    world.set("dentist", "A", on: .remote)
    world.set("gym", "A", on: .local)
    let remote = EndlessListing(of: world.remote, end: 30_000)
    let engine = CollectionSync(
      name: "test", local: world.local, remote: remote.storage, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    let report = try world.executor.run { await engine.run() }
    guard case .storage(.remote, let error) = report.failure else {
      Issue.record("\(String(describing: report.failure))")
      return
    }
    #expect(error.kind == .protocolBroken && error.message.contains("does not end"))
    #expect(remote.pages <= 20_000)
    #expect(world.letter("dentist", on: .local) == "-" && world.letter("gym", on: .remote) == "-")
  }
}
