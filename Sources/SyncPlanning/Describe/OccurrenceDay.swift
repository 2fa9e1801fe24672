import ICalendar
import Recurrence

extension ItemTimes {
  /// The day of an occurrence, for people: that on the wall of the series, which a value in UTC may
  /// not say; as it is written where nobody knows what that wall shows.
  func day(of occurrence: Moment, written time: DateTime) -> String {
    TimeWords.dayAlone(wall(of: occurrence)?.date ?? time.civil.date)
  }
}

extension ItemParts {
  /// The day of the occurrence that an override is; nil where its RECURRENCE-ID cannot be read.
  func day(of key: PartKey) -> String? {
    guard let moment = key.occurrence,
      let time = self[key]?.line(named: "RECURRENCE-ID").flatMap({ ItemTimes.time($0) })
    else { return nil }
    return times.day(of: moment, written: time)
  }

  /// The occurrences that an override stands for, for people; nil where its RECURRENCE-ID cannot be
  /// read.
  func words(for key: PartKey) -> String? {
    day(of: key).map { $0 + (key.isThisAndFuture ? " and all later ones" : "") }
  }

  /// The days that RECURRENCE-IDs name, by their values: one value in two zones may name two.
  var daysByValue: [String: Set<String>] {
    overrides.reduce(into: [:]) { days, key in
      guard let line = self[key]?.line(named: "RECURRENCE-ID"), let day = day(of: key) else {
        return
      }
      days[String(decoding: line.value, as: UTF8.self), default: []].insert(day)
    }
  }
}
