import SyncModel
import SyncPlanning
import Testing

/// What `components` leaves out, where a side makes an event a task.
@Suite struct LeftOutKindsTests {
  private static let kinds: [Character: String] = ["E": "VEVENT", "T": "VTODO", "J": "VJOURNAL"]

  /// A side is a kind and whether it was edited (`E*`); `-` is nothing there.
  private func item(_ base: Character, _ local: String, _ remote: String) -> DifferingItem {
    func version(_ words: String, _ side: Side) -> ItemVersion? {
      guard let letter = words.first, let kind = Self.kinds[letter] else { return nil }
      return Build.version(
        words.hasSuffix("*") ? "B" : letter, on: side, components: [kind])
    }
    let (here, there) = (version(local, .local), version(remote, .remote))
    guard let shared = version(String(base), .local),
      let sharedThere = version(String(base), .remote)
    else {
      return DifferingItem(uid: ItemID("dentist"), state: .unmet(local: here, remote: there))
    }
    let agreed = Agreement(uid: ItemID("dentist"), local: shared, remote: sharedThere)
    return DifferingItem(
      uid: ItemID("dentist"),
      state: .agreed(
        agreed, local: detectChange(from: agreed.local, to: here),
        remote: detectChange(from: agreed.remote, to: there)))
  }

  /// Of a pair that syncs events alone.
  private let eventsAlone = {
    var rules = ReconcileRules(now: Build.now)
    rules.components = ["VEVENT"]
    return rules
  }()

  @Test(
    arguments: [
      ("E", "E*", "T", Side.remote, "VTODO"),
      ("E", "E", "T", .remote, "VTODO"),
      ("E", "T", "E*", .local, "VTODO"),
      ("E", "J", "E", .local, "VJOURNAL"),
      ("T", "E", "T", .remote, "VTODO"),
      ("-", "E", "T", .remote, "VTODO"),
    ] as [(Character, String, String, Side, String)])
  func `an item that one side made a kind that is left out is named`(
    base: Character, local: String, remote: String, side: Side, kind: String
  ) throws {
    for policy in ConflictPolicy.allCases {
      var rules = eventsAlone
      rules.policy = policy
      let plan = reconcile([item(base, local, remote)], rules: rules)
      #expect(plan.actions == [] && plan.conflicts == [])
      let trouble = try #require(plan.problems.first)
      #expect(trouble.side == side && trouble.problem.code == .unsupported)
      #expect(trouble.problem.message.contains("it is a \(kind), which this pair leaves out"))
      #expect(trouble.problem.hint.contains("Add \(kind) to the pair's `components`"))
      let taking = "`calgw resolve UID --take \(side.opposite.rawValue)`"
      #expect(trouble.problem.hint.contains(taking) == (base != "-"))
    }
  }

  @Test(
    arguments: [
      ("E", "-", "T"), ("E", "T", "-"), ("E", "T", "J"), ("T", "T", "T"), ("-", "T", "-"),
      ("-", "T", "J"),
    ] as [(Character, String, String)])
  func `what no side has as a kind that is synced stays where it is, untold`(
    base: Character, local: String, remote: String
  ) {
    #expect(reconcile([item(base, local, remote)], rules: eventsAlone) == Plan())
  }

  @Test func `an edit that a run does not carry is not named`() {
    var rules = eventsAlone
    rules.direction = .pull
    #expect(reconcile([item("E", "T", "E")], rules: rules) == Plan())
  }

  @Test func `the kind that is synced goes over the other one where a person wants it`() {
    let task = item("E", "E*", "T")
    var rules = eventsAlone
    rules.preferred[task.uid] = .local
    #expect(Build.words(reconcile([task], rules: rules)) == "replace on remote")
    rules.preferred[task.uid] = .remote
    #expect(reconcile([task], rules: rules).problems.map(\.problem.code) == [.unsupported])
    rules.preferred[task.uid] = .local
    rules.keptBoth = [task.uid]
    #expect(reconcile([task], rules: rules).problems.map(\.problem.code) == [.unsupported])
  }
}
