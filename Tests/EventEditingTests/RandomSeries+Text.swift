import ICalendar
import Recurrence

extension RandomSeries {
  /// The series as an item.
  var text: [UInt8] {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"]
    lines += ["UID:old", "DTSTAMP:20250101T000000Z", "SEQUENCE:3", "DTSTART" + time(startWall)]
    lines += ending(from: startWall, length: length, hasDuration: hasDuration)
    lines += rules.map { "RRULE:" + String(decoding: $0.value, as: UTF8.self) }
    lines += additions.sorted().map { "RDATE" + time($0) }
    lines += exclusions.sorted().map { "EXDATE" + time($0) }
    lines += ["SUMMARY:Series", "X-OTHER:kept", "END:VEVENT"]
    for (wall, override) in overrides.sorted(by: { $0.key < $1.key }) {
      lines += ["BEGIN:VEVENT", "UID:old", "RECURRENCE-ID" + time(wall)]
      lines += ["DTSTAMP:20250101T000000Z", "DTSTART" + time(override.wall)]
      lines += ending(from: override.wall, length: override.length, hasDuration: false)
      lines += ["SUMMARY:" + override.summary, "END:VEVENT"]
    }
    return Array((lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
  }

  var startWall: Int { start.civil.secondsSince1970 }

  private func ending(from wall: Int, length: Int, hasDuration: Bool) -> [String] {
    guard length > 0 else { return [] }
    if hasDuration {
      let duration =
        start.isDate
        ? CivilDuration(days: length / 86_400, seconds: 0)
        : CivilDuration(days: 0, seconds: length)
      return ["DURATION:" + duration.value]
    }
    let end = home.isDate ? wall + length : home.wall(ofKey: home.key(ofWall: wall) + length)
    return ["DTEND" + time(end)]
  }

  /// Parameters and value of a wall time; one in a gap is written as what the clock shows, but for
  /// the start, which says what the rule gives.
  private func time(_ wall: Int) -> String {
    let shown = wall == startWall ? wall : home.wall(ofKey: home.key(ofWall: wall))
    guard let civil = CivilDateTime(secondsSince1970: shown) else { return ":none" }
    let value = start.with(civil).value
    if start.isDate { return ";VALUE=DATE:" + value }
    return (start.zone.map { ";TZID=" + $0.text } ?? "") + ":" + value
  }
}
