import ICalendar
import Recurrence
import SyncModel

/// The time of day, for the person who runs the program.
struct WallClock: Sendable {
  let now: Instant
  let zone: Zone

  /// A time that is to pass, in milliseconds, as the one at its end, to the minute and rounded up:
  /// `14:05`, on another day than this `2026-01-07 14:05`. Nil where no calendar has it.
  func time(after wait: Int64) -> String? {
    let minute: Int64 = 60_000
    let (end, overflow) = now.milliseconds.addingReportingOverflow(wait)
    if overflow { return nil }
    let minutes = end / minute + (end % minute > 0 ? 1 : 0)
    guard let then = CivilDateTime(secondsSince1970: zone.wall(at: Int(minutes) * 60)),
      let today = CivilDateTime(secondsSince1970: zone.wall(at: Int(now.milliseconds / 1000)))
    else { return nil }
    let time = "\(Self.digits(then.hour)):\(Self.digits(then.minute))"
    if then.date == today.date { return time }
    let (year, month, day) = (then.date.year, then.date.month, then.date.day)
    return "\(year)-\(Self.digits(month))-\(Self.digits(day)) \(time)"
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallClock {
  /// Nil where no server asked to wait for a time that it named: nothing is read for it then.
  init?(
    for failures: [RunFailure], _ surroundings: Surroundings, _ environment: ProcessEnvironment
  ) {
    guard failures.contains(where: { $0.askedWait != nil }) else { return nil }
    self.init(now: surroundings.now(), zone: SystemZones.local(environment))
  }
}
