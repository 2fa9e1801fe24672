import CalgwKit
import SyncModel
import Testing

/// What is called as several of the other side are.
@Suite struct SharedNamesTests {
  private func folder(_ name: String, _ display: String? = nil) -> CollectionDescription {
    CollectionDescription(
      href: Href(name), name: name, displayName: display, identity: "local \(name)")
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

  /// What is joined, as `local remote`.
  private func joined(_ matched: [MatchedCollection]) -> [String] {
    matched.compactMap { collection in
      guard case .present(let local) = collection.local,
        case .present(let remote) = collection.remote
      else { return nil }
      return "\(local.name) \(remote.name)"
    }
  }

  @Test(
    arguments: [
      ("neu", nil, true), ("neu", "NEU!", true), ("Neu", "Neu", true), ("neu", "\u{200F} ", true),
      ("neu", "Neu for Anna", false), ("Neu", "Else", true), ("neu", "\u{1F389}", false),
    ] as [(String, String?, Bool)])
  func `a folder whose name resembles a calendar's is that one, unless it calls itself otherwise`(
    name: String, display: String?, isSame: Bool
  ) {
    let matched = matchCollections(
      local: [folder(name, display)], remote: [remote("family", "Neu")], known: [],
      rules: [.include("*")])
    #expect(joined(matched) == (isSame ? ["\(name) family"] : []))
    #expect(matched.count == (isSame ? 1 : 2))
  }

  @Test(arguments: [false, true])
  func `a calendar that several may be called as is none of theirs unasked`(isReversed: Bool) {
    let folders = [folder("a", "team"), folder("b", "team"), folder("c", "other")]
    let matched = matchCollections(
      local: isReversed ? folders.reversed() : folders, remote: [remote("n", "team")], known: [],
      rules: [.include("*")])
    #expect(joined(matched) == [])
    let rivals = Dictionary(
      uniqueKeysWithValues: matched.map { ($0.name, Set($0.rivals.map(\.name))) })
    #expect(rivals == ["a": ["n"], "b": ["n"], "c": [], "n": ["a", "b"]])
  }

  /// An id says more than a display name, and what is left out or has its calendar is not asked.
  @Test(
    arguments: [
      (["a": "team", "n": "mine"], [.include("*")], "n n"),
      (["a": "team", "b": "team", "team": "mine"], [.include("*")], "team n"),
      (["a": "team", "b": "team"], [.include("*"), .exclude("a")], "b n"),
      (["a": "team", "b": "team"], [.include("b")], "b n"),
      (["a": "team", "b": "team"], [.include("*"), .map(local: "b", remote: "n")], "b n"),
    ] as [([String: String], [CollectionRule], String)])
  func `one that has more of its name than the others is its folder`(
    folders: [String: String], rules: [CollectionRule], result: String
  ) {
    let matched = matchCollections(
      local: folders.sorted { $0.key < $1.key }.map { folder($0.key, $0.value) },
      remote: [remote("n", "team")], known: [], rules: rules)
    #expect(joined(matched) == [result])
    #expect(matched.allSatisfy { $0.rivals.isEmpty })
  }

  @Test func `one that an earlier run joined keeps its calendar, and a new one is new`() {
    let known = KnownCollection(
      name: "a", local: Href("a"), remoteIdentity: "remote n", remote: Href("/n/"))
    let matched = matchCollections(
      local: [folder("a", "team"), folder("b", "team"), folder("c", "team")],
      remote: [remote("n", "team")], known: [known], rules: [.include("*")])
    #expect(joined(matched) == ["a n"])
    #expect(matched.count == 3 && matched.allSatisfy(\.rivals.isEmpty))
  }
}
