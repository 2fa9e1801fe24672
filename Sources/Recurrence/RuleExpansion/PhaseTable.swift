import ICalendar

/// How many steps of a rule of hours, minutes or seconds land on allowed times, day by day.
///
/// Steps that do not divide the day come back to the same times after some days, its cycle: so the
/// days of one cycle are counted, at most 86,400 steps, and every later day is looked up.
struct PhaseTable {
  private let plan: RulePlan
  private let perDay: Int
  private let firstDay: Int
  /// The allowed steps of each day of a cycle.
  private var allowed: [Int]
  /// The occurrences of each allowed step.
  private let each: Int

  init(_ plan: RulePlan, unit: Int) {
    self.plan = plan
    perDay = 86_400 / unit
    firstDay = Gregorian.floorDivide(plan.firstPeriod, perDay)
    each = plan.kept(of: plan.clock(at: 0).count)
    let divisor = greatestCommonDivisor(plan.step, perDay)
    let cycle = plan.step / divisor
    allowed = Array(repeating: 0, count: cycle)
    let gate = plan.gate
    var place = plan.firstPeriod - firstDay * perDay
    for _ in 0..<(perDay / divisor) {
      if gate.contains(place % perDay * unit) { allowed[place / perDay % cycle] += 1 }
      place += plan.step
    }
  }

  /// The occurrences of the periods after the first and before `goal`; at least `enough` if they
  /// are that many.
  func occurrences(before goal: Int, enough: Int) -> Int {
    let lastDay = Gregorian.floorDivide(goal, perDay)
    var steps = allowedSteps(from: plan.firstPeriod + plan.step, to: (firstDay + 1) * perDay)
    var phase = 1 % allowed.count
    for day in (firstDay + 1)..<Swift.max(firstDay + 1, lastDay) {
      let isFree = plan.days.isEmpty
      if allowed[phase] > 0, isFree || plan.days.passes(day) { steps += allowed[phase] }
      phase = phase + 1 == allowed.count ? 0 : phase + 1
    }
    let firstOfLast = plan.onStep(lastDay * perDay)
    steps += allowedSteps(from: firstOfLast, to: goal)
    let (product, overflow) = steps.multipliedReportingOverflow(by: each)
    return overflow ? enough : product
  }

  /// Counts steps one by one, within a day.
  private func allowedSteps(from first: Int, to end: Int) -> Int {
    let day = Gregorian.floorDivide(first, perDay)
    guard first < end, plan.days.isEmpty || plan.days.passes(day) else { return 0 }
    let gate = plan.gate
    return stride(from: first, to: end, by: plan.step)
      .count { gate.contains(($0 - day * perDay) * (86_400 / perDay)) }
  }
}
