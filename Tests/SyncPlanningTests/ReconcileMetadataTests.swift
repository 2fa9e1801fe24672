import SyncModel
import SyncPlanning
import Testing

/// Three-way decisions about names and colours.
@Suite struct ReconcileMetadataTests {
  private func decide(
    _ base: (String?, String?)?, _ local: String?, _ remote: String?,
    _ policy: ConflictPolicy = .merge, _ key: MetadataKey = .displayname,
    direction: SyncDirection = .both, settlesOneWay: Bool = false, readOnly: Set<Side> = []
  ) -> MetadataDecision {
    var rules = MetadataRules(policy: policy)
    rules.direction = direction
    rules.settlesOneWay = settlesOneWay
    rules.readOnly = readOnly
    return reconcileMetadata(
      key, base: base.map { MetadataBase(local: $0.0, remote: $0.1) }, local: local, remote: remote,
      rules: rules)
  }

  private let toLocal = MetadataDecision.set(on: .local, isConflict: false)
  private let toRemote = MetadataDecision.set(on: .remote, isConflict: false)

  @Test func `the side that changed goes to the other`() {
    #expect(decide(("A", "A"), "A", "A") == .settled)
    #expect(decide(("A", "A"), "B", "A") == toRemote)
    #expect(decide(("A", "A"), "A", "B") == toLocal)
    #expect(decide(("A", "A"), "B", "B") == .settled)
  }

  @Test func `what a server keeps in a form of its own does not travel to and fro`() {
    #expect(decide(("A & B", "A &amp; B"), "A & B", "A &amp; B") == .settled)
    #expect(decide(("A & B", "A &amp; B"), "C", "A &amp; B") == toRemote)
    #expect(decide(("3", "17"), "3", "17", .merge, .order) == .settled)
  }

  @Test(arguments: [
    (ConflictPolicy.merge, MetadataDecision.set(on: .local, isConflict: true)),
    (.newest, .set(on: .local, isConflict: true)), (.remote, .set(on: .local, isConflict: true)),
    (.local, .set(on: .remote, isConflict: true)), (.ask, .undecided),
  ])
  func `where both changed it the policy says who wins`(
    policy: ConflictPolicy, expected: MetadataDecision
  ) {
    #expect(decide(("A", "A"), "B", "C", policy) == expected)
    #expect(decide(nil, "B", "C", policy) == expected)
  }

  /// As an item that was edited there.
  @Test(arguments: ConflictPolicy.allCases, Side.allCases)
  func `beside a read-only side no policy takes back what was changed`(
    policy: ConflictPolicy, side: Side
  ) {
    let stays = MetadataDecision.set(on: side, isConflict: true)
    #expect(decide(("A", "A"), "B", "C", policy, readOnly: [side]) == stays)
    // What one side alone changed goes its way, and what they never agreed on is no edit.
    #expect(decide(("A", "A"), "A", "C", policy, readOnly: [side]) == toLocal)
    #expect(decide(nil, "B", "C", policy, readOnly: [side]) == decide(nil, "B", "C", policy))
  }

  @Test(arguments: ConflictPolicy.allCases, [SyncDirection.push, .pull])
  func `a push or pull leaves to a sync what both sides changed`(
    policy: ConflictPolicy, direction: SyncDirection
  ) {
    #expect(decide(("A", "A"), "B", "C", policy, direction: direction) == .undecided)
    #expect(decide(nil, "B", "C", policy, direction: direction) == .undecided)
    #expect(decide(("A", "A"), "B", "A", policy, direction: direction) == toRemote)
    #expect(decide(("A", "A"), "A", "C", policy, direction: direction) == toLocal)
    #expect(decide(("A", "A"), "B", "B", policy, direction: direction) == .settled)
  }

