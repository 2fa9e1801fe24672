import SyncModel

/// What a pair leaves out by its `components` stays where it is, and nothing is said of it. An item
/// that one side alone has as a kind that is left out waits instead, and is named: the other side's
/// changes of it go nowhere, and both sides may have shared it.
struct LeftOutKinds {
  private let item: DifferingItem
  /// By side, the kind of what it has.
  private let kinds: [Side: String]
  /// No side has it as a kind that is synced.
  let isWholeItem: Bool

  /// Nil where nothing of the item is left out.
  init?(_ item: DifferingItem, _ rules: ReconcileRules) {
    guard let components = rules.components else { return nil }
    let versions = Side.allCases.compactMap { side in item.version(on: side).map { (side, $0) } }
    kinds = versions.reduce(into: [:]) { kinds, version in
      kinds[version.0] = version.1.components.filter { !components.contains($0) }.min()
    }
    if kinds.isEmpty { return nil }
    self.item = item
    isWholeItem = kinds.count == versions.count
  }

  /// Why it waits, where something would be done about it; nil where nothing would, and where a
  /// person wants the version of the kind that is synced, and no other.
  func trouble(instead decision: Decision, _ rules: ReconcileRules) -> ItemTrouble? {
    guard let side = kinds.keys.min(), let kind = kinds[side],
      let version = item.version(on: side)
    else { return nil }
    if rules.preferred[item.uid] == side.opposite, !rules.keptBoth.contains(item.uid) {
      return nil
    }
    switch decision {
    case .nothing: return nil
    case .conflict: break
    case .act(let action):
      guard let target = action.targets.first, rules.direction.writes(to: target) else {
        return nil
      }
    }
    var hint = "Add \(kind) to the pair's `components` to have it synced"
    if case .agreed = item.state, rules.direction.writes(to: side), !rules.readOnly.contains(side) {
      let other = side.opposite.rawValue
      hint += "; or `calgw resolve UID --take \(other)` puts the \(other) one in its place"
    }
    return ItemTrouble(
      uid: item.uid, side: side, href: version.href, summary: version.summary,
      problem: ItemProblem(
        .unsupported,
        "on the \(side.rawValue) side it is a \(kind), which this pair leaves out",
        hint: hint + "."))
  }
}
