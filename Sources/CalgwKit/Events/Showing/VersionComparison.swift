import ICalendar
import Recurrence
import SyncModel
public import SyncPlanning

/// Two versions of an item side by side, with dates in words, for a person to choose between them.
public struct VersionComparison: Sendable {
  /// What the versions say of one thing. From outside, and not yet made safe for a terminal.
  public struct Row: Sendable, Hashable {
    public var label: String
    /// Empty where the version says nothing of it.
    public var local: [String]
    public var remote: [String]

    /// Both say the same.
    public var isSame: Bool { local == remote }
  }

  /// When it is and how it repeats; of all else what the versions do not have alike. Empty where a
  /// text is not kept any more.
  public let rows: [Row]
  /// What no row tells, from the remote version to the local one.
  public let others: [PropertyDifference]

  /// - Parameters:
  ///   - differences: from the remote version to the local one.
  ///   - here: where the person is who reads it.
  init(
    local: ItemData?, remote: ItemData?, differences: [PropertyDifference], here: Zone
  ) {
    guard let local, let remote else {
      rows = []
      others = differences
      return
    }
    rows = Self.rows(Self.lines(of: local, here: here), Self.lines(of: remote, here: here))
    // A row of several things, as of attendees, may leave out what else differs.
    let told = Set(rows.filter { !$0.isSame }.map(\.label)).subtracting([
      "status", "attendees", "alarms",
    ])
    others = differences.filter { difference in
      guard let label = Self.label(of: difference) else { return true }
      return !told.contains(label)
    }
  }

  private static func lines(of data: ItemData, here: Zone) -> [ItemDetails.Row] {
    let object = CalendarObject(SyntaxTree(bytes: data.bytes))
    let title = ItemDetails.Row(
      label: "title", lines: object.summary.isEmpty ? [] : [object.summary])
    return [title] + DetailsReader(object, here: here).content(tellingUsual: true)
  }

  private static func rows(_ local: [ItemDetails.Row], _ remote: [ItemDetails.Row]) -> [Row] {
    zip(local, remote).map { Row(label: $0.label, local: $0.lines, remote: $1.lines) }
      .filter { row in
        let isAlways = row.label == "when" || row.label == "repeats"
        return row.isSame ? isAlways && !row.local.isEmpty : true
      }
  }

  /// The row that a difference shows in; nil where it shows in none.
  private static func label(of difference: PropertyDifference) -> String? {
    guard difference.occurrence == nil else {
      return ["", "DTSTART", "SUMMARY"].contains(difference.property) ? "changed" : nil
    }
    return labels[difference.property]
  }

  private static let labels = [
    "SUMMARY": "title", "DTSTART": "when", "DTEND": "when", "DUE": "when", "DURATION": "when",
    "RRULE": "repeats", "EXDATE": "except", "RDATE": "also", "LOCATION": "where",
    "STATUS": "status", "TRANSP": "status", "CLASS": "status", "PRIORITY": "status",
    "PERCENT-COMPLETE": "status", "ORGANIZER": "organizer", "ATTENDEE": "attendees",
    "VALARM": "alarms", "URL": "link", "ATTACH": "attached", "CATEGORIES": "categories",
    "DESCRIPTION": "notes",
  ]
}
