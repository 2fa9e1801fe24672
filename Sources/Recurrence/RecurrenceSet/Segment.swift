import ICalendar

/// The occurrences of a stretch of a recurrence set that share a component: those from the start to
/// the first RANGE=THISANDFUTURE, or from one such override to the next.
struct Segment {
  private var starts: StartStream
  private let set: CompiledSet
  private let overridden: Set<Int>
  private let isSeries: Bool
  /// The keys, by the rule, that belong here.
  private let from: Int
  private let to: Int
  /// The override that holds here; nil for the main component.
  private let override: CompiledOverride?
  private let home: Home
  private let extent: Extent
  private let shift: Int
  /// The window, in keys of the home that the occurrences have.
  private let windowFrom: Int
  private let windowTo: Int
  /// Occurrences of a range in the order of their starts, from `firstWaiting` on.
  private var waiting: [Occurrence] = []
  private var firstWaiting = 0
  private var isExhausted = false
  private var startTimes: TimeMaker
  private var endTimes: TimeMaker
  private var idTimes: TimeMaker

  init(
    _ set: RecurrenceSet, main: CompiledSet, override: CompiledOverride?, to: Int,
    window: OccurrenceWindow
  ) {
    self.set = main
    overridden = set.overridden
    isSeries = set.isSeries
    // The override itself is listed with the single ones.
    from = override.map { $0.id + 1 } ?? Int.min
    self.to = to
    self.override = override
    home = override?.home ?? main.home
    extent = override?.extent ?? main.extent
    shift = override?.shift ?? 0
    windowFrom = home.key(ofInstant: window.from)
    windowTo = home.key(ofInstant: window.to)
    startTimes = TimeMaker(home)
    endTimes = TimeMaker(home)
    idTimes = TimeMaker(main.home)
    // Zones of the two homes may differ by a day and more, and a window has to be wide enough.
    let margin = override == nil ? 0 : 3 * 86_400
    let longest = override.map { max($0.extent.bound, main.longest) } ?? main.longest
    let low = Self.held(main.home.key(ofInstant: window.from), minus: longest + shift + margin)
    let high = Self.held(main.home.key(ofInstant: window.to), minus: shift - margin)
    // What comes before the range is another segment's, and may be millions.
    let first = override == nil ? min(low, high) : min(max(low, from), high)
    starts = StartStream(main, window: first...high)
  }

  /// Sums of what comes from outside are within some ten thousand years, and held to the calendar.
  private static func held(_ key: Int, minus distance: Int) -> Int {
    min(max(key - distance, CivilDateTime.firstSecond), CivilDateTime.lastSecond)
  }

  var limits: [ExpansionLimit] { starts.limits }

  mutating func next() -> Occurrence? {
    guard override != nil else { return nextByRule() }
    while !isExhausted, !isFirstSettled {
      guard let occurrence = nextByRule() else {
        isExhausted = true
        break
      }
      var place = waiting.count
      while place > firstWaiting, occurrence < waiting[place - 1] { place -= 1 }
      waiting.insert(occurrence, at: place)
    }
    guard firstWaiting < waiting.count else { return nil }
    firstWaiting += 1
    let occurrence = waiting[firstWaiting - 1]
    // Of a rule without end others wait for ever, and what was given out would stay as long.
    if firstWaiting == waiting.count || firstWaiting > max(Self.mostGiven, waiting.count / 2) {
      waiting.removeFirst(firstWaiting)
      firstWaiting = 0
    }
    return occurrence
  }

  /// So many that were given out are kept at least: to drop each by itself would move all others.
  private static let mostGiven = 1024

  /// Nothing that comes later can start before the first one that waits.
  private var isFirstSettled: Bool {
    guard firstWaiting < waiting.count, let last = waiting.last else { return false }
    return last.start.instant - waiting[firstWaiting].start.instant > Self.disorder
  }

  /// A shift on the wall may swap starts that are closer than two zones' leaps, a day each.
  private static let disorder = 2 * 86_400

  private mutating func nextByRule() -> Occurrence? {
    while let found = starts.next() {
      guard found.key >= from else { continue }
      guard found.key < to else { return nil }
      if !overridden.isEmpty, overridden.contains(found.key) { continue }
      var start = found.key
      if override != nil {
        start = home.key(ofWall: set.home.wall(ofKey: found.key) + shift)
      } else if start >= windowTo {
        return nil
      }
      let end = (found.extent ?? extent).end(from: start, home: home)
      guard start < windowTo, end > windowFrom || (end == start && start >= windowFrom) else {
        continue
      }
      let startTime = startTimes.time(ofKey: start)
      return Occurrence(
        recurrenceID: !isSeries
          ? nil : override == nil ? startTime : idTimes.time(ofKey: found.key),
        start: startTime, end: end == start ? startTime : endTimes.time(ofKey: end),
        source: override.map { .override($0.index) } ?? .main, isAllDay: home.isDate)
    }
    return nil
  }
}
