public import ICalendar
import Recurrence
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
  var told: [PropertyDifference] = []
  for loss in lost {
    let meant = differences.filter(loss.isIn)
    let ofBoth = meant.filter { difference in own.contains { $0.leads(to: difference) } }
    let words = meant.isEmpty ? [loss.inWords] : ofBoth.isEmpty ? meant : ofBoth
    told += words.filter { !told.contains($0) }
  }
  return told
}

extension LostChange {
  /// Whether a difference of the version that gave way may be what was lost.
  fileprivate func isIn(_ difference: PropertyDifference) -> Bool {
    guard let occurrence else {
      return difference.occurrence == nil && difference.property == name
    }
    guard let day = Self.day(occurrence) else { return false }
    // The series says which of its occurrences are cancelled.
    if name == "EXDATE" { return difference.property == name && difference.before == day }
    guard difference.occurrence?.hasPrefix(day) ?? false else { return false }
    return difference.property == name || difference.component == name
  }

  /// The day of a RECURRENCE-ID, for people.
  private static func day(_ text: String) -> String? {
    var notes: [ValueNote] = []
    return (try? DateTime.read(Array(text.utf8), notes: &notes)).map {
      TimeWords.dayAlone($0.civil.date)
    }
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
