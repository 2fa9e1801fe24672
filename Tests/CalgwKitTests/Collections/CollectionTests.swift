import CalgwKit
import SyncModel
import Testing

@Suite struct CollectionTests {
  @Test(arguments: [
    ("*", "anything", true), ("*", "", true), ("", "", true), ("", "a", false),
    ("work", "work", true), ("work", "Work", false), ("work", "works", false),
    ("w*", "work", true), ("*k", "work", true), ("w*r*k", "work", true), ("w*x*k", "work", false),
    ("?ork", "work", true), ("?ork", "ork", false), ("[vw]ork", "work", true),
    ("[!vw]ork", "work", false), ("[a-z]ork", "work", true), ("[a-c]ork", "work", false),
    ("[]w]ork", "work", true), ("[work", "[work", true), ("\\*", "*", true), ("\\*", "a", false),
    ("fête *", "fête nationale", true), ("?", "é", true),
    ("*a*a*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 5000), false),
  ])
  func `a glob`(pattern: String, name: String, matches: Bool) {
    #expect(Glob(pattern).matches(name) == matches)
  }

  @Test func `everything is matched by name, id or display name, and the rest is to be made`() {
    let result = match(
      local: [folder("work"), folder("mine", "Home"), folder("only-here")],
      remote: [remote("work"), remote("xyz", "Home"), remote("u v", "Far away")])
    #expect(
      result == [
        "far-away: make | u v", "mine: mine | xyz", "only-here: only-here | make only-here",
        "work: work | work",
      ])
  }

