import SyncExecution
import SyncModel

/// A value of a collection that was changed beside a side which is read-only: it is kept, as an
/// edited item is, and goes nowhere.
struct StuckValue: Sendable, Hashable {
  let value: DifferingValue
  let problem: ItemProblem

  /// - Parameter target: the side that is read-only.
  init(_ value: DifferingValue, target: Side, in pair: PairConfiguration) {
    self.value = value
    func shown(_ text: String) -> String { "\"\(visibleText(text, limit: 40))\"" }
    let (key, side) = (value.key.rawValue, target.opposite)
    let there = value[target].flatMap { $0.isEmpty ? nil : shown($0) }
    var hint = there.map { "Set it to \($0) again" } ?? "Remove it"
    let own = value[side] ?? ""
    let stays =
      own.isEmpty
      ? "it keeps that, and the \(side.rawValue) side has none"
      : "the \(key) \(shown(own)) stays on the \(side.rawValue) side"
    // The command line names none of them.
    if !pair.name.hasPrefix("adhoc-") { hint += ", take \"\(key)\" out of the pair's metadata" }
    problem = ItemProblem(
      .readOnly,
      "the \(target.rawValue) side is read-only and has \(own.isEmpty ? "the \(key) " : "")"
        + "\(there ?? "none"), so \(stays)",
      // Names and colours go by what the server says, whatever the pair says of writing.
      hint: pair.triesWrites && target == .remote
        ? hint + ", or ask the calendar's owner for the right to set it"
        : hint + ItemProblem.orMakeWritable(target))
  }

  /// A problem of the whole collection, and of no item.
  var reported: ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""), problem: problem)
  }
}
