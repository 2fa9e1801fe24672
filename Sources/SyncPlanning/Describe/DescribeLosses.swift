public import ICalendar
public import SyncModel

/// Says in words what of a side's version gives way to the other side's where the two are merged:
/// from what it is to what comes out.
///
/// - Parameter own: What that side changed since both agreed; empty where they never did. Beside
///   an attendee that both changed there may be one that the other side alone has changed.
public func describeLosses(
  of side: Side, in merged: MergedTexts, from version: SyntaxTree, own: [PropertyDifference],
  zones: ItemZones = .ownDefinitions
) -> [PropertyDifference] {
  let lost = merged.lost.filter { $0.winner == side.opposite }
  if lost.isEmpty { return [] }
  let outcome = SyntaxTree(bytes: side == .local ? merged.local : merged.remote)
  let differences = describeChange(from: version, to: outcome, zones: zones)
  let days = occurrenceDays(in: merged, TimeContext(zones, [version, outcome]))
  var told: [PropertyDifference] = []
  for loss in lost {
    let named = loss.occurrence.map { days[$0] ?? [] }
    let meant = differences.filter { loss.isIn($0, of: named) }
    let ofBoth = meant.filter { difference in own.contains { $0.leads(to: difference) } }
    let words = meant.isEmpty ? [loss.inWords] : ofBoth.isEmpty ? meant : ofBoth
    told += words.filter { !told.contains($0) }
  }
  return told
}

/// The days of the occurrences that a merge had to settle, for people, by their RECURRENCE-IDs:
/// each is in what comes out, in the spelling of one of the sides.
private func occurrenceDays(
  in merged: MergedTexts, _ context: TimeContext
) -> [String: Set<String>] {
  [merged.local, merged.remote].reduce(into: [:]) { days, bytes in
    let parts = ItemParts(SyntaxTree(bytes: bytes), context)
    days.merge(parts?.daysByValue ?? [:]) { $0.union($1) }
  }
}

extension LostChange {
  /// Whether a difference of the version that gave way may be what was lost.
  ///
  /// - Parameter days: of the occurrence; nil in the item itself.
  fileprivate func isIn(_ difference: PropertyDifference, of days: Set<String>?) -> Bool {
    guard let days else { return difference.occurrence == nil && difference.property == name }
    // The series says which of its occurrences are cancelled.
    if name == "EXDATE" {
      return difference.property == name && days.contains { $0 == difference.before }
    }
    guard days.contains(where: { difference.occurrence?.hasPrefix($0) ?? false }) else {
      return false
    }
    return difference.property == name || difference.component == name
  }

  /// Where the two versions say it in ways that no words tell apart.
  fileprivate var inWords: PropertyDifference {
    PropertyDifference(
      component: "", property: name, before: nil, after: nil,
      words: "\(ChangeDescription.label(of: name)) as it is there")
  }
}

extension PropertyDifference {
  /// It made of a version what another difference takes back.
  fileprivate func leads(to other: PropertyDifference) -> Bool {
    property == other.property && occurrence == other.occurrence && after == other.before
  }
}
