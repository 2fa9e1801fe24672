import ICalendar

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
    if let until = rule.until, !Self.fits(until, start) {
      findings.append(
        CheckFinding(.untilType, message: Self.untilMessage(start), at: part("UNTIL")))
    }
    var withoutEnd = rule
    withoutEnd.until = nil
    withoutEnd.count = nil
    var expansion = RuleExpansion(withoutEnd, start: start, includesStart: false)
    guard let first = expansion.next() else {
      guard case .limit = expansion.end else { return findings }
      return findings + [CheckFinding(.neverMatches, at: line.position())]
    }
    if first != start.civil.secondsSince1970 {
      findings.append(CheckFinding(.startNotInRule, at: line.position()))
    }
    if let until = rule.until, isBefore(until, start) {
      findings.append(CheckFinding(.untilBeforeStart, at: part("UNTIL")))
    }
    return findings
  }

  /// RFC 5545 §3.3.10: a date for a date, local time for local time, and UTC for the others.
  private static func fits(_ until: DateTime, _ start: DateTime) -> Bool {
    switch (start, until) {
    case (.date, .date), (.floating, .floating), (.utc, .utc), (.zoned, .utc): true
    default: false
    }
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
