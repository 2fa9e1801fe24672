import CalgwKit
import SyncModel
import Testing

/// Mappings of which several mean one calendar, and those to a path that nothing has.
@Suite struct ContestTests {
  // MARK: One calendar, two folders

  @Test(arguments: [
    ("work", "Our work"), ("Our work", "work"), ("work", "work"), ("work", "/dav/alice/work/"),
    ("Our  work", "https://dav.example.org/dav/alice/work"),
  ])
  func `none of them gets it before a person says which one`(one: String, other: String) throws {
    let (a, b) = (map("a", one), map("b", other))
    let cases: [(folders: [String], rules: [CollectionRule])] = [
      ([], [a, b]), (["b"], [a, b]), (["a", "b"], [b, a]),
    ]
    for (folders, rules) in cases {
      let result = match(
        folders, [calendar("work", "Our work"), calendar("x")], rules + [.include("*")])
      try #require(result.count == 3)
      #expect(result.map(shown) == ["a: undecided", "b: undecided", "x: make | x"])
      let failure = try #require(result[1].ambiguity(in: "p"))
      #expect(failure.status == .configuration && failure.code == "ambiguous-calendar")
      for (folder, text) in [("a", one), ("b", other)] {
        #expect(failure.message.contains("\(folder) to \"\(text)\""), "\(failure.message)")
        #expect(failure.hint.contains("{ \(folder) = \"\(text)\" }"), "\(failure.hint)")
      }
      #expect(failure.message.hasSuffix("; b is left alone"))
      #expect(failure.why == "it is /dav/alice/work/")
    }
  }

  @Test(arguments: [false, true])
  func `one that was joined and stands keeps it`(isReversed: Bool) throws {
    var rules = [map("a", "work"), map("b", "Our work")]
    if isReversed { rules.reverse() }
    let known = [
      known("a", "work", CollectionMapping(local: "a", remote: "work")),
      known("b", "home", CollectionMapping(local: "b", remote: "home")),
    ]
    for all in [known, [known[0]]] {
      for folders in [["a", "b"], ["a"]] {
        let result = match(
          folders, [calendar("work", "Our work"), calendar("home")], rules, all)
        #expect(result.map(shown) == ["a: a | work", "b: undecided"])
        let failure = try #require(result.last?.ambiguity(in: "p"))
        #expect(failure.why == "it is /dav/alice/work/; a has it from earlier runs")
      }
    }
  }

  @Test func `what the newcomer had before waits for the mend`() {
    let known = [
      known("a", "work", CollectionMapping(local: "a", remote: "work")), known("b", "home"),
    ]
    let remotes = [calendar("work"), calendar("home")]
    func match(_ text: String) -> [String] {
      let rules = [.include("*"), map("a", "work"), map("b", text)]
      return self.match(["a", "b"], remotes, rules, known).map(shown)
    }
    #expect(match("work") == ["a: a | work", "b: undecided"])
    #expect(match("home") == ["a: a | work", "b: b | home"])
  }

  @Test(arguments: ["work", "Work"])
  func `a folder that was renamed keeps it, too`(text: String) {
    let mapping = CollectionMapping(local: "a", remote: "work")
    let result = match(
      ["job"], [calendar("work", "Work")], [map("a", "work"), map("b", text)],
      [known("job", "work", mapping)])
    #expect(result.map(shown) == ["b: undecided", "job: job | work"])
  }

  @Test func `a folder that was renamed and is mapped anew keeps it`() {
    let former = known("job", "work", CollectionMapping(local: "a", remote: "work"))
    let result = match(
      ["job"], [calendar("work")], [map("a", "work"), map("job", "work")], [former])
    #expect(result.map(shown) == ["a: undecided", "job: job | work"])
  }

