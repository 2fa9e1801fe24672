import ICalendar
import Recurrence

/// Tells which occurrences EXDATE, RDATE and RECURRENCE-ID stand for: on the wall of their series,
/// in whatever zone such a time is written.
struct OriginalStarts: Sendable {
  /// That of the series; without one each time is told as it is written.
  let series: DateTime?
  /// Finds the zones of the item.
  let zones: ZoneResolver
  /// Where the person is who reads it.
  let here: Zone

  /// In words: `Monday 5 January 2026, 09:00`.
  func words(_ start: DateTime) -> String { excludedWords(atTimeOfSeries(start)) }

  /// As `recurrenceId` is printed.
  func text(_ start: DateTime) -> String { excludedText(atTimeOfSeries(start)) }

  /// The same of an EXDATE: a day stands for all that takes place on it.
  func excludedWords(_ start: DateTime) -> String {
    let (form, time) = placed(start)
    return Self.words(CivilDateTime(secondsSince1970: time.wall) ?? start.civil, in: form)
  }

  /// A start on the wall of its series, which has days alone or times, too.
  static func words(_ start: CivilDateTime, in form: TimeForm) -> String {
    let day = TimeWords.day(start.date)
    return form == .date ? day : "\(day), \(TimeWords.clock(start))"
  }

  /// The same of an EXDATE.
  func excludedText(_ start: DateTime) -> String {
    let (form, time) = placed(start)
    return form.text(of: time)
  }

  /// An override takes place at another time than the occurrence that it stands for. Moments are
  /// compared where there are some; a day or a time in no zone is another thing than a moment.
  func isMoved(_ override: Schedule) -> Bool {
    guard let start = override.start, let id = override.recurrenceID, isMoment(series),
      isMoment(start)
    else { return override.start != override.recurrenceID.map(atTimeOfSeries) }
    return text(start) != text(id)
  }

  private func isMoment(_ time: DateTime?) -> Bool {
    switch time {
    case .utc: true
    case .zoned(_, let name): zones.zone(named: name) != nil
    case .date, .floating, nil: false
    }
  }

  private func placed(_ start: DateTime) -> (form: TimeForm, time: OccurrenceTime) {
    let origin = start.isDate ? start : series ?? start
    var known: [TimeZoneName: Zone] = [:]
    for name in [origin.zone, start.zone].compactMap({ $0 }) {
      known[name] = zones.zone(named: name)?.zone
    }
    let home = Home(of: origin, placement: here, zones: known)
    return (TimeForm(origin), home.time(ofKey: home.key(of: start)))
  }

  /// A day in RDATE or RECURRENCE-ID is the time of that day at which the series takes place.
  private func atTimeOfSeries(_ start: DateTime) -> DateTime {
    guard start.isDate, let series, !series.isDate,
      let civil = CivilDateTime(
        secondsSince1970: start.civil.secondsSince1970 + series.civil.secondOfDay)
    else { return start }
    return series.with(civil)
  }
}
