import ICalendar

/// The occurrences of a recurrence set in a window, in the order of their starts.
public struct OccurrenceSequence: Sequence, IteratorProtocol {
  private struct Ahead {
    var segment: Segment
    var next: Occurrence?
  }

  private var segments: [Ahead] = []
  /// Overrides in the window, the first one last.
  private var overrides: [Occurrence] = []

  init(_ set: RecurrenceSet, window: OccurrenceWindow) {
    overrides = Self.overrides(of: set, window: window)
    guard window.from < window.to, let main = set.main else { return }
    let ranges: [CompiledOverride?] = [nil] + set.overrides.filter(\.isThisAndFuture)
    for (index, override) in ranges.enumerated() {
      let to = index + 1 < ranges.count ? ranges[index + 1]?.id ?? Int.max : Int.max
      var segment = Segment(set, main: main, override: override, to: to, window: window)
      let next = segment.next()
      segments.append(Ahead(segment: segment, next: next))
    }
  }

  /// The limits that ended the search for occurrences of a rule, if any.
  public var limits: [ExpansionLimit] { segments.flatMap(\.segment.limits) }

  public mutating func next() -> Occurrence? {
    // Nearly every set is one segment without overrides.
    if segments.count == 1, overrides.isEmpty {
      let next = segments[0].next
      if next != nil { segments[0].next = segments[0].segment.next() }
      return next
    }
    var best: Int?
    for index in segments.indices {
      guard let next = segments[index].next else { continue }
      if let known = best, let other = segments[known].next, !(next < other) { continue }
      best = index
    }
    guard let best, let next = segments[best].next else { return overrides.popLast() }
    if let override = overrides.last, override < next { return overrides.popLast() }
    segments[best].next = segments[best].segment.next()
    return next
  }

  private static func overrides(of set: RecurrenceSet, window: OccurrenceWindow) -> [Occurrence] {
    guard window.from < window.to, let idHome = set.idHome else { return [] }
    var found: [Occurrence] = []
    var ids = TimeMaker(idHome)
    for override in set.overrides {
      // EXDATE wins: who deletes an occurrence does not want its override.
      if let main = set.main, main.exclusions.contain(override.id, home: main.home) { continue }
      let home = override.home
      let (from, to) = (home.key(ofInstant: window.from), home.key(ofInstant: window.to))
      let start = override.start
      let end = override.extent.end(from: start, home: home)
      guard start < to, end > from || (end == start && start >= from) else { continue }
      var times = TimeMaker(home)
      found.append(
        Occurrence(
          recurrenceID: ids.time(ofKey: override.id), start: times.time(ofKey: start),
          end: times.time(ofKey: end), source: .override(override.index), isAllDay: home.isDate))
    }
    return found.sorted { $1 < $0 }
  }
}

extension Occurrence {
  /// The order of a listing: by start, then by what the rule gave.
  static func < (left: Occurrence, right: Occurrence) -> Bool {
    if left.start.instant != right.start.instant {
      return left.start.instant < right.start.instant
    }
    return (left.recurrenceID?.instant ?? left.start.instant)
      < (right.recurrenceID?.instant ?? right.start.instant)
  }
}
