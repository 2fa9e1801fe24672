import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// The tables of docs/reconcile.md, row by row.
@Suite struct ReconcileTableTests {
  static func tables() throws -> [[[String]]] { try Project.tables(in: "docs/reconcile.md") }

  private func letters(_ cell: String) -> [Character] {
    cell.split(separator: " ").compactMap(\.first)
  }

  @Test func `every row of the first table is what reconcile does`() throws {
    let rows = try Self.tables()[0].dropFirst()
    #expect(rows.count == 14)
    for row in rows {
      let letters = row.prefix(3).compactMap(\.first)
      let item = Build.item(base: letters[0], local: letters[1], remote: letters[2])
      let plan = reconcile([item], rules: ReconcileRules(now: Build.now))
      #expect(Build.words(plan) == row[3], "\(row)")
    }
  }

  @Test func `every policy settles conflicts as the second table says`() throws {
    let table = try Self.tables()[1]
    let columns = table[0].dropFirst().map(letters)
    #expect(Set(table.dropFirst().map { $0[0] }) == Set(ConflictPolicy.allCases.map(\.rawValue)))
    for row in table.dropFirst() {
      var rules = ReconcileRules(now: Build.now)
      rules.policy = try #require(ConflictPolicy(rawValue: row[0]))
      for (state, expected) in zip(columns, row.dropFirst()) {
        let item = Build.item(base: state[0], local: state[1], remote: state[2])
        #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(row[0]) \(state)")
      }
    }
  }

  @Test func `what a deletion elsewhere has taken along comes back, whatever the policy`() {
    for policy in ConflictPolicy.allCases {
      var rules = ReconcileRules(now: Build.now)
      rules.policy = policy
      rules.takenAlong = [ItemID("dentist")]
      for local: Character in ["A", "B"] {
        let item = Build.item(base: "A", local: local, remote: "-")
        #expect(Build.words(reconcile([item], rules: rules)) == "create on remote")
      }
      let gone = Build.item(base: "A", local: "-", remote: "-")
      #expect(Build.words(reconcile([gone], rules: rules)) == "forget")
    }
  }

  @Test func `one-way runs do as the third table says, whatever the policy`() throws {
    let table = try Self.tables()[2]
    let columns = table[0].dropFirst().map(letters)
    for row in table.dropFirst() {
      for policy in [ConflictPolicy.merge, .newest] {
        var rules = ReconcileRules(now: Build.now)
        rules.policy = policy
        rules.direction = try #require(SyncDirection(rawValue: row[0]))
        for (state, expected) in zip(columns, row.dropFirst()) {
          let item = Build.item(base: state[0], local: state[1], remote: state[2])
          #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(row[0]) \(state)")
        }
      }
    }
  }

  /// CONTRACT: a push carries out those actions of the sync's plan that write to the remote side.
  @Test func `one-way runs let the policy's side delete, as a sync does`() throws {
    let table = try Self.tables()[3]
    for row in table.dropFirst() {
      for (title, expected) in zip(table[0], row).dropFirst() {
        let words = title.split(separator: " ")
        let state = words.dropFirst().compactMap(\.first)
        var rules = ReconcileRules(now: Build.now)
        rules.policy = try #require(ConflictPolicy(rawValue: row[0]))
        let item = Build.item(base: state[0], local: state[1], remote: state[2])
        let both = Build.words(reconcile([item], rules: rules))
        rules.direction = try #require(SyncDirection(rawValue: String(words[0])))
        #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(row[0]) \(title)")
        let target: Side = rules.direction == .push ? .remote : .local
        #expect(expected == (both.hasSuffix(target.rawValue) ? both : "nothing"))
      }
    }
  }

  @Test func `what a person decided is done as the fourth table says, under every policy`() throws {
    let table = try Self.tables()[4]
    let columns = table[0].dropFirst().map(letters)
    for row in table.dropFirst() {
      let side = try #require(Side(rawValue: row[0]))
      for (state, expected) in zip(columns, row.dropFirst()) {
        let item = Build.item(base: state[0], local: state[1], remote: state[2])
        var rules = ReconcileRules(now: Build.now)
        rules.preferred[item.uid] = side
        #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(row[0]) \(state)")
        // Against the other side's policy the item itself stays.
        rules.policy = side == .local ? .remote : .local
        if state[side == .local ? 1 : 2] != "-" {
          #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(row[0]) \(state)")
        }
      }
    }
  }

  @Test(arguments: ["B" as Character, "A"])
  func `where a person keeps both, no reason says that one won`(local: Character) throws {
    let item = Build.item(base: "A", local: local, remote: "C")
    var rules = ReconcileRules(now: Build.now)
    rules.preferred[item.uid] = .local
    rules.keptBoth = [item.uid]
    let action = try #require(reconcile([item], rules: rules).actions.first)
    guard case .replace(.remote, _, _, _, let reason) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(
      reason.hasSuffix("a person decided: both are kept, the remote one as a second item"))
  }

  @Test func `a sync of a one-way pair goes by the policy, where it may write to who gives way`() {
    let item = Build.item(base: "A", local: "B", remote: "C", newer: .remote)
    var rules = ReconcileRules(now: Build.now)
    rules.settlesOneWay = true
    for (direction, policy, expected) in [
      (.pull, .remote, "replace on local"), (.pull, .local, "conflict"),
      (.pull, .newest, "replace on local"), (.pull, .merge, "conflict"),
      (.push, .local, "replace on remote"), (.push, .remote, "conflict"),
      (.push, .newest, "conflict"), (.push, .ask, "conflict"),
    ] as [(SyncDirection, ConflictPolicy, String)] {
      (rules.direction, rules.policy) = (direction, policy)
      #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(direction) \(policy)")
    }
  }

  @Test func `in a one-way run a person decides for the side that is not written`() throws {
    let item = Build.item(base: "A", local: "B", remote: "C")
    var rules = ReconcileRules(now: Build.now)
    for (direction, side, expected) in [
      (.pull, .remote, "replace on local"), (.pull, .local, "conflict"),
      (.push, .local, "replace on remote"), (.push, .remote, "conflict"),
    ] as [(SyncDirection, Side, String)] {
      rules.direction = direction
      rules.preferred[item.uid] = side
      #expect(Build.words(reconcile([item], rules: rules)) == expected, "\(direction) \(side)")
    }
  }

  @Test func `a later remote edit wins under newest`() {
    var rules = ReconcileRules(now: Build.now)
    rules.policy = .newest
    let item = Build.item(base: "A", local: "B", remote: "C", newer: .remote)
    #expect(Build.words(reconcile([item], rules: rules)) == "replace on local")
  }
}