  @Test func `rules choose by id, display name and folder`() {
    let all = [remote("work"), remote("x1", "Holidays in Austria"), remote("x2", "Birthdays")]
    #expect(match(remote: all, rules: [.include("work")]) == ["work: make | work"])
    #expect(match(remote: all, rules: [.include("Birth*")]) == ["x2: make | x2"])
    #expect(
      match(remote: all, rules: [.include("*"), .exclude("Holidays*")])
        == ["work: make | work", "x2: make | x2"])
    #expect(match(remote: all, rules: [.exclude("x?")]) == ["work: make | work"])
    #expect(
      match(
        local: [folder("notes"), folder("work")], remote: [], rules: [.include("work")])
        == ["work: work | make work"])
  }

  @Test(arguments: ["x1", "Our Work", "/dav/alice/x1/", "https://dav.example.org/dav/alice/x1/"])
  func `a map names its counterpart by id, display name, path or URL`(name: String) {
    let result = match(
      local: [folder("work")], remote: [remote("x1", "Our Work"), remote("work")],
      rules: [.map(local: "work", remote: name)])
    #expect(result == ["work: work | x1"])
  }

  @Test(arguments: [
    ("Our\u{200F} Work", "Our Work"), ("Our  Work", "Our Work"),
    ("\u{1F468}\u{200D}\u{1F469} Us", "\u{1F468}\u{200D}\u{1F469} Us"),
  ])
  func `what does not show in a display name does not count`(display: String, typed: String) {
    let remotes = [remote("x1", display), remote("x2", "Other")]
    let map = CollectionRule.map(local: "work", remote: typed)
    #expect(match(local: [folder("work")], remote: remotes, rules: [map]) == ["work: work | x1"])
    #expect(match(remote: remotes, rules: [.include(typed)]) == ["x1: make | x1"])
    #expect(
      match(local: [folder("here", typed)], remote: remotes)
        == ["here: here | x1", "x2: make | x2"])
  }

  @Test(arguments: [
    "/dav/alice/our%20work@home/", "/dav/alice/our work@home/", "dav/alice/our work%40home",
    "https://dav.example.org/dav/alice/our%20work%40home/",
  ])
  func `a path may be written with percent-encoding or without`(path: String) {
    let spelling = Array("/dav/alice/our%20work@home/".utf8)
    let calendar = CollectionDescription(
      href: Href(spelling: spelling, key: Array("/dav/alice/our work@home/".utf8)),
      name: "our work@home", identity: "https://dav.example.org/dav/alice/our%20work%40home/")
    #expect(calendar.answers(to: path))
    #expect(!calendar.answers(to: path.replacing("work", with: "play")))
  }

  @Test func `a name that nothing has is told, and a pattern may mean nothing`() {
    let remotes = [remote("x1", "Our Work")]
    func match(_ rules: [CollectionRule], _ known: [KnownCollection] = []) -> [String] {
      self.match(local: [folder("here")], remote: remotes, known: known, rules: rules)
    }
    #expect(match([.include("nosuch")]) == ["nosuch: nobody nosuch | nobody nosuch"])
    #expect(
      match([.include("nosuch"), .include("nosuch")]) == ["nosuch: nobody nosuch | nobody nosuch"],
      "told once")
    #expect(match([.include("no*")]) == [])
    #expect(match([.include("x1"), .exclude("x1")]) == [])
    #expect(match([.include("Our Work")]) == ["x1: make | x1"])
    #expect(match([.map(local: "w", remote: "nosuch")]) == ["w: nobody nosuch | nobody nosuch"])
    #expect(match([.map(local: "here", remote: "nosuch")]) == ["here: here | make nosuch"])
    #expect(match([.include("old")], [known("old", "gone")]) == ["old: nobody old | nobody old"])
    let map = CollectionRule.map(local: "old", remote: "x2")
    #expect(match([map], [known("old", "gone")]) == ["old: nobody x2 | nobody x2"])
    #expect(
      match([.include("old"), .include("*")], [known("old", "x1")])
        == ["here: here | make here", "old: gone | x1"])
  }

  @Test func `two calendars of one display name are not guessed at`() {
    let result = match(
      local: [folder("team")], remote: [remote("a1", "team"), remote("a2", "team")])
    #expect(result == ["a1: make | a1", "a2: make | a2", "team: team | make team"])
  }

  @Test func `what the journal joined stays joined when names change`() {
    let known = [known("work", "x1")]
    #expect(
      match(
        local: [folder("work")], remote: [remote("x1", "New name"), remote("work")], known: known)
        == ["work: work | x1", "work-2: make | work"])
  }

  @Test func `what is gone is said and never made again`() {
    let known = [known("work", "x1")]
    #expect(match(local: [folder("work")], remote: [], known: known) == ["work: work | gone"])
    #expect(match(local: [], remote: [remote("x1")], known: known) == ["work: gone | x1"])
    #expect(match(local: [], remote: [], known: known) == [])
  }

  @Test(arguments: [
    ("rr2", ["rr: rr | rr2"]), ("Second", ["rr: rr | rr2"]), ("rr", ["rr: rr | rr"]),
    ("nowhere", ["rr: rr | no nowhere"]),
  ])
  func `a mapping that was written since goes before what the journal joined`(
    name: String, expected: [String]
  ) {
    let map = CollectionRule.map(local: "rr", remote: name)
    for mapping in [nil, CollectionMapping(local: "rr", remote: "rr")] {
      let result = match(
        local: [folder("rr")], remote: [remote("rr"), remote("rr2", "Second")],
        known: [known("rr", "rr", mapping)], rules: [map])
      #expect(result == expected)
    }
  }

  @Test func `what a mapping had before is a calendar as any other, and waits for a mend`() {
    let (local, remotes) = ([folder("rr")], [remote("rr"), remote("rr2")])
    let known = [known("rr", "rr", CollectionMapping(local: "rr", remote: "rr"))]
    func match(_ name: String) -> [String] {
      self.match(
        local: local, remote: remotes, known: known,
        rules: [.include("*"), .map(local: "rr", remote: name)])
    }
    #expect(match("rr2") == ["rr: rr | rr2", "rr-2: make | rr"])
    #expect(match("nowhere") == ["rr: rr | no nowhere", "rr2: make | rr2"])
  }

  @Test(arguments: [true, false])
  func `a mapping that is as it was follows what it joined`(isThere: Bool) {
    let mapping = CollectionMapping(local: "work", remote: "Our work")
    let result = match(
      local: [folder("work")],
      remote: isThere ? [remote("x1", "New name"), remote("x2", "Our work")] : [],
      known: [known("work", "x1", mapping)], rules: [.map(local: "work", remote: "Our work")])
    #expect(result == [isThere ? "work: work | x1" : "work: work | gone"])
  }

  @Test func `a folder that was renamed keeps what its mapping gave it`() {
    let mapping = CollectionMapping(local: "work", remote: "x1")
    let result = match(
      local: [folder("job")], remote: [remote("x1")], known: [known("job", "x1", mapping)],
      rules: [.map(local: "work", remote: "x1")])
    #expect(result == ["job: job | x1"])
  }

  @Test func `a mapping takes a calendar from the folder that had it`() {
    func match(_ rules: [CollectionRule]) -> [String] {
      self.match(
        local: [folder("a"), folder("b")], remote: [remote("x")], known: [known("a", "x")],
        rules: rules)
    }
    let map = CollectionRule.map(local: "b", remote: "x")
    #expect(match([map]) == ["b: b | x"])
    #expect(match([.include("*"), map]) == ["a: a | of b", "b: b | x"])
  }

  @Test func `two mappings can be exchanged`() {
    let result = match(
      local: [folder("a"), folder("b")], remote: [remote("a"), remote("b")],
      known: [known("a", "a"), known("b", "b")],
      rules: [.map(local: "a", remote: "b"), .map(local: "b", remote: "a")])
    #expect(result == ["a: a | b", "b: b | a"])
  }

  @Test func `offline a new mapping means nothing yet`() {
    let result = matchCollections(
      local: [folder("rr")], remote: [remote("rr")], known: [known("rr", "rr")],
      rules: [.map(local: "rr", remote: "rr2")], isOffline: true)
    #expect(result.map(shown) == ["rr: rr | rr"])
  }

  @Test func `a pair that was pointed elsewhere has lost nothing`() {
    let known = [known("work", "x1")]
    let result = matchCollections(
      local: [folder("work")], remote: [remote("other")], known: known, rules: [.include("*")],
      repointed: [.remote])
    #expect(result.map(shown) == ["other: make | other", "work: work | make work"])
  }

  @Test func `the order of the listings does not matter`() {
    let remotes = [remote("b c", "Same"), remote("d e", "Same"), remote("work")]
    let first = match(remote: remotes)
    #expect(Set(first).count == 3)
    #expect(match(remote: remotes.reversed()).count == 3)
  }

  @Test(arguments: [false, true])
  func `no calendar gets a folder's name that is the id of another one`(isReversed: Bool) {
    let ids = ["0b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001", "1b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001"]
    let remotes = ids.map { remote($0, "Work") } + [remote("work", "Mine")]
    let result = match(remote: isReversed ? remotes.reversed() : remotes)
    #expect(
      result == [
        "work: make | work", "work-2: make | \(ids[0])", "work-3: make | \(ids[1])",
      ])
  }

  /// What makes no plain folder's name (a UUID) is called by its display name, and chosen by that
  /// from the first run on.
  @Test(
    arguments: [
      ([.include("*"), .exclude("mit-leer")], []), ([.exclude("mit*")], []),
      ([.include("mit-leer")], ["mit-leer: make | 0b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001"]),
    ] as [([CollectionRule], [String])])
  func `a calendar is chosen by the name that its folder will have`(
    rules: [CollectionRule], result: [String]
  ) {
    let calendar = remote("0b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001", "Mit Leer")
    #expect(match(remote: [calendar], rules: rules) == result)
  }

  // MARK: Several of one name

  private var teams: [CollectionDescription] { [remote("a1", "Team"), remote("a2", "Team")] }
  private let toTeam = CollectionRule.map(local: "work", remote: "Team")

  @Test(arguments: [[], ["work"]] as [[String]])
  func `a mapping to a name that two calendars have is left to a person`(folders: [String])
    throws
  {
    let result = matchCollections(
      local: folders.map { folder($0) }, remote: teams + [remote("other")], known: [],
      rules: [.include("*"), toTeam])
    #expect(result.map(\.name) == ["other", "work"], "neither calendar gets a folder before")
    let work = try #require(result.last)
    #expect(work.candidates.map(\.name) == ["a1", "a2"])
    let failure = try #require(work.ambiguity(in: "p"))
    #expect(failure.status == .configuration && failure.code == "ambiguous-calendar")
    #expect(failure.why == "they are /dav/alice/a1/, /dav/alice/a2/")
    #expect(failure.hint.contains(#"{ work = "a1" } or { work = "a2" }"#), "\(failure.hint)")
    #expect(result.first?.ambiguity(in: "p") == nil)
  }

  @Test(arguments: ["a2", "/dav/alice/a2/"])
  func `the id or the path says which one`(name: String) {
    let map = CollectionRule.map(local: "work", remote: name)
    #expect(match(remote: teams, rules: [map]) == ["work: make | a2"])
  }

  @Test(arguments: [nil, CollectionMapping(local: "work", remote: "Team")])
  func `what a name meant before needs no guess`(mapping: CollectionMapping?) {
    let result = match(
      local: [folder("work")], remote: teams, known: [known("work", "a2", mapping)],
      rules: [toTeam])
    #expect(result == ["work: work | a2"])
  }

  @Test func `a known folder that is mapped to one of two is left alone with all it had`() {
    let result = matchCollections(
      local: [folder("work"), folder("a1")], remote: teams + [remote("old")],
      known: [known("a1", "a1"), known("work", "old")], rules: [.include("*"), toTeam])
    #expect(result.map(shown) == ["a1: a1 | a1", "work: work | no Team"])
    #expect(result.map(\.candidates.count) == [0, 2])
  }

  @Test func `two calendars of one id are told apart by their addresses`() throws {
    let far = CollectionDescription(
      href: Href("https://far.example.org/dav/alice/a1/"), name: "a1",
      identity: "https://far.example.org/dav/alice/a1/")
    func match(_ name: String) -> MatchedCollection? {
      matchCollections(
        local: [], remote: [remote("a1"), far], known: [],
        rules: [.map(local: "our work", remote: name)]
      ).first
    }
    let failure = try #require(match("a1")?.ambiguity(in: "p"))
    for way in ["/dav/alice/a1/", far.identity] {
      #expect(failure.hint.contains("{ \"our work\" = \"\(way)\" }"), "\(failure.hint)")
    }
    #expect(match("/dav/alice/a1/")?.remote == .present(remote("a1")))
    #expect(match(far.identity)?.remote == .present(far))
  }

  @Test func `a display name that is asked for takes every calendar that has it`() {
    let ids = [
      "0b4b1f4e-8a5c-4f9e-9d3a-2f1f6f0f6d11", "1b4b1f4e-8a5c-4f9e-9d3a-2f1f6f0f6d11",
    ]
    let result = match(
      remote: ids.map { remote($0, "Team") } + [remote("other")], rules: [.include("Team")])
    #expect(result == ["team: make | \(ids[0])", "team-2: make | \(ids[1])"])
  }

  // MARK: A calendar that a mapping gives to another folder

  /// As the journal has both after the first run: `x` had it, and `folder` has it now.
  private func taken(by folder: String) -> [KnownCollection] {
    let map = CollectionMapping(local: folder, remote: "x")
    return [known("x", "x"), known(folder, "x", map)].sorted { $0.name < $1.name }
  }

  @Test(arguments: ["y", "a"])
  func `it stays that folder's, and nothing is gone`(name: String) {
    let (map, folders) = (
      CollectionRule.map(local: name, remote: "x"), [folder("x"), folder(name)]
    )
    func match(_ rules: [CollectionRule], _ known: [KnownCollection]) -> [String] {
      self.match(local: folders, remote: [remote("x")], known: known, rules: rules)
    }
    let left = "x: x | of \(name)"
    let joined = "\(name): \(name) | x"
    for known in [[known("x", "x")], taken(by: name)] {
      #expect(match([map], known) == [joined])
      #expect(match([.include("*"), map], known) == [left, joined].sorted())
      #expect(match([.include("*"), .exclude("x"), map], known) == [joined])
    }
    #expect(match([.include("*")], taken(by: name)) == [left, joined].sorted(), "as it was last")
    let back = CollectionRule.map(local: "x", remote: "x")
    #expect(match([back], taken(by: name)) == ["x: x | x"])
  }

  @Test func `what becomes of it later is told of the folder that has it`() {
    let map = CollectionRule.map(local: "y", remote: "x")
    func match(_ folders: [String], _ remotes: [String], _ rules: [CollectionRule]) -> [String] {
      self.match(
        local: folders.map { folder($0) }, remote: remotes.map { remote($0) },
        known: taken(by: "y"), rules: rules)
    }
    #expect(match(["y"], ["x"], [.include("*"), map]) == ["y: y | x"], "the former folder went")
    #expect(match(["x", "y"], [], [.include("*"), map]) == ["x: x | of y", "y: y | gone"])
    #expect(match(["x"], ["x"], [map]) == ["y: gone | x"])
    #expect(match(["x", "y"], ["x"], [.include("*"), .exclude("y")]) == ["x: x | x"])
    let nowhere = CollectionRule.map(local: "y", remote: "nowhere")
    #expect(
      match(["x", "y"], ["x"], [.include("*"), nowhere]) == ["x: x | of y", "y: y | no nowhere"])
  }

  // MARK: Builders

  private func folder(_ name: String, _ display: String? = nil) -> CollectionDescription {
    CollectionDescription(
      href: Href(name), name: name, displayName: display, identity: "/vdir/\(name) 1 2")
  }

  private func remote(_ id: String, _ display: String? = nil) -> CollectionDescription {
    let path = "/dav/alice/\(id)/"
    return CollectionDescription(
      href: Href(path), name: id, displayName: display, identity: "https://dav.example.org\(path)")
  }

  private func known(_ name: String, _ id: String, _ mapping: CollectionMapping? = nil)
    -> KnownCollection
  {
    KnownCollection(
      name: name, local: Href(name), remoteIdentity: remote(id).identity,
      remote: remote(id).href, mapping: mapping)
  }

  private func match(
    local: [CollectionDescription] = [], remote: [CollectionDescription],
    known: [KnownCollection] = [], rules: [CollectionRule] = [.include("*")]
  ) -> [String] {
    matchCollections(local: local, remote: remote, known: known, rules: rules).map(shown)
  }

  /// `name: local | remote`
  private func shown(_ collection: MatchedCollection) -> String {
    func shown(_ counterpart: MatchedCollection.Counterpart) -> String {
      switch counterpart {
      case .present(let description): description.name
      case .gone: "gone"
      case .unknown(let name): "no \(name)"
      case .given(_, let folder): "of \(folder)"
      case .nobody(let name): "nobody \(name)"
      case .missing(let proposal):
        proposal.name == collection.name && counterpart == collection.local
          ? "make" : "make \(proposal.name)"
      }
    }
    return "\(collection.name): \(shown(collection.local)) | \(shown(collection.remote))"
  }
}