  @Test func `one that was joined so goes before one that only had it`() {
    let known = [
      known("a", "work"), known("b", "work", CollectionMapping(local: "b", remote: "work")),
    ]
    let rules = [map("a", "work"), map("b", "work")]
    let result = match(["a", "b"], [calendar("work")], rules, known)
    #expect(result.map(shown) == ["a: undecided", "b: b | work"])
    #expect(
      match(["a", "b"], [calendar("work")], rules, [known[0]]).map(shown)
        == ["a: a | work", "b: undecided"], "a mapping to what a folder has changes nothing")
  }

  @Test func `where both had it, nobody can say whose it is`() {
    let maps = ["a", "b"].map { CollectionMapping(local: $0, remote: "work") }
    let result = match(
      ["a", "b"], [calendar("work")], [.include("*"), map("a", "work"), map("b", "work")],
      [known("a", "work", maps[0]), known("b", "work", maps[1])])
    #expect(result.map(shown) == ["a: undecided", "b: undecided"])
  }

  @Test(arguments: ["nowhere", "home"])
  func `what both had is free for the one that still asks for it`(text: String) {
    let maps = ["a", "b"].map { CollectionMapping(local: $0, remote: "work") }
    let result = match(
      ["a", "b"], [calendar("work"), calendar("home")], [map("b", text), map("a", "work")],
      [known("a", "work", maps[0]), known("b", "work", maps[1])])
    #expect(
      result.map(shown) == ["a: a | work", text == "home" ? "b: b | home" : "b: b | no nowhere"])
  }

  @Test func `a folder that no mapping names goes on with its calendar`() {
    let result = match(
      ["a", "b", "work"], [calendar("work")],
      [.include("*"), map("a", "work"), map("b", "work")], [known("work", "work")])
    #expect(result.map(shown) == ["a: undecided", "b: undecided", "work: work | work"])
    #expect(result.map(\.mapping?.local) == ["a", "b", nil])
  }

  @Test func `no calendar is made beside one that waits`() {
    let result = match(
      ["our-work"], [calendar("17", "Our work")],
      [.include("*"), map("a", "17"), map("b", "Our work")])
    #expect(result.map(shown) == ["a: undecided", "b: undecided"])
  }

  @Test func `one name for two calendars to be made is a contest, too`() throws {
    let result = match(["a", "b"], [], [map("a", "New one"), map("b", "New  one"), map("c", "x")])
    #expect(result.map(shown) == ["a: undecided", "b: undecided", "c: nobody x | nobody x"])
    #expect(try #require(result.first?.ambiguity(in: "p")).why.isEmpty)
    let known = ["a", "b"].map { folder in
      self.known(folder, folder, CollectionMapping(local: folder, remote: "New"))
    }
    let made = match(
      ["a", "b"], [calendar("a", "New"), calendar("b", "New")], [map("a", "New"), map("b", "New")],
      known)
    #expect(made.map(shown) == ["a: a | a", "b: b | b"], "each has its own by now")
  }

  @Test func `offline nothing is contested`() {
    let result = matchCollections(
      local: [folder("a"), folder("b")], remote: [calendar("work"), calendar("home")],
      known: [known("a", "work"), known("b", "home")],
      rules: [map("a", "work"), map("b", "work")], isOffline: true)
    #expect(result.map(shown) == ["a: a | work", "b: b | home"])
  }

  // MARK: Addresses

  @Test(arguments: ["/dav/alice/nosuch/", "dav/alice/nosuch", "https://example.org/dav/", "/"])
  func `nothing is called by a path`(text: String) {
    let (remotes, rules) = ([calendar("x")], [.include("*"), map("b", text)])
    for folders in [[], ["b"]] {
      let result = match(folders, remotes, rules)
      #expect(result.first?.remote == .nobody(text))
      #expect(result.map(\.name) == ["b", "x"])
    }
    #expect(match(["b"], remotes, rules).first?.local == .present(folder("b")))
    let offline = matchCollections(
      local: [folder("b")], remote: [], known: [], rules: rules, isOffline: true)
    #expect(offline.first?.remote != .nobody(text), "nobody has looked")
  }

  // MARK: Builders

  private func map(_ folder: String, _ text: String) -> CollectionRule {
    .map(local: folder, remote: text)
  }

  private func folder(_ name: String) -> CollectionDescription {
    CollectionDescription(href: Href(name), name: name, identity: "/vdir/\(name) 1 2")
  }

  private func calendar(_ id: String, _ display: String? = nil) -> CollectionDescription {
    let path = "/dav/alice/\(id)/"
    return CollectionDescription(
      href: Href(path), name: id, displayName: display, identity: "https://dav.example.org\(path)")
  }

  private func known(_ name: String, _ id: String, _ mapping: CollectionMapping? = nil)
    -> KnownCollection
  {
    let remote = calendar(id)
    return KnownCollection(
      name: name, local: Href(name), remoteIdentity: remote.identity, remote: remote.href,
      mapping: mapping)
  }

  private func match(
    _ folders: [String], _ remote: [CollectionDescription], _ rules: [CollectionRule],
    _ known: [KnownCollection] = []
  ) -> [MatchedCollection] {
    matchCollections(
      local: folders.map { folder($0) }, remote: remote, known: known, rules: rules)
  }

  /// `name: local | remote`
  private func shown(_ collection: MatchedCollection) -> String {
    func shown(_ counterpart: MatchedCollection.Counterpart) -> String {
      switch counterpart {
      case .present(let description): description.name
      case .missing: "make"
      case .nobody(let text): "nobody \(text)"
      case .unknown(let text): "no \(text)"
      case .gone, .given: "\(counterpart)"
      }
    }
    if collection.isUndecided { return "\(collection.name): undecided" }
    return "\(collection.name): \(shown(collection.local)) | \(shown(collection.remote))"
  }
}
