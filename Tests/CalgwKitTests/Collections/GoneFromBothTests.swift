import CalgwKit
import SyncModel
import Testing

/// A collection that earlier runs had, and that neither side shows.
@Suite struct GoneFromBothTests {
  private static let known = KnownCollection(
    name: "work", local: Href("/alice/work/"), remoteIdentity: "https://dav.example.org/bob/x1/",
    remote: Href("/bob/x1/"))

  private func match(
    _ rules: [CollectionRule], areServers: Bool, repointed: Set<Side> = []
  ) -> [MatchedCollection] {
    matchCollections(
      local: [], remote: [], known: [Self.known], rules: rules, repointed: repointed,
      areServers: areServers)
  }

  /// A server may not list what it has.
  @Test(arguments: ["*", "work"])
  func `what neither of two servers shows is gone from both, and told once`(glob: String) {
    let matched = match([.include(glob)], areServers: true)
    #expect(matched.map(\.name) == ["work"])
    #expect(matched.first?.local == .gone(Href("/alice/work/")))
    #expect(matched.first?.remote == .gone(Href("/bob/x1/")))
  }

  @Test func `what is left out, or was never at a new place, is not told`() {
    #expect(match([.include("*"), .exclude("work")], areServers: true) == [])
    #expect(match([.include("*")], areServers: true, repointed: [.remote]) == [])
    #expect(match([.include("*")], areServers: true, repointed: [.local]) == [])
  }

  @Test func `a folder that went with its calendar is no news`() {
    #expect(match([.include("*")], areServers: false) == [])
  }
}
