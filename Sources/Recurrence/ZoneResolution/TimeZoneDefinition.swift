public import ICalendar

/// What a VTIMEZONE says (RFC 5545 §3.6.5).
public struct TimeZoneDefinition: Sendable, Hashable {
  /// A STANDARD or DAYLIGHT sub-component.
  public struct Observance: Sendable, Hashable {
    /// DTSTART: the first onset, on the wall before it.
    public var start: CivilDateTime
    public var offsetFrom: UTCOffset
    public var offsetTo: UTCOffset
    public var rules: [RecurrenceRule]
    /// RDATE: more onsets, on the wall before each; in UTC as some write them.
    public var dates: [DateTime]
    /// The first TZNAME; empty if there is none.
    public var name: String
    public var isDaylight: Bool

    public init(
      start: CivilDateTime, offsetFrom: UTCOffset, offsetTo: UTCOffset,
      rules: [RecurrenceRule] = [], dates: [DateTime] = [], name: String = "",
      isDaylight: Bool = false
    ) {
      self.start = start
      self.offsetFrom = offsetFrom
      self.offsetTo = offsetTo
      self.rules = rules
      self.dates = dates
      self.name = name
      self.isDaylight = isDaylight
    }
  }

  /// TZID.
  public var name: TimeZoneName
  public var observances: [Observance]

  public init(name: TimeZoneName, observances: [Observance]) {
    self.name = name
    self.observances = observances
  }

  /// More changes than a zone with four a year has in two thousand years; what is behind them is
  /// cut off.
  public static let onsetLimit = 10_000

  /// So many observances of a VTIMEZONE are read, and so many rules followed. No zone of tzdata has
  /// more than some hundred changes; a rule may take a search of some milliseconds.
  public static let observanceLimit = 1_000

  /// More rules without an end are followed to a year, as irregular ones are: every one is tried
  /// whenever a time is looked up, and a zone has two.
  static let yearlyRuleLimit = 16

  /// A rule without an end that does not come back on one day of each year is followed up to here.
  static let lastExpandedYear = 2200
}

extension TimeZoneDefinition {
  /// The zone that it describes; nil if it has no observance.
  ///
  /// The observance in effect is the one with the latest onset; before the first, its TZOFFSETFROM
  /// holds (RFC 5545 §3.6.5).
  public func zone() -> Zone? {
    var changes: [ZoneChange] = []
    var yearly: [YearlyChanges.Rule] = []
    var isRegular = true
    for observance in observances {
      for rule in observance.rules where rule.count == nil && rule.until == nil {
        if let change = YearlyChanges.Rule(rule, of: observance) {
          yearly.append(change)
        } else {
          isRegular = false
        }
      }
    }
    if yearly.count > Self.yearlyRuleLimit { isRegular = false }
    let horizon = horizonYear(isRegular: isRegular)
    var rulesLeft = Self.observanceLimit
    for observance in observances {
      let room = Self.onsetLimit - changes.count
      let rules = observance.rules.prefix(rulesLeft)
      rulesLeft -= rules.count
      changes += observance.changes(of: rules, through: horizon, limit: room)
    }
    changes.sort { $0.instant < $1.instant }
    guard let first = changes.first,
      let start = observances.min(by: { $0.firstInstant < $1.firstInstant })
    else { return nil }
    var distinct = [first]
    for change in changes.dropFirst() {
      if change.instant == distinct[distinct.count - 1].instant { distinct.removeLast() }
      distinct.append(change)
    }
    return Zone(
      name: name.text, firstOffset: start.offsetFrom.seconds, firstDesignation: Zone.unnamed,
      changes: distinct,
      tail: isRegular && !yearly.isEmpty ? .yearly(YearlyChanges(changes: yearly)) : .none)
  }

  /// The last year whose onsets are listed: from the next on, the yearly ones are all there is.
  private func horizonYear(isRegular: Bool) -> Int {
    guard isRegular else { return Self.lastExpandedYear }
    let years = observances.flatMap { observance in
      [observance.start.date.year] + observance.dates.map(\.civil.date.year)
        + observance.rules.compactMap { rule in
          rule.until?.civil.date.year ?? rule.count.map { observance.start.date.year + $0 }
        }
    }
    return min((years.max() ?? 1970) + 1, Self.lastExpandedYear)
  }
}

extension TimeZoneDefinition.Observance {
  var firstInstant: Int { start.secondsSince1970 - offsetFrom.seconds }

  fileprivate func changes(
    of rules: ArraySlice<RecurrenceRule>, through year: Int, limit: Int
  ) -> [ZoneChange] {
    let last = (Gregorian.day(year: year + 1, month: 1, day: 1)) * 86_400 - 1
    var walls = [start.secondsSince1970]
    walls += dates.map { date in
      if case .utc(let civil) = date { return civil.secondsSince1970 + offsetFrom.seconds }
      return date.civil.secondsSince1970
    }
    for rule in rules {
      // UNTIL is in UTC here, and onsets are on the wall before the change.
      var until: Int?
      if case .utc(let civil) = rule.until {
        until = civil.secondsSince1970 + offsetFrom.seconds
      }
      let expansion = RuleExpansion(
        rule, start: .floating(start), until: until, window: Int.min...last)
      walls += expansion.prefix(max(0, limit - walls.count))
    }
    let designation = Zone.Designation(abbreviation: name, isDaylight: isDaylight)
    return walls.prefix(max(0, limit)).map { wall in
      ZoneChange(
        instant: wall - offsetFrom.seconds, offset: offsetTo.seconds, designation: designation)
    }
  }
}

extension YearlyChanges.Rule {
  /// A rule that comes back on one day of every year; nil for any other.
  fileprivate init?(_ rule: RecurrenceRule, of observance: TimeZoneDefinition.Observance) {
    guard let day = YearDay(rule, start: observance.start) else { return nil }
    self.init(
      day: day, time: observance.start.secondOfDay, offsetBefore: observance.offsetFrom.seconds,
      offset: observance.offsetTo.seconds,
      designation: .init(abbreviation: observance.name, isDaylight: observance.isDaylight))
  }
}

extension YearDay {
  /// Nil unless the rule gives exactly one day in each year: `BYMONTH=3;BYDAY=-1SU`, or
  /// `BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU`.
  fileprivate init?(_ rule: RecurrenceRule, start: CivilDateTime) {
    guard rule.frequency == .yearly, rule.interval == 1, rule.byMonth.count == 1,
      let month = rule.byMonth.first, rule.byDay.count == 1, let day = rule.byDay.first,
      rule.byHour.isEmpty, rule.byMinute.isEmpty, rule.bySecond.isEmpty,
      rule.byYearDay.isEmpty, rule.byWeekNumber.isEmpty, rule.bySetPosition.isEmpty
    else { return nil }
    let weekday = day.weekday.rawValue
    if let ordinal = day.ordinal {
      guard rule.byMonthDay.isEmpty, ordinal == -1 || (1...4).contains(ordinal) else { return nil }
      self = .weekday(month: month, week: ordinal == -1 ? 5 : ordinal, weekday: weekday)
    } else {
      let days = rule.byMonthDay.sorted()
      guard days.count == 7, let first = days.first, (1...22).contains(first),
        days == Array(first..<(first + 7))
      else { return nil }
      self = .weekdayFrom(month: month, day: first, weekday: weekday)
    }
  }
}
