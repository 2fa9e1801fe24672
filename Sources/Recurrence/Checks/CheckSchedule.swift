package import ICalendar

/// Looks at the times of one component by themselves.
struct ScheduleCheck {
  let item: ItemComponent
  let schedule: Schedule
  let zones: ZoneResolver

  func run() -> [CheckFinding] { end + rules }

  private func place(_ names: String...) -> TextPosition {
    let line = names.lazy.compactMap { item.component.line(named: $0) }.first
    return line?.position() ?? item.component.position
  }

  // MARK: The end

  private var end: [CheckFinding] {
    guard let start = schedule.start else { return [] }
    let endName = schedule.kind == .todo ? "DUE" : "DTEND"
    if case .end(let end) = schedule.ending, end.isDate != start.isDate {
      return [CheckFinding(.endType, at: place(endName))]
    }
    if case .end(let end) = schedule.ending, end == start {
      return [CheckFinding(.endAtStart, at: place(endName))]
    }
    var single = schedule
    single.rules = []
    single.exclusionRules = []
    single.additions = []
    single.recurrenceID = nil
    let problems = RecurrenceSet(main: single, zones: zones).problems
    guard problems.contains(.note(.endBeforeStart)) else { return [] }
    return [CheckFinding(.endBeforeStart, at: place(endName, "DURATION"))]
  }

  // MARK: Rules

  private var rules: [CheckFinding] {
    let lines = item.component.lines.filter { $0.isNamed("RRULE") }
    guard let line = lines.first else { return [] }
    guard let start = schedule.start else {
      return [CheckFinding(.ruleWithoutStart, at: line.position)]
    }
    var findings: [CheckFinding] = []
    if lines.count > 1 { findings.append(CheckFinding(.severalRules, at: lines[1].position)) }
    for line in lines.prefix(Self.ruleLimit) {
      var notes: [ValueNote] = []
      guard let rule = try? RecurrenceRule.read(line.value, notes: &notes) else { continue }
      findings += check(rule, line, start, isOnly: lines.count == 1)
    }
    return findings
  }

  /// RFC 5545 has one; more than this say nothing more.
  private static let ruleLimit = 20

  private func check(
    _ rule: RecurrenceRule, _ line: ContentLine, _ start: DateTime, isOnly: Bool
  ) -> [CheckFinding] {
    func part(_ name: String) -> TextPosition {
      let place = line.value.firstRange(of: Array((name + "=").utf8))?.lowerBound
      return line.position(inValue: place ?? 0)
    }
    var findings: [CheckFinding] = []
    if let until = rule.until, !until.fits(asUntilFrom: start) {
      findings.append(
        CheckFinding(.untilType, message: Self.untilMessage(start), at: part("UNTIL")))
    }
    let first: Int
    switch rule.first(from: start) {
    case .given(let wall)?: first = wall
    case .never?: return findings + [CheckFinding(.neverMatches, at: line.position())]
    case nil: return findings
    }
    if first != start.civil.secondsSince1970 {
      findings.append(CheckFinding(.startNotInRule, at: line.position()))
    }
    if let until = rule.until, isBefore(until, start) {
      findings.append(CheckFinding(.untilBeforeStart, at: part("UNTIL")))
    }
    return findings
  }

  private static func untilMessage(_ start: DateTime) -> String {
    switch start {
    case .date: "UNTIL has to be a date, as DTSTART is"
    case .floating: "UNTIL has to be a local time without Z, as DTSTART is"
    case .utc, .zoned: "UNTIL has to be a time in UTC, with a Z"
    }
  }

  private func isBefore(_ until: DateTime, _ start: DateTime) -> Bool {
    guard case .zoned(let civil, let name) = start else {
      return until.civil.secondsSince1970 < start.civil.secondsSince1970
    }
    guard let zone = zones.zone(named: name)?.zone else { return false }
    return until.civil.secondsSince1970 < zone.instant(of: civil.secondsSince1970)
  }
}

extension DateTime {
  /// It is of the type that UNTIL has to have (RFC 5545 §3.3.10): a date for a date, local time for
  /// local time, and UTC for the others.
  package func fits(asUntilFrom start: DateTime) -> Bool {
    switch (start, self) {
    case (.date, .date), (.floating, .floating), (.utc, .utc), (.zoned, .utc): true
    default: false
    }
  }
}

extension RecurrenceRule {
  /// What a rule gives first, whatever its end.
  package enum First: Sendable {
    /// A wall time.
    case given(Int)
    /// It was looked for as far as a rule can need it.
    case never
  }

  /// The first occurrence that the rule itself gives; nil where the calendar ends before one.
  package func first(from start: DateTime) -> First? {
    var endless = self
    endless.until = nil
    endless.count = nil
    var expansion = RuleExpansion(endless, start: start, includesStart: false)
    if let first = expansion.next() { return .given(first) }
    if case .limit = expansion.end { return .never }
    return nil
  }
}
