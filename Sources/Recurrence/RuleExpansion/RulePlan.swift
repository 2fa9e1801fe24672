import ICalendar

/// A rule together with the start that fills in what it leaves open (RFC 5545 §3.3.10).
///
/// What the parts of a rule do, by frequency: *expand* makes more occurrences of a period, *limit*
/// fewer. Here both are one operation, the intersection of what each part allows within the
/// period; a part that is missing and would expand is filled in from DTSTART.
///
///     part        SECONDLY MINUTELY HOURLY DAILY WEEKLY MONTHLY YEARLY
///     BYMONTH     limit    limit    limit  limit limit  limit   expand
///     BYWEEKNO    –        –        –      –     –      –       expand
///     BYYEARDAY   limit    limit    limit  –     –      –       expand
///     BYMONTHDAY  limit    limit    limit  limit –      expand  expand
///     BYDAY       limit    limit    limit  limit expand *       *
///     BYHOUR      limit    limit    limit  expand …
///     BYMINUTE    limit    limit    expand expand …
///     BYSECOND    limit    expand   expand expand …
///     BYSETPOS    limit    limit    limit  limit limit  limit   limit
struct RulePlan {
  var frequency: RecurrenceRule.Frequency
  /// Periods from one to the next, in the unit of the frequency.
  var step: Int
  var count: Int?
  var days = DayFilter()
  /// The times of day that are allowed; a rule of hours has its minutes and seconds expanded from
  /// here, and so on.
  var clock: ClockSet
  /// The starts, within a day, of the periods that BYHOUR, BYMINUTE and BYSECOND allow as limits.
  private(set) var gate: ClockSet
  /// Every period passes the gate.
  private(set) var isGateOpen = true
  /// Some step lands on a time of day that the gate lets through.
  private(set) var meetsClock = true
  /// The seconds from one occurrence to the next where they are always as many, as for a plain
  /// daily
  /// rule.
  private(set) var evenStep: Int?
  /// Sorted and each once; empty for every occurrence.
  var positions: [Int]
  /// The start, in civil seconds from 1970.
  var start: Int
  /// The number of the period that the start is in: a year, a week-year, a month from year 0, a
  /// week, a day, or hours, minutes or seconds from 1970.
  var firstPeriod = 0

  init(_ rule: RecurrenceRule, start: CivilDateTime, isDate: Bool) {
    // A date has no hours: a rule of hours, minutes or seconds gives the days that it lands on.
    let clockRule = isDate ? RecurrenceRule(rule.frequency) : rule
    frequency = rule.frequency
    step = min(rule.interval, Self.stepLimit(rule.frequency))
    count = rule.count
    positions = Set(rule.bySetPosition).sorted()
    self.start = start.secondsSince1970
    clock = Self.clock(of: clockRule, start: start, isDate: isDate)
    gate = clock
    fillDays(from: rule, start: start.date)
    firstPeriod = period(of: self.start)
    fillGate()
    evenStep = constantStep
  }

  /// The periods of ten thousand years: a longer step leads out of the calendar as well, and cannot
  /// overflow on the way.
  private static func stepLimit(_ frequency: RecurrenceRule.Frequency) -> Int {
    switch frequency {
    case .yearly: 10_000
    case .monthly: 120_000
    case .weekly: 522_000
    case .daily: 3_660_000
    case .hourly: 3_660_000 * 24
    case .minutely: 3_660_000 * 1440
    case .secondly: 3_660_000 * 86_400
    }
  }

  private var constantStep: Int? {
    guard positions.isEmpty, days.isWeekdaysOnly else { return nil }
    if let unit {
      guard isGateOpen, days.isEmpty, clock(at: 0).count == 1 else { return nil }
      return step * unit
    }
    guard clock.count == 1 else { return nil }
    switch frequency {
    case .daily: return days.isEmpty ? step * 86_400 : nil
    case .weekly: return days.weekdays.nonzeroBitCount == 1 ? step * 7 * 86_400 : nil
    default: return nil
    }
  }

