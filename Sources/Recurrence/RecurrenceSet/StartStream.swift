import ICalendar

/// The starts of a recurrence set as keys, ascending and each once: DTSTART, rules and RDATE,
/// without
/// EXDATE and EXRULE.
struct StartStream {
  struct Start {
    var key: Int
    /// An RDATE with an end of its own.
    var extent: Extent?
  }

  /// A rule and its next key.
  private struct Ahead {
    var source: RuleSource
    var key: Int?
  }

  private var rules: [Ahead] = []
  private var exclusionRules: [Ahead] = []
  /// DTSTART and RDATE; sorted, each once.
  private let listed: [Start]
  private var nextListed: Int
  private let exclusions: Exclusions
  private let home: Home
  private let set: CompiledSet
  private let window: ClosedRange<Int>
  /// Starts that were left out, and steps of EXRULE, since a start was given out.
  private var exclusionSteps = 0

  /// So many starts left out and steps of EXRULE in a row end the search: eleven days of seconds,
  /// some hundredths of a second of work.
  static let exclusionLimit = 1_000_000

  /// An EXRULE that is further behind than so many steps is taken up anew where it is needed.
  private static let stepsBeforeSeek = 64

  init(_ set: CompiledSet, window: ClosedRange<Int>) {
    self.set = set
    self.window = window
    home = set.home
    listed = set.listed
    exclusions = set.exclusions
    nextListed = set.listed.firstIndex { $0.key >= window.lowerBound } ?? set.listed.count
    let walls = home.walls(of: window)
    for rule in set.schedule.rules {
      var source = RuleSource(
        rule, start: set.start, home: home, window: walls, includesStart: true)
      rules.append(Ahead(source: source, key: source.next()))
      rules[rules.count - 1].source = source
    }
    for rule in set.schedule.exclusionRules {
      var source = RuleSource(
        rule, start: set.start, home: home, window: walls, includesStart: false)
      exclusionRules.append(Ahead(source: source, key: source.next()))
      exclusionRules[exclusionRules.count - 1].source = source
    }
  }

  /// The limits that ended rules.
  var limits: [ExpansionLimit] {
    (rules + exclusionRules).compactMap {
      if case .limit(let limit) = $0.source.end { limit } else { nil }
    } + (exclusionSteps >= Self.exclusionLimit ? [.allExcluded] : [])
  }

  mutating func next() -> Start? {
    while exclusionSteps < Self.exclusionLimit, let start = nextWithExcluded() {
      if !exclusions.contain(start.key, home: home), !isExcludedByRule(start.key) {
        exclusionSteps = 0
        return start
      }
      exclusionSteps += 1
    }
    return nil
  }

  private mutating func nextWithExcluded() -> Start? {
    var key = nextListed < listed.count ? listed[nextListed].key : Int.max
    for index in rules.indices {
      if let other = rules[index].key, other < key { key = other }
    }
    guard key != Int.max else { return nil }
    for index in rules.indices where rules[index].key == key {
      rules[index].key = rules[index].source.next()
    }
    guard nextListed < listed.count, listed[nextListed].key == key else { return Start(key: key) }
    nextListed += 1
    return listed[nextListed - 1]
  }

  private mutating func isExcludedByRule(_ key: Int) -> Bool {
    var isExcluded = false
    for index in exclusionRules.indices {
      var steps = 0
      while let other = exclusionRules[index].key, other < key {
        steps += 1
        if steps == Self.stepsBeforeSeek { seek(exclusionRule: index, to: key) }
        exclusionRules[index].key = exclusionRules[index].source.next()
      }
      exclusionSteps += steps + 1
      if exclusionRules[index].key == key { isExcluded = true }
    }
    return isExcluded
  }

  private mutating func seek(exclusionRule index: Int, to key: Int) {
    exclusionRules[index].source = RuleSource(
      set.schedule.exclusionRules[index], start: set.start, home: home,
      window: home.walls(of: key...max(key, window.upperBound)), includesStart: false)
  }
}

/// What EXDATE leaves out.
struct Exclusions: Sendable {
  private var keys: Set<Int> = []
  /// A date among times leaves out all of its day, as some programs mean it.
  private var days: Set<Int> = []

  init(_ exclusions: [DateTime], home: Home) {
    for exclusion in exclusions {
      if exclusion.isDate, !home.isDate {
        days.insert(exclusion.civil.date.daysSince1970)
      } else {
        keys.insert(home.key(of: exclusion))
      }
    }
  }

  func contain(_ key: Int, home: Home) -> Bool {
    if !keys.isEmpty, keys.contains(key) { return true }
    return !days.isEmpty && days.contains(Gregorian.floorDivide(home.wall(ofKey: key), 86_400))
  }
}