  /// Each with the side that gets the other one's value; nil: it waits.
  @Test(
    arguments: [
      (.pull, .merge, .local), (.pull, .newest, .local), (.pull, .remote, .local),
      (.pull, .local, nil), (.pull, .ask, nil), (.push, .local, .remote), (.push, .merge, nil),
      (.push, .newest, nil), (.push, .remote, nil), (.push, .ask, nil),
    ] as [(direction: SyncDirection, policy: ConflictPolicy, target: Side?)])
  func `a pair of one direction goes by the policy where it may write`(
    rule: (direction: SyncDirection, policy: ConflictPolicy, target: Side?)
  ) {
    let expected = rule.target.map { MetadataDecision.set(on: $0, isConflict: true) }
    let decision = decide(
      ("A", "A"), "B", "C", rule.policy, direction: rule.direction, settlesOneWay: true)
    #expect(decision == expected ?? .undecided)
  }

  @Test func `a side without a value gets one, and one that was removed is no wish to have none`() {
    #expect(decide(nil, nil, "A") == toLocal)
    #expect(decide(nil, "A", nil) == toRemote)
    #expect(decide(nil, nil, nil) == .settled)
    #expect(decide(("A", "A"), nil, "A") == .settled)
    #expect(decide(("A", "A"), "A", nil) == .settled)
    #expect(decide(("A", "A"), nil, "B") == toLocal)
  }

  @Test(arguments: ["#FF8800", "#ff8800ff", "#F80", "ff8800", "#f80f"])
  func `a colour is the same in every form`(form: String) {
    #expect(decide(("#ff8800", "#ff8800"), "#ff8800", form, .merge, .color) == .settled)
    #expect(decide(nil, form, "#ff8800", .merge, .color) == .settled)
  }

  @Test func `an alpha is carried, and one that a server drops is not missed`() {
    let opaque = ("#ff0000", "#ff0000")
    #expect(decide(opaque, "#ff000080", "#FF0000FF", .merge, .color) == toRemote)
    #expect(decide(opaque, "#ff0000", "#FF0000C0", .merge, .color) == toLocal)
    // What was read back is the base.
    let dropped = ("#ff000080", "#ff0000")
    #expect(decide(dropped, "#ff000080", "#FF0000", .merge, .color) == .settled)
    #expect(decide(dropped, "#ff000080", "#00FF00", .merge, .color) == toLocal)
    // Without a base nobody knows who dropped it.
    #expect(decide(nil, "#ff000080", "#ff0000", .merge, .color) == .settled)
    #expect(decide(nil, "red", "#FF0000C0", .merge, .color) == .settled)
    #expect(
      decide(nil, "#ff000080", "#FF0000C0", .merge, .color)
        == .set(on: .local, isConflict: true))
  }

  @Test(
    arguments: [
      ("red", "#ff0000"), ("Blue", "#0000ff"), ("RebeccaPurple", "#663399"),
      ("transparent", "#00000000"), ("#f008", "#ff000088"), ("#F00F", "#ff0000"), ("", nil),
      ("#12345", nil),
      ("darkseagreen", "#8fbc8f"), ("lightgoldenrodyellow", "#fafad2"), ("#GG0000", nil),
    ] as [(String, String?)])
  func `names of CSS are colours`(name: String, value: String?) {
    #expect(normalColor(name) == value)
  }

  @Test func `a name of several lines is the one that a server makes of it`() {
    #expect(decide(("A", "A"), "A\r\nB", "A B") == .settled)
    #expect(decide(("A", "A"), "A \n \n\t B", "A B") == .settled)
    #expect(decide(("A", "A"), "A\nB", "A") == toRemote)
    #expect(isSame(.displayname, "A\r\nB", "A B"))
    #expect(!isSame(.description, "A\nB", "A B"))
  }

  @Test func `names that differ in normalisation alone are two`() {
    #expect(decide(("caf\u{E9}", "caf\u{E9}"), "cafe\u{301}", "caf\u{E9}") == toRemote)
  }
}
