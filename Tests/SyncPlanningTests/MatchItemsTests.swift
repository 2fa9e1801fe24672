import SyncModel
import SyncPlanning
import Testing

/// How resources become items: by UID, whatever they are called.
@Suite struct MatchItemsTests {
  private func read(_ version: ItemVersion, named name: String, on side: Side = .local)
    -> Observation
  {
    var version = version
    version.href = Href(name)
    return Observation(side: side, href: Href(name), state: .read(version))
  }

  private func gone(_ name: String, on side: Side = .local) -> Observation {
    Observation(side: side, href: Href(name), state: .gone)
  }

  private func match(_ observations: [Observation], _ agreements: [Agreement] = []) -> MatchedItems
  {
    matchItems(Differing(observations: observations, agreements: agreements))
  }

  @Test func `a renamed file keeps its item`() throws {
    let matched = match(
      [gone("local/dentist.ics"), read(Build.version("A"), named: "renamed.ics")],
      [Build.agreement("A")])
    let item = try #require(matched.items.first)
    #expect(matched.items.count == 1)
    guard case .agreed(_, .unchanged(let here), .unchanged) = item.state else {
      Issue.record("a rename is no change: \(item.state)")
      return
    }
    #expect(here.href == Href("renamed.ics"))
    #expect(
      Build.words(reconcile(matched.items, rules: ReconcileRules(now: Build.now))) == "record")
  }

  @Test func `two files of one UID are a problem of both, and the item is left alone`() {
    let matched = match([read(Build.version("A"), named: "copy.ics")], [Build.agreement("A")])
    #expect(matched.items.isEmpty)
    #expect(matched.problems.map(\.href) == [Href("copy.ics"), Href("local/dentist.ics")])
    #expect(matched.problems.allSatisfy { $0.problem.code == .duplicateUID })
    #expect(matched.problems[0].problem.message.contains("'local/dentist.ics'"))
  }

  @Test(arguments: Side.allCases)
  func `an item over whose resource another one was copied is not gone`(side: Side) {
    let choir = Build.version("A", uid: "choir", on: side)
    let matched = match(
      [read(choir, named: "\(side.rawValue)/dentist.ics", on: side)],
      [Build.agreement("A"), Build.agreement("A", uid: "choir")])
    #expect(matched.items.isEmpty)
    #expect(matched.problems.map(\.uid?.text) == ["dentist", "choir", "choir"])
    #expect(matched.problems.allSatisfy { $0.problem.code == .duplicateUID })
  }

  @Test func `an item that was moved away before that is the same item`() {
    let choir = Build.version("A", uid: "choir")
    let matched = match(
      [
        read(choir, named: "local/dentist.ics"),
        read(Build.version("A"), named: "local/moved.ics"),
      ], [Build.agreement("A"), Build.agreement("A", uid: "choir")])
    #expect(matched.items.map(\.uid.text) == ["dentist"])
  }

  @Test func `each of two files of one UID is named with its own title`() {
    let (first, second) = (Build.version("A"), Build.version("B"))
    for seen in [
      [read(first, named: "a.ics"), read(second, named: "b.ics")],
      [read(second, named: "b.ics"), read(first, named: "a.ics")],
    ] {
      let problems = match(seen).problems
      #expect(problems.map(\.href) == [Href("a.ics"), Href("b.ics")])
      #expect(problems.map(\.summary) == ["dentist A", "dentist B"])
    }
  }

  /// A shorter name is not enough: the other one is where both sides agreed.
  @Test(arguments: Side.allCases)
  func `of two resources of the same bytes the one that nobody agreed on can go`(side: Side) {
    let place = "\(side.rawValue)/dentist.ics"
    let copy = read(Build.version("A", on: side), named: "copy.ics", on: side)
    let problems = match([copy], [Build.agreement("A")]).problems
    #expect(problems.map(\.href) == [Href("copy.ics"), Href(place)])
    let removal = side == .local ? ItemProblem.takeFileAway : "delete this one there"
    #expect(
      problems[0].problem.hint.hasPrefix(
        "It has the same bytes as '\(place)', which is to stay: \(removal)"))
    #expect(problems[1].problem.hint.hasPrefix("Keep this one"))
  }

  @Test func `of two new files that say the same the one of the longer name can go`() {
    var copy = Build.version("A")
    copy.version = Version(tag: nil, digest: ContentDigest(bytes: [1]))
    let problems = match([
      read(copy, named: "a copy.ics"), read(Build.version("A"), named: "b.ics"),
      read(Build.version("B"), named: "c.ics"),
    ]).problems
    #expect(problems[0].problem.hint.hasPrefix("It says the same as 'b.ics', which is to stay"))
    for problem in problems.dropFirst() {
      #expect(problem.problem.hint.hasPrefix("Keep one of them"), "nobody knows which")
    }
  }

  /// With the copy the other item would go.
  @Test func `a copy over another item is not what can go without a loss`() {
    let copy = read(Build.version("A", uid: "choir"), named: "local/dentist.ics")
    let problems = match([copy], [Build.agreement("A"), Build.agreement("A", uid: "choir")])
      .problems
    #expect(problems.filter { $0.uid?.text == "choir" }.count == 2)
    #expect(problems.allSatisfy { !$0.problem.hint.contains("nothing is lost") })
  }

  @Test func `a broken file is no deletion`() {
    let broken = ItemProblem(.incomplete, "cut off", hint: "complete it")
    let seen = Observation(
      side: .local, href: Href("local/dentist.ics"), state: .obstructed(nil, broken))
    let matched = match([seen, gone("remote/dentist.ics", on: .remote)], [Build.agreement("A")])
    #expect(matched.items.isEmpty)
    #expect(matched.held == 1)
    #expect(matched.problems.map(\.problem.code) == [.incomplete])
    #expect(matched.problems.first?.uid == ItemID("dentist"))
  }

  /// What is added to the message and to the mend of a broken resource.
  @Test(
    arguments: [
      (.local, "A", "", ""),
      (.local, "B", "; the remote side has changed it since", "`calgw resolve UID --take remote`"),
      (.local, "-", "; it is gone from the remote side", "complete it; or only remove it, and"),
      (.remote, "B", "; the local side has changed it since", ""),
      (.remote, "-", "; it is gone from the local side", ""),
    ] as [(Side, Character, String, String)])
  func `what the other side made of a broken item is told`(
    side: Side, other: Character, words: String, mend: String
  ) throws {
    let broken = ItemProblem(.incomplete, "cut off", hint: "complete it")
    let seen = Observation(
      side: side, href: Href("\(side.rawValue)/dentist.ics"), state: .obstructed(nil, broken))
    let name = "\(side.opposite.rawValue)/dentist.ics"
    let change =
      other == "-"
      ? gone(name, on: side.opposite)
      : read(Build.version(other), named: name, on: side.opposite)
    let told = try #require(match([seen, change], [Build.agreement("A")]).problems.first).problem
    #expect(told.message == "cut off" + words)
    #expect(mend.isEmpty ? told.hint == broken.hint : told.hint.contains(mend))
    let made: [Character: ItemProblem.Elsewhere] = ["B": .edited, "-": .gone]
    #expect(told.elsewhere == made[other])
  }

  /// Nothing is written over what cannot be kept.
  @Test(arguments: [
    ItemProblem(.unreadable, "cannot be read", hint: ItemProblem.letItBeRead),
    ItemProblem(.tooLarge, "too large", hint: ItemProblem.letItFit + "remove it"),
    ItemProblem(.notAFile, "is a folder", hint: "remove it"),
  ])
  func `no version is offered for a file of which nothing was read`(problem: ItemProblem) throws {
    let seen = Observation(
      side: .local, href: Href("local/dentist.ics"), state: .obstructed(nil, problem))
    let change = read(Build.version("B"), named: "remote/dentist.ics", on: .remote)
    let told = try #require(match([seen, change], [Build.agreement("A")]).problems.first).problem
    #expect(told.hint == problem.hint)
    #expect(told.message == problem.message + "; the remote side has changed it since")
  }

  /// That would be written over the change.
  @Test func `what the log has is not offered where the other side changed the item`() throws {
    let hint = ItemProblem.letItFit + ItemProblem.removeAndRestore
    let seen = Observation(
      side: .local, href: Href("local/dentist.ics"),
      state: .obstructed(nil, ItemProblem(.tooLarge, "too large", hint: hint)))
    let change = read(Build.version("B"), named: "remote/dentist.ics", on: .remote)
    let told = try #require(match([seen, change], [Build.agreement("A")]).problems.first).problem
    #expect(told.hint == ItemProblem.letItFit + ItemProblem.removeAndTakeRemote)
  }

  @Test(arguments: [
    ": to take it away alone \(ItemProblem.deletesThere)",
    ". Taking it away \(ItemProblem.deletesThere).",
  ])
  func `no deletion is threatened where the item is gone already`(warning: String) throws {
    let problem = ItemProblem(.notAFile, "is a folder", hint: "replace it\(warning)")
    let seen = Observation(
      side: .local, href: Href("local/dentist.ics"), state: .obstructed(nil, problem))
    let change = gone("remote/dentist.ics", on: .remote)
    let told = try #require(match([seen, change], [Build.agreement("A")]).problems.first).problem
    #expect(told.hint == "replace it" + ItemProblem.orOnlyRemove)
  }

  @Test func `something new that was not read may be the item that seems gone`() {
    let unread = Observation(side: .local, href: Href("new.ics"), state: .unread(nil))
    let matched = match([gone("local/dentist.ics"), unread], [Build.agreement("A")])
    #expect(matched.items.isEmpty)
    #expect(matched.held == 1)
  }

  @Test func `a file whose UID was changed is a deletion and a new item`() {
    let other = Build.version("A", uid: "checkup")
    let matched = match([read(other, named: "local/dentist.ics")], [Build.agreement("A")])
    let plan = reconcile(matched.items, rules: ReconcileRules(now: Build.now))
    #expect(plan.actions.map(\.uid) == [ItemID("checkup"), ItemID("dentist")])
    #expect(plan.actions.allSatisfy { $0.targets == [.remote] })
  }

  @Test func `a refused content is not sent again until it changes or a day is over`() throws {
    let problem = ItemProblem(.refused, "the server refused it", hint: "see the server")
    let version = Build.version("A")
    var seen = read(version, named: "dentist.ics")
    seen.wait = .refused(
      version.version.digest, problem, retry: Instant(milliseconds: Build.now.milliseconds + 1))
    let waiting = reconcile(match([seen]).items, rules: ReconcileRules(now: Build.now))
    #expect(waiting.actions.isEmpty)
    #expect(waiting.problems.map(\.problem) == [problem])

    let later = Instant(milliseconds: Build.now.milliseconds + 1)
    let retried = reconcile(match([seen]).items, rules: ReconcileRules(now: later))
    #expect(Build.words(retried) == "create on remote")

    var edited = read(Build.version("B"), named: "dentist.ics")
    edited.wait = seen.wait
    let changed = reconcile(match([edited]).items, rules: ReconcileRules(now: Build.now))
    #expect(Build.words(changed) == "create on remote")
  }

  @Test func `that an edit was refused keeps no deletion from it`() throws {
    let problem = ItemProblem(.refused, "the server refused it", hint: "see the server")
    var item = Build.item(base: "A", local: "B", remote: "-")
    let edit = try #require(item.version(on: .local)).version.digest
    let day = Instant(milliseconds: Build.now.milliseconds + 86_400_000)
    item.waits[.local] = .refused(edit, problem, retry: day)
    var rules = ReconcileRules(now: Build.now)
    rules.policy = .remote
    #expect(Build.words(reconcile([item], rules: rules)) == "delete on local")
  }

  @Test func `a change for a read-only side is kept and reported`() {
    var rules = ReconcileRules(now: Build.now)
    rules.readOnly = [.remote]
    let plan = reconcile([Build.item(base: "A", local: "B", remote: "A")], rules: rules)
    #expect(plan.actions.isEmpty)
    #expect(plan.problems.map(\.problem.code) == [.readOnly])
    #expect(plan.problems.map(\.side) == [.local])
  }

  @Test func `a task is not sent to a calendar that takes events alone`() {
    var rules = ReconcileRules(now: Build.now)
    rules.accepted = [.remote: ["VEVENT"]]
    let task = Build.version("A", components: ["VTODO"])
    let item = DifferingItem(uid: task.uid, state: .unmet(local: task, remote: nil))
    let plan = reconcile([item], rules: rules)
    #expect(plan.problems.map(\.problem.code) == [.unsupported])
    #expect(plan.problems.first?.problem.message == "the remote collection takes no VTODO")
  }
}
