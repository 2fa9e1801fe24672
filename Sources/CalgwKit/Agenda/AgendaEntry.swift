public import ICalendar
public import Recurrence

/// A calendar that events were read from.
public final class AgendaCalendar: Sendable {
  /// The folder's name; stays the same when somebody changes the display name.
  public let name: String
  /// What people call it; the folder's name where it has no other.
  public let title: String
  /// `#RRGGBB`
  public let color: String?

  package init(name: String, title: String? = nil, color: String? = nil) {
    self.name = name
    self.title = title ?? name
    self.color = color
  }
}

/// A file that events were read from.
package struct EventFile: Sendable {
  /// Absolute.
  var path: [UInt8]
  var calendar: AgendaCalendar

  package init(path: [UInt8], calendar: AgendaCalendar) {
    self.path = path
    self.calendar = calendar
  }
}

/// What a component says besides its times; shared by all its occurrences.
public final class EventDetails: Sendable {
  /// What kind of thing it is.
  public enum Kind: String, Sendable, CaseIterable {
    case event = "VEVENT"
    case todo = "VTODO"
    case journal = "VJOURNAL"
  }

  public let kind: Kind
  /// Nil where the component has none.
  public let uid: String?
  /// Empty where there is none.
  public let summary: String
  public let location: String?
  public let description: String?
  /// STATUS in upper case.
  public let status: String?
  /// What the start's TZID says; `UTC` for a start in UTC, nil for floating times and dates.
  public let zoneName: String?
  /// Absolute; bytes that are not UTF-8 are `%XX`, and then `isFileEncoded`.
  public let file: String
  public let isFileEncoded: Bool
  public let calendar: AgendaCalendar

  init(
    kind: Kind, uid: String?, summary: String, location: String?, description: String?,
    status: String?, zoneName: String?, file: EventFile
  ) {
    self.kind = kind
    self.uid = uid
    self.summary = summary
    self.location = location
    self.description = description
    self.status = status
    self.zoneName = zoneName
    (self.file, isFileEncoded) = nameText(file.path)
    calendar = file.calendar
  }

  /// It was called off.
  public var isCancelled: Bool { status == "CANCELLED" }

  /// A to-do that is done.
  public var isDone: Bool { status == "COMPLETED" }
}

/// One occurrence as `list` and `expand` show it.
public struct AgendaEntry: Sendable {
  public let details: EventDetails
  public let occurrence: Occurrence
  /// The form of the occurrence's own times, and of its `recurrenceID`.
  let form: TimeForm
  let idForm: TimeForm

  /// The machine-readable form (CONTRACT, "Machine-readable forms"): one line.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "uid", value: .optional(details.uid)),
      .init(name: "component", value: .string(details.kind.rawValue)),
      .init(name: "start", value: .string(form.text(of: occurrence.start))),
      .init(name: "end", value: .string(form.text(of: occurrence.end))),
      .init(name: "allDay", value: .boolean(occurrence.isAllDay)),
      .init(name: "tzid", value: .optional(details.zoneName)),
      .init(name: "recurrenceId", value: .optional(recurrenceID)),
      .init(name: "summary", value: .string(details.summary)),
      .init(name: "location", value: .optional(details.location)),
      .init(name: "description", value: .optional(details.description)),
      .init(name: "status", value: .optional(details.status)),
      .init(name: "file", value: .string(details.file)),
    ]
    if details.isFileEncoded {
      members.append(.init(name: "fileEncoded", value: .boolean(true)))
    }
    members.append(.init(name: "calendar", value: .string(details.calendar.name)))
    return .object(members)
  }

  /// What names this occurrence of its series, as `edit --occurrence` takes it; nil for what does
  /// not recur.
  public var recurrenceID: String? { occurrence.recurrenceID.map { idForm.text(of: $0) } }

  /// The short form of a batch.
  var instanceJSON: JSONValue {
    .object(
      ("uid", .optional(details.uid)), ("start", .string(form.text(of: occurrence.start))),
      ("end", .string(form.text(of: occurrence.end))), ("recurrenceId", .optional(recurrenceID)),
      ("summary", .string(details.summary)))
  }

  /// The order of a listing: by start, all-day first, then by end, title and file.
  static func < (left: AgendaEntry, right: AgendaEntry) -> Bool {
    let (one, other) = (left.occurrence, right.occurrence)
    if one.start.instant != other.start.instant { return one.start.instant < other.start.instant }
    if one.isAllDay != other.isAllDay { return one.isAllDay }
    if one.end.instant != other.end.instant { return one.end.instant < other.end.instant }
    if left.details.summary != right.details.summary {
      return left.details.summary < right.details.summary
    }
    if left.details.file != right.details.file { return left.details.file < right.details.file }
    return (one.recurrenceID?.instant ?? Int.min) < (other.recurrenceID?.instant ?? Int.min)
  }
}

extension AgendaEntry {
  /// Weekday, start and end in the occurrence's own zone, with its offset: for people.
  public var timeSpan: String {
    let (start, end) = (occurrence.start, occurrence.end)
    let first = Gregorian.floorDivide(start.wall, 86_400)
    let weekday = Weekday.allCases[Gregorian.weekday(ofDay: first)].shortName
    if occurrence.isAllDay {
      let last = max(first, Gregorian.floorDivide(end.wall - 1, 86_400))
      let days = weekday + " " + wallText(start.wall, withClock: false)
      return last > first ? days + " to " + wallText(last * 86_400, withClock: false) : days
    }
    func clock(_ time: OccurrenceTime) -> String {
      String(wallText(time.wall, withClock: true).suffix(8))
    }
    var text = weekday + " " + wallText(start.wall, withClock: false) + " " + clock(start).prefix(5)
    if end.instant > start.instant {
      let isSameDay = Gregorian.floorDivide(end.wall, 86_400) == first
      text += isSameDay ? "-" : " to " + wallText(end.wall, withClock: false) + " "
      text += clock(end).prefix(5)
    }
    let written = form.text(of: start)
    // What stands behind the seconds.
    return text + " " + written.dropFirst(19)
  }
}

extension Weekday {
  /// `Monday`
  public var name: String { TimeWords.name(self) }

  /// `Mon`
  public var shortName: String { String(name.prefix(3)) }
}

extension CivilDate {
  /// `January`
  public var monthName: String { TimeWords.month(month) ?? "" }
}
