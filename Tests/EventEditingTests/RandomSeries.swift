import ICalendar
import Recurrence
import TestSupport

/// A random series and, apart from its text, what it is made of: the wall times that its rules and
/// RDATEs give, what is left out, and what is overridden.
struct RandomSeries {
  struct Override {
    var wall: Int
    var length: Int
    var summary: String
  }

  /// Everything about one of its forms of time.
  struct Form {
    let zone: String
    let isDate: Bool
    let starts: [String]
  }

  let start: DateTime
  let home: Home
  var rules: [RecurrenceRule] = []
  var additions: Set<Int> = []
  var exclusions: Set<Int> = []
  var overrides: [Int: Override] = [:]
  /// Seconds on the wall, or for dates 86,400 a day.
  var length: Int
  var hasDuration = false
  /// The wall times in order, as many as are looked at.
  var walls: [Int] = []
  /// Wall times from here on are not looked at: the rule goes on.
  var horizon = Int.max
  /// The days may move, and each occurrence moves as far.
  var mayChangeDay = true

  static let limit = 500

  private static let forms = [
    Form(zone: "Europe/Vienna", isDate: false, starts: ["20260325T023000", "20261020T090000"]),
    Form(zone: "America/New_York", isDate: false, starts: ["20260105T180000"]),
    Form(zone: "Australia/Lord_Howe", isDate: false, starts: ["20260401T013000"]),
    Form(zone: "Pacific/Apia", isDate: false, starts: ["20111225T120000"]),
    Form(zone: "Z", isDate: false, starts: ["20260105T080000", "20240229T233000"]),
    Form(zone: "", isDate: false, starts: ["20260105T080000"]),
    Form(zone: "", isDate: true, starts: ["20260105", "20240131"]),
  ]

  static let dayRules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TH",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU;WKST=SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
    "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;BYDAY=SA,SU;WKST=WE",
  ]
  private static let clockRules = [
    "FREQ=HOURLY;INTERVAL=7", "FREQ=MINUTELY;INTERVAL=90", "FREQ=HOURLY;INTERVAL=5",
    "FREQ=SECONDLY;INTERVAL=4000",
  ]
  static let longRules = [
    "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1", "FREQ=YEARLY",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=1,6;BYDAY=2TU",
    "FREQ=YEARLY;BYWEEKNO=1,20;BYDAY=MO", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3MO",
    "FREQ=YEARLY;BYYEARDAY=1,100,-1",
  ]

  init(_ random: inout SeededRandom) throws {
    let form = random.one(of: Self.forms)
    var notes: [ValueNote] = []
    let text = random.one(of: form.starts) + (form.zone == "Z" ? "Z" : "")
    let zone = form.zone.isEmpty || form.zone == "Z" ? nil : TimeZoneName(form.zone)
    start = try DateTime.read(Array(text.utf8), zone: zone, notes: &notes)
    var zones: [TimeZoneName: Zone] = [:]
    if let zone { zones[zone] = ZoneCatalog.system.zone(named: zone.text) }
    home = Home(of: start, placement: .utc, zones: zones)
    length =
      form.isDate
      ? 86_400 * random.number(1...3) : random.one(of: [0, 1800, 3600, 5400, 90_000])
    if !canEnd(start.civil.secondsSince1970, length) { length = 0 }
    hasDuration = length > 0 && random.oneIn(4)
    let kind = random.below(10)
    let count = random.oneIn(40) ? Self.limit : random.number(2...40)
    var names = [random.one(of: Self.dayRules)]
    if kind >= 6, !form.isDate, kind < 8 {
      names = [random.one(of: Self.clockRules)]
    } else if kind >= 8 {
      names = [random.one(of: Self.longRules)]
      mayChangeDay = false
    }
    if random.oneIn(30) { names = [] }
    if random.oneIn(20), !form.isDate { names.append("FREQ=DAILY;INTERVAL=2") }
    for name in names {
      var rule = try RecurrenceRule.read(Array(name.utf8), notes: &notes)
      try limit(&rule, count: count, &random)
      rules.append(rule)
    }
    addTimes(count: names.isEmpty ? 12 : count, &random)
  }

  /// The end can be written on the wall: it is not the second of two equal wall times.
  func canEnd(_ wall: Int, _ length: Int) -> Bool {
    let key = home.key(ofWall: wall) + length
    return home.isDate || home.key(ofWall: home.wall(ofKey: key)) == key
  }

  private mutating func limit(
    _ rule: inout RecurrenceRule, count: Int, _ random: inout SeededRandom
  ) throws {
    let found = Array(RuleExpansion(rule, start: start).prefix(count))
    switch random.below(3) {
    case 0: rule.count = count
    case 1:
      let last = found[found.count - 1]
      guard let civil = CivilDateTime(secondsSince1970: last) else { return }
      let key = home.key(ofWall: last)
      rule.until =
        start.isDate
        ? .date(civil.date)
        : home.zone == nil
          ? .floating(civil) : CivilDateTime(secondsSince1970: key).map { .utc($0) }
      // Around a gap a wall time before the last can come after it.
      if home.walls(ofKey: key).count != 1 { (rule.until, rule.count) = (nil, count) }
    default: horizon = min(horizon, found[found.count - 1])
    }
  }

  private mutating func addTimes(count: Int, _ random: inout SeededRandom) {
    var all: Set<Int> = [start.civil.secondsSince1970]
    for rule in rules {
      var until: Int?
      if case .utc(let civil) = rule.until { until = home.wall(ofKey: civil.secondsSince1970) }
      for wall in RuleExpansion(rule, start: start, until: until).prefix(Self.limit) {
        guard wall < horizon else { break }
        all.insert(wall)
      }
    }
    let given = all.sorted()
    let isRuleless = rules.isEmpty
    for _ in 0..<(isRuleless ? count : random.oneIn(4) ? 3 : 0) {
      let day = 86_400 * random.number(1...60)
      let clock = start.isDate || !mayChangeDay ? 0 : random.one(of: [0, 0, 3600, 19_800])
      let wall = random.one(of: given) + day + clock
      let isShown = home.wall(ofKey: home.key(ofWall: wall)) == wall
      if wall < horizon, isShown, !all.contains(wall) { additions.insert(wall) }
    }
    walls = all.union(additions).sorted()
    for wall in walls where random.oneIn(12) { exclusions.insert(wall) }
    for wall in walls where random.oneIn(12) && home.walls(ofKey: home.key(ofWall: wall)).count == 1
    {
      let shift =
        86_400 * random.one(of: [0, 0, 1, -2, 30])
        + (start.isDate ? 0 : random.one(of: [0, 3600, -5400]))
      let ownWall = wall + shift
      guard home.wall(ofKey: home.key(ofWall: ownWall)) == ownWall else { continue }
      let own = random.oneIn(2) ? length : start.isDate ? 172_800 : 2700
      overrides[wall] = Override(
        wall: ownWall, length: canEnd(ownWall, own) ? own : 0,
        summary: random.oneIn(2) ? "Series" : "Special")
    }
  }
}
