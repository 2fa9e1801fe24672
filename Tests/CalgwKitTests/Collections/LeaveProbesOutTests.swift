import CalgwKit
import SyncModel
import Testing

/// Calendars that `calgw doctor --write` had to leave on a server, as syncs meet them.
@Suite struct LeaveProbesOutTests {
  private static let left = "calgw-doctor-0a1b2c3d"

  private func calendar(_ id: String, _ display: String? = nil) -> CollectionDescription {
    CollectionDescription(
      href: Href("/\(id)/"), name: id, displayName: display, identity: "remote \(id)")
  }

  private func folder(_ name: String) -> CollectionDescription {
    CollectionDescription(href: Href(name), name: name, identity: "local \(name)")
  }

  private func names(
    local: [CollectionDescription] = [], remote: [CollectionDescription],
    known: [KnownCollection] = [], _ rules: [CollectionRule]
  ) -> [String] {
    matchCollections(local: local, remote: remote, known: known, rules: rules).map(\.name)
  }

  @Test(arguments: ["calgw-doctor-0a1b2c3d", "17"])
  func `no pattern takes one`(id: String) {
    let remote = [calendar("work"), calendar(id, Self.left)]
    #expect(names(remote: remote, [.include("*")]) == ["work"])
    #expect(names(remote: remote, [.exclude("home")]) == ["work"])
    // Nor is a folder of the name a wish to have it.
    #expect(names(local: [folder(Self.left)], remote: remote, [.include("*")]) == ["work"])
  }

  @Test func `one that somebody has renamed is taken`() {
    let remote = [calendar("work"), calendar(Self.left, "Holidays 2027")]
    #expect(names(remote: remote, [.include("*")]) == [Self.left, "work"])
  }

  @Test func `who names one has it`() {
    let remote = [calendar("work"), calendar(Self.left)]
    #expect(names(remote: remote, [.include(Self.left)]) == [Self.left])
    let map = CollectionRule.map(local: "try", remote: Self.left)
    #expect(names(remote: remote, [.include("*"), map]) == ["try", "work"])
  }

  @Test func `what was synced before goes on`() {
    let known = KnownCollection(
      name: Self.left, local: Href(Self.left), remoteIdentity: "remote \(Self.left)",
      remote: Href("/\(Self.left)/"))
    let both = names(
      local: [folder(Self.left)], remote: [calendar(Self.left)], known: [known], [.include("*")])
    #expect(both == [Self.left])
  }
}
