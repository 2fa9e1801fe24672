import ICalendar
import Recurrence

/// A date that a series has beside its rule, or leaves out.
private struct ListedDate {
  var moment: Moment
  /// In seconds on the wall of the series; nil where it is not on that.
  var wall: Int?
  /// For people.
  var words: String
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
    if let shift = shiftOfStart(from: old, to: new) {
      let kept = Set(was.filter { there.contains($0.moment) }.compactMap(\.wall))
      Self.leaveOutMoved(from: &removed, to: &added, by: shift, over: kept)
    }
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

  /// How far a series moved on its wall: from or to whole days by the midnight that those begin at,
  /// to another zone perhaps by nothing. Nil where it did not move.
  private func shiftOfStart(from old: Component, to new: Component) -> Int? {
    let starts = [old, new].compactMap { ItemTimes.start(of: $0).flatMap { ItemTimes.time($0) } }
    guard starts.count == 2, before.times.moment(starts[0]) != after.times.moment(starts[1])
    else { return nil }
    return starts[1].civil.secondsSince1970 - starts[0].civil.secondsSince1970
  }

  /// Leaves out the dates that moved with their series. Where several of them are as far from each
  /// other as the series moved, one has the place of the next one: that is among the `kept`.
  private static func leaveOutMoved(
    from removed: inout [ListedDate], to added: inout [ListedDate], by shift: Int,
    over kept: Set<Int>
  ) {
    let come = Set(added.compactMap(\.wall))
    var reached: Set<Int> = []
    removed.removeAll { date in
      guard var wall = date.wall else { return false }
      wall += shift
      while shift != 0, kept.contains(wall) { wall += shift }
      return come.contains(wall) && reached.insert(wall).inserted
    }
    added.removeAll { date in date.wall.map { reached.contains($0) } ?? false }
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
        let words =
          ItemTimes.time(line, element: value).map { TimeWords.dayAlone($0.civil.date) }
          ?? Self.period(value) ?? String(decoding: value, as: UTF8.self)
        let moment = parts.times.occurrence(of: value, in: line)
        let wall = parts.times.wall(of: moment)?.secondsSince1970
        return ListedDate(moment: moment, wall: wall, words: words)
      }
    }
  }
}
