import CalgwKit
import SyncModel
import Testing

/// What is called as several of the other side are.
@Suite struct SharedNamesTests {
  private func folder(_ name: String) -> CollectionDescription {
    CollectionDescription(href: Href(name), name: name, identity: "local \(name)")
  }

  private func remote(_ id: String, _ display: String) -> CollectionDescription {
    CollectionDescription(
      href: Href("/\(id)/"), name: id, displayName: display, identity: "remote \(id)")
  }

  /// Whether earlier runs have given the two folders of their own.
  @Test(arguments: [false, true])
  func `what may be its counterpart is known`(areJoined: Bool) {
    let joined = areJoined ? ["a1", "a2"] : []
    let known = joined.map { name in
      KnownCollection(
        name: name, local: Href(name), remoteIdentity: "remote \(name)", remote: Href("/\(name)/"))
    }
    let matched = matchCollections(
      local: [folder("team"), folder("alone")] + joined.map { folder($0) },
      remote: [remote("a1", "team"), remote("a2", "team"), remote("a3", "other")], known: known,
      rules: [.include("*")])
    let rivals = Dictionary(
      uniqueKeysWithValues: matched.map { ($0.name, $0.rivals.map(\.name)) })
    #expect(rivals["team"] == ["a1", "a2"])
    #expect(rivals["alone"] == [] && rivals["a3"] == [])
    for name in ["a1", "a2"] { #expect(rivals[name] == (areJoined ? [] : ["team"])) }
  }
}
