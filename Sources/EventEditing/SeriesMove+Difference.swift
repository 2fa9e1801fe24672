import ICalendar
import Recurrence

extension SeriesMove {
  /// Occurrences that have no counterpart on the other side of a move.
  struct Difference {
    /// Old wall times.
    var lost: [Int] = []
    /// New wall times.
    var added: [Int] = []
  }

  /// 20 years of months, so that leap days are met; a person reads the first few.
  private static let compared = 240

  /// How a rule that moves each occurrence within its month or year differs after the move: some
  /// have no such day, as February has no 30th, and some had none before.
  /// - Parameter moved: The rule after the move, with its end.
  func difference(
    of rule: RecurrenceRule, after moved: RecurrenceRule, at index: Int
  ) -> Difference {
    guard rules[index].fit == .byPeriod else { return Difference() }
    let before = Array(
      walls(of: rule, from: old, oldHome, through: CivilDateTime.lastSecond)
        .prefix(Self.compared))
    let targets = before.map { wall -> Int? in
      wall == old.wall ? new.wall : placed(wall, by: rules[index])
    }
    let wanted = Set(targets.compactMap { $0 })
    // Of a rule that goes on, what comes behind was not looked at.
    let isWhole = before.count < Self.compared
    let last = isWhole ? CivilDateTime.lastSecond : wanted.max() ?? new.wall
    let after = Array(walls(of: moved, from: new, newHome, through: last))
    let given = Set(after)
    let lost = zip(before, targets).filter { _, target in
      target.map { !given.contains($0) } ?? true
    }
    return Difference(lost: lost.map { $0.0 }, added: after.filter { !wanted.contains($0) })
  }

  private func walls(
    of rule: RecurrenceRule, from start: DateTime, _ home: Home, through last: Int
  ) -> RuleExpansion {
    RuleExpansion(
      rule, start: start, until: rule.until.map { wall(of: $0, in: home) },
      window: start.wall...max(start.wall, last))
  }

  /// A new wall time, as an occurrence is called.
  func name(ofNewWall wall: Int) -> String {
    let key = newHome.key(ofWall: wall)
    let shown = newHome.wall(ofKey: key)
    return Clock.name(
      wall: shown, offset: newHome.zone == nil ? nil : shown - key, isDate: newHome.isDate)
  }
}
