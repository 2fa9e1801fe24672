import ICalendar

extension RuleExpansion {
  /// Goes to the first occurrence from a civil second on, which is behind `position`. Without COUNT
  /// the period is found by division; with COUNT those before it are counted, by the day or by the
  /// period and not one by one.
  mutating func seek(to second: Int) {
    let target = Swift.min(second, CivilDateTime.lastSecond)
    let containing = plan.period(of: target)
    let goal = plan.onStep(containing)
    if plan.count != nil {
      counted += occurrences(from: position, before: target, goal: goal)
    }
    position = second
    if let unit = plan.unit {
      // The period may be ruled out, and is then stepped over.
      period = goal
      content = plan.content(ofPeriod: goal)
      position = Swift.max(position, goal * unit)
      pick()
    } else {
      load(goal)
    }
  }

  /// How many occurrences are from a second in the first period on and before another, which is in
  /// period `goal` or between it and the one before.
  private func occurrences(from first: Int, before second: Int, goal: Int) -> Int {
    let count = plan.count ?? 0
    guard goal > plan.firstPeriod else {
      return kept(in: goal, from: first, before: second)
    }
    let partial = kept(in: plan.firstPeriod, from: first, before: Int.max)
    let whole = wholePeriods(before: goal, enough: count)
    let last = kept(in: goal, from: Int.min, before: second)
    let (sum, overflow) = whole.addingReportingOverflow(partial + last)
    return overflow ? count : sum
  }

  /// How many occurrences of a period are in a range, with BYSETPOS applied.
  private func kept(in period: Int, from first: Int, before last: Int) -> Int {
    let content = plan.content(ofPeriod: period)
    let low = first == Int.min ? 0 : content.rank(first)
    let high = last == Int.max ? content.count : content.rank(last)
    guard !plan.positions.isEmpty else { return Swift.max(0, high - low) }
    return plan.picks(of: content.count).count { $0 >= low && $0 < high }
  }

  /// How many occurrences the periods between the first and `goal` have; at least `enough` if they
  /// are that many.
  private func wholePeriods(before goal: Int, enough: Int) -> Int {
    let periods = (goal - plan.firstPeriod) / plan.step - 1
    guard periods > 0 else { return 0 }
    if let each = plan.occurrencesOfEveryPeriod {
      let (product, overflow) = each.multipliedReportingOverflow(by: periods)
      return overflow ? enough : product
    }
    if let unit = plan.unit {
      let perDay = 86_400 / unit
      if plan.step <= perDay, periods > perDay {
        return PhaseTable(plan, unit: unit).occurrences(before: goal, enough: enough)
      }
    }
    var sum = 0
    var period = plan.firstPeriod + plan.step
    while period < goal, sum < enough {
      sum += plan.kept(of: plan.content(ofPeriod: period).count)
      period += plan.step
    }
    return sum
  }
}

extension RulePlan {
  /// The number of occurrences of a period where all have the same.
  var occurrencesOfEveryPeriod: Int? {
    switch frequency {
    case .secondly, .minutely, .hourly:
      days.isEmpty && isGateOpen ? kept(of: clock(at: 0).count) : nil
    case .daily: days.isEmpty ? kept(of: clock.count) : nil
    case .weekly:
      days.isWeekdaysOnly ? kept(of: days.weekdays.nonzeroBitCount * clock.count) : nil
    case .monthly, .yearly: nil
    }
  }
}
