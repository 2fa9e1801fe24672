import ICalendar
import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Takes conflicts out of a plan whose sides differ in SEQUENCE, LAST-MODIFIED, DTSTAMP and
  /// CREATED alone: nobody has anything to decide there. The newer one goes to the other side, if
  /// the run may write there.
  func settleNoise(_ plan: Plan) async throws(SyncFailure) -> Plan {
    if plan.conflicts.isEmpty { return plan }
    let digests = plan.conflicts.flatMap { [$0.local.version.digest, $0.remote.version.digest] }
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents(digests)
    }
    var settled = plan
    settled.conflicts = []
    let rules = rules
    for conflict in plan.conflicts {
      guard let here = texts[conflict.local.version.digest],
        let there = texts[conflict.remote.version.digest], hasOneEssence(here, there)
      else {
        settled.conflicts.append(conflict)
        continue
      }
      let newer =
        winner(conflict.local, conflict.remote, base: nil, policy: .newest, now: rules.now)
        ?? .remote
      let target = newer.opposite
      guard rules.direction.writes(to: target), !rules.readOnly.contains(target) else { continue }
      let (source, old) =
        newer == .local ? (conflict.local, conflict.remote) : (conflict.remote, conflict.local)
      let action = Action.replace(
        on: target, old: old, source: source, text: .whole,
        reason: "only the times of the two versions differed; the newer one holds")
      if let problem = obstacle(to: action, on: target, waits: conflict.waits, rules) {
        settled.problems.append(
          ItemTrouble(
            uid: conflict.uid, side: newer, href: source.href, summary: source.summary,
            problem: problem))
      } else {
        settled.actions.append(action)
      }
    }
    return settled
  }

  func hasOneEssence(_ one: ItemData, _ other: ItemData) -> Bool {
    guard let first = essence(of: SyntaxTree(bytes: one.bytes)) else { return false }
    return first == essence(of: SyntaxTree(bytes: other.bytes))
  }
}
