import EventEditing
import ICalendar
import Recurrence
import TestSupport
import Testing

/// Random series and edits, and long ones, held against what the contract says of each span
/// (docs/spans.md).
@Suite struct SpanPropertyTests {
  #if DEBUG
    private static let runs = 1500
  #else
    private static let runs = 20_000
  #endif

  @Test(arguments: [0, 1, 2, 3])
  func `an edit or deletion does what its span says and nothing else`(part: Int) throws {
    var edited = 0
    var refused = 0
    for seed in 0..<(Self.runs / 4) {
      var random = SeededRandom(seed: UInt64(part * 1_000_000 + seed))
      let series = try RandomSeries(&random)
      guard series.isPlain else { continue }
      edited += 1
      var failure: String?
      do { failure = try check(series, &random) } catch {
        // Two rules with intervals out of step need two starts.
        if case .notSplittable = error as? EditError, series.rules.count > 1 {
          refused += 1
        } else {
          failure = "\(error)"
        }
      }
      if let failure {
        Issue.record(
          "part \(part), seed \(seed): \(failure)\n\(String(decoding: series.text, as: UTF8.self))")
        return
      }
    }
    // A few are left out, where two wall times of a series are one instant.
    #expect(refused <= Self.runs / 4 / 100)
    #expect(edited > Self.runs / 4 * 9 / 10)
  }

  private func check(
    _ series: RandomSeries, _ random: inout SeededRandom
  ) throws -> String? {
    let text = series.text
    let before = Happening.all(in: text, before: series.horizonKey)
    guard before == series.happenings() else { return "the model itself is wrong" }
    guard let chosen = random.pick(series.visible) else { return nil }
    let (edit, change) = series.randomEdit(at: chosen, &random)
    let trial = SpanTrial(series: series, text: text, chosen: chosen, edit: edit, change: change)
    switch random.below(7) {
    case 0: return try trial.editThis()
    case 1: return try trial.deleteThis()
    case 2: return try trial.deleteFuture()
    case 3: return try trial.editAll()
    default: return try trial.editFuture()
    }
  }

  /// At 9:00 in Vienna, which no change of the clock touches.
  private func endless(_ rule: String) -> [UInt8] {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:old", "DTSTAMP:20250101T000000Z",
      "DTSTART;TZID=Europe/Vienna:20260105T090000", "DTEND;TZID=Europe/Vienna:20260105T100000",
      "RRULE:\(rule)", "SUMMARY:Series", "END:VEVENT", "END:VCALENDAR", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// The occurrences of 20 years, of which five are leap years, and of half a day: 2026-01-05T09:00
  /// in Vienna is 08:00 in UTC.
  private func twentyYears(of text: [UInt8]?) -> [Happening] {
    Happening.all(in: text ?? [], before: 1_767_600_000 + 7305 * 86_400 + 43_200)
  }

  /// Where two lists begin to be unlike, since all of them would be too much to read.
  private func difference(_ actual: [Happening], _ expected: [Happening]) -> String? {
    if actual == expected { return nil }
    let place = zip(actual, expected).prefix { $0 == $1 }.count
    return "from number \(place) on: \(actual.dropFirst(place).prefix(2)) of \(actual.count),"
      + " and not \(expected.dropFirst(place).prefix(2)) of \(expected.count)"
  }

  @Test(arguments: RandomSeries.dayRules + RandomSeries.longRules)
  func `20 years of a series without an end are as before but for what was edited`(
    rule: String
  ) throws {
    let text = endless(rule)
    let object = CalendarObject(SyntaxTree(bytes: text))
    let before = twentyYears(of: text)
    let third = try #require(before.dropFirst(2).first)
    let last = try #require(before.last)
    // From 2045-01-04 on: even what takes place once a year does so in the last one.
    #expect(last.id > 1_767_600_000 + 6939 * 86_400)
    let name = GivenTime.instant(third.id)
    var edit = EventEdit()
    edit.setText("SUMMARY", to: "Changed")
    edit.start = .instant(third.start + 3600)

    let this = try editEvent(object, edit, span: .thisEvent, occurrence: name, context: .forTests)
    var expected = before
    expected[2] = Happening(
      id: third.id, start: third.start + 3600, end: third.end + 3600, summary: "Changed")
    #expect(difference(twentyYears(of: this.item), expected) == nil)

    let deletion = try deleteEvent(object, span: .thisEvent, occurrence: name, context: .forTests)
    expected.remove(at: 2)
    #expect(difference(twentyYears(of: deletion.item), expected) == nil)

    let split = try editEvent(
      object, edit, span: .futureEvents, occurrence: name, context: .forTests)
    let created = try #require(split.created)
    let later = before.dropFirst(2).map {
      Happening(id: $0.id + 3600, start: $0.start + 3600, end: $0.end + 3600, summary: "Changed")
    }
    #expect(difference(twentyYears(of: split.item), Array(before.prefix(2))) == nil)
    #expect(difference(twentyYears(of: created.text), later) == nil)
  }
}

extension RandomSeries {
  /// The key of the horizon.
  var horizonKey: Int { horizon == Int.max ? Int.max : key(horizon) }

  /// Wall times of occurrences that are not deleted and not so late that the horizon is near.
  var visible: [Int] {
    let excluded = Set(exclusions.map(key))
    return walls.filter { !excluded.contains(key($0)) }
  }

  /// Nothing behind the horizon is an instant in front of it.
  func isPlainAtHorizon(movedBy shift: Int, last: Int?) -> Bool {
    guard horizon != Int.max else { return true }
    let end = key(horizon + shift)
    return home.walls(ofKey: end).count == 1 && last.map { key($0 + shift) < end } ?? true
  }

  /// Its wall times are instants in the same order, as around most gaps they are not.
  var isPlain: Bool {
    zip(walls, walls.dropFirst()).allSatisfy { key($0) < key($1) }
      && isPlainAtHorizon(movedBy: 0, last: walls.last)
  }

  /// An edit as a person would make it on an occurrence, and what it means.
  func randomEdit(
    at chosen: Int, _ random: inout SeededRandom
  ) -> (EventEdit, ExpectedChange) {
    var edit = EventEdit()
    var change = ExpectedChange()
    if random.oneIn(2) {
      change.summary = "Changed"
      edit.setText("SUMMARY", to: "Changed")
    }
    if random.oneIn(3) {
      let new = start.isDate ? 3 * 86_400 : 4500
      change.length = new
      edit.duration =
        start.isDate
        ? CivilDuration(days: 3, seconds: 0) : CivilDuration(days: 0, seconds: 4500)
    }
    if random.oneIn(2) || edit.isEmpty {
      let days = mayChangeDay ? random.one(of: [0, 0, 1, -1, 3, 7, -10]) : 0
      let seconds = start.isDate ? 0 : random.one(of: [0, 1800, 3600, -3600, 8100])
      let crosses = ![chosen, startWall].allSatisfy {
        (0..<86_400).contains((($0 % 86_400) + 86_400) % 86_400 + seconds)
      }
      change.shift = crosses && !mayChangeDay ? 0 : days * 86_400 + seconds
      edit.start = CivilDateTime(secondsSince1970: chosen + change.shift).map {
        .exactly(start.with($0))
      }
    }
    return (edit, change)
  }
}
