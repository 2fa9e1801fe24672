import ICalendar

/// From when to when the offsets of its zones matter to an item: the times that are written in each
/// zone, and how long the item goes on.
struct ItemSpan {
  /// What an item has in a zone.
  enum Use: Equatable {
    /// No property has that TZID.
    case nothing
    /// A property with that TZID cannot be read as times.
    case unreadable
    /// Seconds from 1970 on the wall, of the first and of the last time.
    case written(ClosedRange<Int>)
  }

  private var uses: [TimeZoneName: Use] = [:]
  /// The last time that is written anywhere, in seconds on its wall.
  private var lastWritten = Int.min
  /// The longest that anything in it takes, in seconds.
  private var longest = 0
  private var counted: [(rule: RecurrenceRule, start: DateTime)] = []
  /// The last start that a rule without COUNT gives.
  private var lastStart = Int.min

  /// A rule that has no end, or a later one, is followed through this year. 2037 is the last whole
  /// year of 32-bit time, and many programs list a zone's changes up to it.
  static let horizonYear = 2037

  /// Reads the times of a text.
  init(_ tree: SyntaxTree) {
    var endings: [Int] = []
    for component in tree.calendars.flatMap(\.components) where !component.isNamed("VTIMEZONE") {
      read(component, &endings, depth: 0)
    }
    lastStart = endings.map { min($0, horizon) }.max() ?? Int.min
  }

  private mutating func read(_ component: Component, _ endings: inout [Int], depth: Int) {
    for line in component.lines { read(line) }
    readSchedule(component, &endings)
    guard depth < SyntaxTree.depthLimit else { return }
    for part in component.components { read(part, &endings, depth: depth + 1) }
  }

  private mutating func read(_ line: ContentLine) {
    guard let name = line.zoneName else { return }
    var notes: [ValueNote] = []
    for element in line.timeElements {
      do throws(ValueError) {
        if element.contains(0x2F) {
          let period = try Period.read(element, zone: name, notes: &notes)
          note(period.start, in: name)
          note(period.extent, from: period.start, in: name)
        } else {
          note(try line.time(element, notes: &notes), in: name)
        }
      } catch {
        uses[name] = .unreadable
      }
    }
  }

  private mutating func note(_ extent: Period.Extent, from start: DateTime, in name: TimeZoneName) {
    switch extent {
    case .end(let end): note(end, in: name)
    case .duration(let duration): longest = max(longest, Self.seconds(duration))
    }
  }

  private mutating func note(_ time: DateTime, in name: TimeZoneName) {
    let wall = time.civil.secondsSince1970
    lastWritten = max(lastWritten, wall)
    switch uses[name] {
    case .unreadable: break
    case .written(let walls):
      uses[name] = .written(min(walls.lowerBound, wall)...max(walls.upperBound, wall))
    case .nothing, nil: uses[name] = .written(wall...wall)
    }
  }

  private mutating func readSchedule(_ component: Component, _ endings: inout [Int]) {
    var findings: [ScheduleFinding] = []
    let schedule = Schedule.read(ItemComponent(component), findings: &findings)
    guard let start = schedule.effectiveStart else { return }
    lastWritten = max(lastWritten, start.civil.secondsSince1970)
    switch schedule.ending {
    case .none: break
    case .end(let end):
      longest = max(longest, end.civil.secondsSince1970 - start.civil.secondsSince1970)
    case .duration(let duration): longest = max(longest, Self.seconds(duration))
    }
    // A rule that cannot be read here may go on in another program.
    if findings.contains(where: { if case .odd = $0.kind { false } else { true } }) {
      endings.append(Int.max)
    }
    for rule in schedule.rules {
      if let until = rule.until {
        endings.append(until.civil.secondsSince1970)
      } else if rule.count != nil {
        counted.append((rule, start))
      } else {
        endings.append(Int.max)
      }
    }
  }

  private static func seconds(_ duration: CivilDuration) -> Int {
    duration.isNegative ? 0 : duration.days * 86_400 + duration.seconds
  }

  /// The wall time after which no rule is followed. A series that starts after the year of the
  /// horizon is followed for a year, so that each change of a year is in it.
  private var horizon: Int {
    let year = Gregorian.day(year: Self.horizonYear + 1, month: 1, day: 1) * 86_400
    return lastWritten < year ? year : lastWritten + 366 * 86_400
  }

  /// What the item has in a zone.
  func use(of name: TimeZoneName) -> Use { uses[name] ?? .nothing }

  /// Some rule ends by COUNT, so that its end is known only once it is followed.
  var isCounted: Bool { !counted.isEmpty }

  /// The end of the last occurrence, in seconds on a wall; rules with COUNT are taken to go on.
  var latestEnd: Int { end(after: isCounted ? horizon : lastStart) }

  /// The end of the last occurrence, in seconds on a wall.
  func countedEnd() -> Int {
    end(after: counted.reduce(lastStart) { max($0, lastStart(of: $1.rule, $1.start)) })
  }

  /// The start of a rule and an end may be on walls of two zones, which are a day apart at most.
  private func end(after start: Int) -> Int {
    max(start, lastWritten) + longest + 2 * 86_400
  }

  /// So many occurrences are counted, in some milliseconds; a longer series goes on for decades or
  /// is no person's.
  private static let countLimit = 10_000

  private func lastStart(of rule: RecurrenceRule, _ start: DateTime) -> Int {
    let horizon = horizon
    var expansion = RuleExpansion(rule, start: start, window: Int.min...horizon)
    var last = start.civil.secondsSince1970
    for _ in 0..<Self.countLimit {
      guard let next = expansion.next() else {
        if case .limit(let limit) = expansion.end, !limit.isCertain { return horizon }
        return last
      }
      last = next
    }
    return horizon
  }
}
