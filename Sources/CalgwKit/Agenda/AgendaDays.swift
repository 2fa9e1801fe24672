public import ICalendar
import Recurrence

/// An agenda as people read it: what is on, day by day.
public struct AgendaDay: Sendable {
  public let date: CivilDate
  /// All-day first, then by time.
  public var rows: [AgendaRow]
}

/// An occurrence on one day.
public struct AgendaRow: Sendable {
  public let entry: AgendaEntry
  /// When it is on that day, as `09:00-10:00`.
  public let time: String
  /// Which of its days this is, from 1, and how many it has; nil where it has one.
  public let part: (day: Int, of: Int)?
  /// The day after which nothing of it is left, where it is listed on one day only although it
  /// has more; nil elsewhere.
  public let lastDay: CivilDate?
}

extension Agenda {
  /// In a longer time, what takes several days is listed on the first of them only: else one event
  /// of ten thousand years would fill the screen for ever.
  static let daysWithRepeats = 62

  /// The days on which something is, in order.
  public var days: [AgendaDay] {
    let first = Gregorian.floorDivide(zone.wall(at: window.from), 86_400)
    let last = Gregorian.floorDivide(zone.wall(at: window.to - 1), 86_400)
    var rows: [Int: [AgendaRow]] = [:]
    for entry in entries {
      let span = DaySpan(entry, in: zone)
      let shown = max(span.first, first)...max(min(span.last, last), max(span.first, first))
      let repeats = last - first < Self.daysWithRepeats && !span.isOnOneDay
      for day in repeats ? shown : span.day(in: shown) {
        rows[day, default: []].append(span.row(on: day, isAlone: !repeats))
      }
    }
    return rows.keys.sorted().compactMap { day in
      CivilDate(daysSince1970: day).map { date in
        AgendaDay(date: date, rows: Self.sorted(rows[day] ?? [], on: day, zone: zone))
      }
    }
  }

  /// What fills the day before what has a time, each in the order of the agenda.
  private static func sorted(_ rows: [AgendaRow], on day: Int, zone: Zone) -> [AgendaRow] {
    let isWhole = { (row: AgendaRow) in row.time == DaySpan.allDay }
    return rows.filter(isWhole) + rows.filter { !isWhole($0) }
  }

  /// The calendars that something is in, each once.
  public var calendars: [AgendaCalendar] {
    var seen: Set<ObjectIdentifier> = []
    return entries.map(\.details.calendar).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

/// The days of an occurrence, as the wall of a zone shows them.
private struct DaySpan {
  static let allDay = "all day"

  let entry: AgendaEntry
  /// Seconds on the wall.
  let start: Int
  let end: Int
  /// What the clock shows at the end: where clocks go back, perhaps no more than at the start.
  private let clockEnd: Int
  let first: Int
  let last: Int

  init(_ entry: AgendaEntry, in zone: Zone) {
    self.entry = entry
    let occurrence = entry.occurrence
    if occurrence.isAllDay {
      start = occurrence.start.wall
      clockEnd = occurrence.end.wall
    } else {
      start = zone.wall(at: occurrence.start.instant)
      clockEnd = zone.wall(at: occurrence.end.instant)
    }
    end = max(start, clockEnd)
    first = Gregorian.floorDivide(start, 86_400)
    last = max(first, Gregorian.floorDivide(end - 1, 86_400))
  }

  /// A to-do belongs to the day when it is due.
  var isOnOneDay: Bool { entry.details.kind == .todo || first == last }

  func day(in shown: ClosedRange<Int>) -> ClosedRange<Int> {
    let due = Gregorian.floorDivide(end, 86_400)
    if entry.details.kind == .todo, shown.contains(due) { return due...due }
    return shown.lowerBound...shown.lowerBound
  }

  func row(on day: Int, isAlone: Bool) -> AgendaRow {
    let count = last - first + 1
    let hasParts = count > 1 && entry.details.kind != .todo
    return AgendaRow(
      entry: entry, time: time(on: day),
      part: hasParts && !isAlone ? (day - first + 1, count) : nil,
      lastDay: hasParts && isAlone ? CivilDate(daysSince1970: last) : nil)
  }

  private func time(on day: Int) -> String {
    if entry.occurrence.isAllDay { return Self.allDay }
    if entry.details.kind == .todo {
      let due = entry.occurrence.end.instant > entry.occurrence.start.instant ? end : start
      return clock(due, on: day)
    }
    let startsHere = day == first
    let endsHere = day == last
    let occurrence = entry.occurrence
    guard occurrence.end.instant > occurrence.start.instant else { return clock(start, on: day) }
    switch (startsHere, endsHere) {
    case (true, true): return clock(start, on: day) + "-" + clock(clockEnd, on: day)
    case (true, false): return clock(start, on: day) + "-"
    case (false, true): return "     -" + clock(end, on: day)
    case (false, false): return Self.allDay
    }
  }

  /// The end of a day is 24:00.
  private func clock(_ wall: Int, on day: Int) -> String {
    let second = min(max(wall - day * 86_400, 0), 86_400)
    return "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2))"
  }
}
