import ICalendar

extension RuleExpansion {
  /// Makes a period the current one.
  mutating func load(_ period: Int) {
    self.period = period
    content = plan.content(ofPeriod: period)
    pick()
  }

  /// Applies BYSETPOS to the whole period; what is before `position` drops out afterwards.
  mutating func pick() {
    guard !plan.positions.isEmpty else { return }
    picked.removeAll(keepingCapacity: true)
    for place in plan.picks(of: content.count).reversed() {
      guard let second = content.select(place), second >= position else { continue }
      picked.append(second)
    }
  }

  /// The next occurrence of the current period.
  mutating func nextInPeriod() -> Int? {
    guard plan.positions.isEmpty else { return picked.popLast() }
    guard let second = content.first(from: position) else { return nil }
    position = second + 1
    return second
  }

  /// Goes to the next period that has an occurrence; false at the end.
  mutating func advance() -> Bool {
    guard var next = period else { return false }
    if let unit = plan.unit { return advance(from: next, unit: unit) }
    // A leap to the next month is a step too: what counts is that the search ends.
    for _ in 0..<barrenLimit {
      next = following(next)
      let first = plan.firstSecond(ofPeriod: next)
      guard first <= ending.last else {
        stop(ending.reason(at: first))
        return false
      }
      position = Swift.max(position, first)
      load(next)
      if plan.positions.isEmpty ? !content.days.isEmpty : !picked.isEmpty { return true }
    }
    stop(.limit(.wholeCalendarSearched))
    return false
  }

  private func following(_ period: Int) -> Int {
    let next = period + plan.step
    guard plan.frequency == .daily, plan.days.hasMonths else { return next }
    return plan.onStep(plan.days.candidate(from: next))
  }

  /// The periods of 400 years: whatever INTERVAL is, so many steps meet each of them as often as
  /// they ever will.
  private var barrenLimit: Int {
    switch plan.frequency {
    case .yearly: 400
    case .monthly: 4800
    case .weekly: Gregorian.daysInCycle / 7
    case .daily, .hourly, .minutely, .secondly: Gregorian.daysInCycle
    }
  }

  /// The same for periods of less than a day, most of which a limit may rule out: days and times
  /// that are not allowed are leapt over.
  private mutating func advance(from current: Int, unit: Int) -> Bool {
    guard let next = allowedPeriod(from: current + plan.step, unit: unit) else { return false }
    position = next * unit
    period = next
    let day = Gregorian.floorDivide(position, 86_400)
    content = PeriodContent(
      days: DayBits(day: day), clock: plan.clock(at: position - day * 86_400))
    if plan.positions.isEmpty { return true }
    pick()
    // Every such period has as many times, so BYSETPOS keeps some of all or none of any.
    if picked.isEmpty { stop(.limit(.wholeCalendarSearched)) }
    return !picked.isEmpty
  }

  /// The first period from `period`, which is on step, that the limits allow.
  private mutating func allowedPeriod(from period: Int, unit: Int) -> Int? {
    var period = period
    if !plan.meetsClock {
      stop(.limit(.stepsMissTheClock))
      return nil
    }
    var looks = 0
    while looks < Self.lookLimit {
      looks += 1
      let (second, overflow) = period.multipliedReportingOverflow(by: unit)
      guard !overflow, second <= ending.last else {
        stop(ending.reason(at: overflow ? Int.max : second))
        return nil
      }
      let day = Gregorian.floorDivide(second, 86_400)
      guard passes(day) else {
        var next = plan.days.candidate(from: day + 1)
        while !plan.days.passes(next), next * 86_400 <= ending.last, looks < Self.lookLimit {
          next = plan.days.candidate(from: next + 1)
          looks += 1
        }
        period = plan.onStep(next * 86_400 / unit)
        continue
      }
      let secondOfDay = second - day * 86_400
      if plan.gate.contains(secondOfDay) { return period }
      let time = plan.gate.first(from: secondOfDay + 1) ?? 86_400
      period = plan.onStep((day * 86_400 + time) / unit)
    }
    stop(.limit(.stepsWithoutOccurrence))
    return nil
  }

  private mutating func passes(_ day: Int) -> Bool {
    if lookedUpDay.day != day {
      lookedUpDay = LookedUpDay(day: day, passes: plan.days.isEmpty || plan.days.passes(day))
    }
    return lookedUpDay.passes
  }
}
