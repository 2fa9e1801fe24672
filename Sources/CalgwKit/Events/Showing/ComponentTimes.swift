import ICalendar
import Recurrence

/// When a component takes place, by itself: the first time of a series, or an override's own.
struct ComponentTimes: Sendable {
  let schedule: Schedule
  /// Nil where it has no time that can be read.
  let occurrence: Occurrence?
  /// Finds the zones of the item.
  let zones: ZoneResolver
  /// Where the person is who reads it.
  let here: Zone

  init(_ item: ItemComponent, zones: ZoneResolver, here: Zone) {
    var findings: [ScheduleFinding] = []
    self.init(Schedule.read(item, findings: &findings), zones: zones, here: here)
  }

  init(_ schedule: Schedule, zones: ZoneResolver, here: Zone) {
    self.schedule = schedule
    self.zones = zones
    self.here = here
    var alone = schedule
    alone.rules = []
    alone.additions = []
    alone.exclusions = []
    alone.exclusionRules = []
    alone.recurrenceID = nil
    var found = RecurrenceSet(main: alone, zones: zones, placement: here)
      .occurrences(in: .all)
    occurrence = found.next()
  }

  /// The zone that the start is in; nil for dates and floating times.
  var zone: Zone? {
    switch schedule.start ?? due {
    case .utc: .utc
    case .zoned(_, let name): zones.zone(named: name)?.zone
    case .date, .floating, nil: nil
    }
  }

  private var due: DateTime? {
    if case .end(let end) = schedule.ending, schedule.kind == .todo { end } else { nil }
  }

  /// The TZID, `UTC`, or nil for dates and floating times.
  var zoneName: String? {
    switch schedule.start ?? due {
    case .utc: "UTC"
    case .zoned(_, let name): name.text
    case .date, .floating, nil: nil
    }
  }

  /// Start and end for scripts.
  var texts: (start: String, end: String)? {
    let form = TimeForm(schedule.start ?? due)
    return occurrence.map { (form.text(of: $0.start), form.text(of: $0.end)) }
  }

  /// In words, with the zone, and where the reader's clock shows something else with that too.
  var words: String? {
    guard let occurrence else { return nil }
    return words(for: occurrence)
  }

  /// The same for one occurrence of the series.
  func words(for occurrence: Occurrence) -> String? {
    guard
      let span = TimeWords.span(
        fromWall: occurrence.start.wall, toWall: occurrence.end.wall,
        isAllDay: occurrence.isAllDay)
    else { return nil }
    if occurrence.isAllDay { return span }
    guard let zoneName else { return "\(span), in no time zone" }
    let (start, end) = (
      here.wall(at: occurrence.start.instant), here.wall(at: occurrence.end.instant)
    )
    guard start != occurrence.start.wall,
      let local = TimeWords.span(fromWall: start, toWall: end, isAllDay: false)
    else { return "\(span) (\(zoneName))" }
    return "\(span) (\(zoneName)); here \(local)"
  }

  /// The rules in words; a rule that has none as it is written.
  func ruleWords(_ rule: RecurrenceRule, text: String) -> String {
    guard let start = schedule.start ?? due else { return text }
    let home = zone
    let words = RuleInWords(
      rule: rule, start: start.civil, isAllDay: start.isDate,
      wall: { time in
        guard let home else { return nil }
        return CivilDateTime(secondsSince1970: home.wall(at: time.secondsSince1970))
      })
    return words.text ?? text
  }
}
