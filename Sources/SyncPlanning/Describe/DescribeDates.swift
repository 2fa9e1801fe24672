import ICalendar
import Recurrence

/// A date that a series has beside its rule, or leaves out.
struct ListedDate {
  let moment: Moment
  /// In seconds on the wall of the series; nil where it is not on that.
  let wall: Int?
  let isDay: Bool
  /// For people.
  let words: String

  /// Whether it is a time on the wall, or the day of it.
  func names(_ time: Int) -> Bool {
    guard let wall else { return false }
    return isDay ? (wall..<wall + 86_400).contains(time) : wall == time
  }
}

extension ChangeDescription {
  /// So many dates are named one by one.
  private static let namedDates = 3

  /// Compares the dates that two components list. Where a series moved, those that went along stand
  /// for the occurrences that they stood for, and nothing is said of them.
  mutating func compareDates(
    _ name: String, _ verbs: (added: String, removed: String), _ old: Component, _ new: Component
  ) {
    let was = dates(name, old, before)
    let now = dates(name, new, after)
    let (known, there) = (Set(was.map(\.moment)), Set(now.map(\.moment)))
    var added = now.filter { !known.contains($0.moment) }
    var removed = was.filter { !there.contains($0.moment) }
    if let move {
      let moved = move.former(of: now.map(\.moment), among: was.map(\.moment))
      let left = Set(moved.values)
      added.removeAll { moved[$0.moment] != nil }
      removed.removeAll { left.contains($0.moment) }
    }
    if name == "EXDATE" { cancelled += added }
    let noun = name == "EXDATE" ? "occurrence of" : "date"
    for (list, verb, isNew) in [(added, verbs.added, true), (removed, verbs.removed, false)] {
      if list.isEmpty { continue }
      let texts = list.map(\.words)
      let joined = texts.joined(separator: ", ")
      let (before, after) = isNew ? (nil, joined) : (joined, nil)
      if list.count <= Self.namedDates {
        for date in texts {
          note(name, isNew ? nil : date, isNew ? date : nil, "\(noun) \(date) \(verb)")
        }
      } else {
        let plural = name == "EXDATE" ? "occurrences" : "dates"
        note(name, before, after, "\(list.count) \(plural) \(verb)", .each(texts))
      }
    }
  }

  /// `5 January 2026, 09:00 for 1 h`, or `to` when. Nil for what is no period (RFC 5545 §3.3.9).
  private static func period(_ value: [UInt8]) -> String? {
    var notes: [ValueNote] = []
    guard let period = try? Period.read(value, notes: &notes) else { return nil }
    let start = period.start.civil
    let beginning = "\(TimeWords.dayAlone(start.date)), \(TimeWords.clock(start))"
    switch period.extent {
    case .duration(let length): return "\(beginning) for \(Clock.words(length))"
    case .end(let end):
      let day = end.civil.date == start.date ? "" : "\(TimeWords.dayAlone(end.civil.date)), "
      return "\(beginning) to \(day)\(TimeWords.clock(end.civil))"
    }
  }

  private func dates(_ name: String, _ component: Component, _ parts: ItemParts) -> [ListedDate] {
    component.lines(named: name).flatMap { line in
      ListElement.values(of: line).map { value in
        let moment = parts.times.occurrence(of: value, in: line)
        let time = ItemTimes.time(line, element: value)
        let words =
          time.map { parts.times.day(of: moment, written: $0) } ?? Self.period(value)
          ?? String(decoding: value, as: UTF8.self)
        return ListedDate(
          moment: moment, wall: parts.times.wall(of: moment)?.secondsSince1970,
          isDay: time?.isDate ?? false, words: words)
      }
    }
  }
}
