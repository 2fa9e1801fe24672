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
  /// Starts that were left out, or compared with those of EXRULE.
  private var looks = 0
  /// They were too many, so that the search was ended.
  private var isGivenUp = false

  init(_ set: CompiledSet, window: ClosedRange<Int>) {
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
    } + (isGivenUp ? [.stepsWithoutOccurrence] : [])
  }

  mutating func next() -> Start? {
    // EXRULE may leave out all that an endless rule gives, or have much more to give than it.
    while looks < RuleExpansion.lookLimit {
      guard let start = nextWithExcluded() else { return nil }
      if !exclusions.contain(start.key, home: home),
        !isExcludedByRule(start.key)
      {
        return start
      }
      looks += 1
    }
    isGivenUp = true
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

  /// A search that is to be ended takes it for excluded.
  private mutating func isExcludedByRule(_ key: Int) -> Bool {
    var isExcluded = false
    for index in exclusionRules.indices {
      while let other = exclusionRules[index].key, other < key {
        exclusionRules[index].key = exclusionRules[index].source.next()
        looks += 1
        guard looks < RuleExpansion.lookLimit else { return true }
      }
      if exclusionRules[index].key == key { isExcluded = true }
    }
    return isExcluded
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
