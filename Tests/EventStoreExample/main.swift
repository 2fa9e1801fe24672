// The library EventStore in one program: opens a folder of .ics files, shows a week, adds a weekly
// event, moves one occurrence of it, and ends it after some weeks.
//
//   EventStoreExample FOLDER [FIRST-DAY [ZONE]]

import EventStore
import Glibc
import ICalendar
import Recurrence
import SyncModel
import VdirStorage

let arguments = CommandLine.arguments
guard (2...4).contains(arguments.count) else {
  complain("usage: EventStoreExample FOLDER [FIRST-DAY [ZONE]]")
  exit(64)
}
let zone = arguments.count > 3 ? arguments[3] : "Europe/Vienna"

do {
  let root = try VdirRoot.open(
    path: Array(arguments[1].utf8),
    access: VdirAccess(digest: sha256, surroundings: surroundings))
  let description = try await root.describeItself()
  // No sync of calgw writes into the folder as long as this is held.
  let lock = try root.lock(description)
  let folder = try await root.open(description)
  let work = EventCalendar(description)
  let store = EventStore(
    [CalendarSource(work, storage: folder)], zones: systemZones, home: zone,
    surroundings: surroundings)
  let given = arguments.count > 2 ? try DateTime(arguments[2]).civil.date : nil
  guard let today = given ?? currentDay() else { throw EventStoreError.badClock }
  try await show("before", store, from: today)

  // A new series: every week at nine, from tomorrow on.
  let start = time(today, plus: 1, hour: 9)
  var series = CalendarEvent(
    in: work, title: "Jour fixe", start: start, end: start, rule: "FREQ=WEEKLY",
    reminders: [.minutesBefore(10)])
  series.end = time(today, plus: 1, hour: 10)
  series = try await store.save(series)

  // Its second occurrence is two hours later; the others stay.
  var second = try await occurrence(of: series, on: time(today, plus: 8, hour: 9), in: store)
  second.move(to: time(today, plus: 8, hour: 11))
  try await store.save(second, span: .thisEvent)

  // From the fourth on there are none, and the first gets another title: written together.
  let fourth = try await occurrence(of: series, on: time(today, plus: 22, hour: 9), in: store)
  try await store.remove(fourth, span: .futureEvents, commit: false)
  series.title = "Kick-off"
  try await store.save(series, span: .thisEvent, commit: false)
  try await store.commit()

  try await store.tidyUp()
  withExtendedLifetime(lock) {}

  try await show("after", store, from: today)
  let all = EventPredicate(from: instant(today, plus: 0), to: instant(today, plus: 365))
  let left = try await store.events(matching: all).filter { $0.id?.series == series.id?.series }
  print("the series has \(left.count) occurrences")
} catch {
  complain("\(error)")
  exit(1)
}

/// Prints the events of seven days.
func show(_ title: String, _ store: EventStore, from day: CivilDate) async throws {
  print("\(title):")
  let week = EventPredicate(from: instant(day, plus: 0), to: instant(day, plus: 7))
  for event in try await store.events(matching: week) {
    print(
      "  \(event.isAllDay ? "\(event.start.civil.date)" : "\(event.start.civil)") \(event.title)")
  }
}

/// The occurrence of a series that starts then.
func occurrence(
  of series: CalendarEvent, on start: DateTime, in store: EventStore
) async throws -> CalendarEvent {
  let day = start.civil.date
  let range = EventPredicate(from: instant(day, plus: -1), to: instant(day, plus: 2))
  for event in try await store.events(matching: range)
  where event.id?.series == series.id?.series && event.start == start {
    return event
  }
  throw EventStoreError.notFound(series.id)
}

/// A time of the zone, so many days after a day.
func time(_ day: CivilDate, plus days: Int, hour: Int) -> DateTime {
  let seconds = (day.daysSince1970 + days) * 86_400 + hour * 3600
  guard let civil = CivilDateTime(secondsSince1970: seconds) else { return .date(day) }
  return .zoned(civil, TimeZoneName(zone))
}

/// Midnight in the zone, so many days after a day.
func instant(_ day: CivilDate, plus days: Int) -> Instant {
  let midnight = (day.daysSince1970 + days) * 86_400
  let offset = systemZones.zone(named: zone)?.instant(of: midnight) ?? midnight
  return Instant(seconds: Int64(offset))
}