  private static func clock(
    of rule: RecurrenceRule, start: CivilDateTime, isDate: Bool
  ) -> ClockSet {
    var clock = ClockSet(start.secondOfDay)
    guard !isDate else { return clock }
    if !rule.byHour.isEmpty {
      clock.hours = rule.byHour.reduce(0) { $0 | 1 << UInt32($1) }
    } else if rule.frequency <= .hourly {
      clock.hours = ClockSet.allHours
    }
    if !rule.byMinute.isEmpty {
      clock.minutes = rule.byMinute.reduce(0) { $0 | 1 << UInt64($1) }
    } else if rule.frequency <= .minutely {
      clock.minutes = ClockSet.allSixty
    }
    if !rule.bySecond.isEmpty {
      // RFC 5545 §3.3.12: without leap seconds, second 60 is second 59.
      clock.seconds = rule.bySecond.reduce(0) { $0 | 1 << UInt64(min($1, 59)) }
    } else if rule.frequency == .secondly {
      clock.seconds = ClockSet.allSixty
    }
    return clock
  }

  private mutating func fillGate() {
    guard let unit else { return }
    if frequency >= .minutely { gate.seconds = 1 }
    if frequency >= .hourly { gate.minutes = 1 }
    isGateOpen =
      gate.hours == ClockSet.allHours
      && (frequency >= .hourly || gate.minutes == ClockSet.allSixty)
      && (frequency >= .minutely || gate.seconds == ClockSet.allSixty)
    guard !isGateOpen else { return }
    // Steps come to every time of day that is a multiple of the greatest common divisor of INTERVAL
    // and a day away from the first.
    let perDay = 86_400 / unit
    let spacing = greatestCommonDivisor(step, perDay)
    let first = Gregorian.floorModulo(firstPeriod, spacing)
    let allowed = gate
    meetsClock = stride(from: first, to: perDay, by: spacing).contains {
      allowed.contains($0 * unit)
    }
  }

  private mutating func fillDays(from rule: RecurrenceRule, start: CivilDate) {
    days.weekStart = (rule.weekStart ?? .monday).rawValue
    if !rule.byMonth.isEmpty { days.months = rule.byMonth.reduce(0) { $0 | 1 << UInt32($1) } }
    for day in rule.byMonthDay {
      if day > 0 { days.monthDays |= 1 << UInt32(day) }
      if day < 0 { days.lastMonthDays |= 1 << UInt32(-day) }
    }
    days.yearDays = Set(rule.byYearDay.filter { $0 > 0 }).sorted()
    days.lastYearDays = Set(rule.byYearDay.filter { $0 < 0 }.map { -$0 }).sorted()
    for week in rule.byWeekNumber {
      if week > 0 { days.weeks |= 1 << UInt64(week) }
      if week < 0 { days.lastWeeks |= 1 << UInt64(-week) }
    }
    var ordinals: Set<DayFilter.Ordinal> = []
    for day in rule.byDay {
      if let ordinal = day.ordinal, rule.allowsOrdinals {
        ordinals.insert(.init(ordinal: ordinal, weekday: day.weekday.rawValue))
      } else {
        days.weekdays |= 1 << UInt32(day.weekday.rawValue)
      }
    }
    days.ordinals = ordinals.sorted { ($0.weekday, $0.ordinal) < ($1.weekday, $1.ordinal) }
    days.ordinalsCountInYear =
      frequency == .yearly && rule.byMonth.isEmpty && !days.ordinals.isEmpty
    fillMissingDays(start: start)
  }

  /// "Information, not contained in the rule, … is derived from DTSTART" (RFC 5545 §3.3.10).
  private mutating func fillMissingDays(start: CivilDate) {
    let hasOther = days.hasMonthDays || days.hasYearDays || days.hasDays
    switch frequency {
    case .weekly:
      if !days.hasDays { days.weekdays = 1 << UInt32(start.weekday.rawValue) }
    case .monthly:
      if !hasOther, !days.hasWeeks { days.monthDays = 1 << UInt32(start.day) }
    case .yearly:
      if days.hasWeeks {
        if !hasOther { days.weekdays = 1 << UInt32(start.weekday.rawValue) }
      } else if !days.hasYearDays, !days.hasDays {
        if !days.hasMonths { days.months = 1 << UInt32(start.month) }
        if !days.hasMonthDays { days.monthDays = 1 << UInt32(start.day) }
      }
    case .secondly, .minutely, .hourly, .daily: break
    }
  }
}

func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (left, right) = (left, right)
  while right != 0 { (left, right) = (right, left % right) }
  return left
}
