public import SyncModel

/// Says which side wins where both changed an item; nil: nobody does, it waits.
///
/// `newest` compares the time of each side: its LAST-MODIFIED if that differs from the base's (text
/// editors do not touch it), else when the side says that the resource changed. Where a time is
/// missing or absurd, or both are at most 2 s apart, the remote one wins, so that the rule is total
/// and the same on every machine.
public func winner(
  _ local: ItemVersion, _ remote: ItemVersion, base: Agreement?, policy: ConflictPolicy,
  now: Instant
) -> Side? {
  switch policy {
  case .local: return .local
  case .remote: return .remote
  case .newest:
    guard let here = editTime(of: local, base: base?.local, now: now),
      let there = editTime(of: remote, base: base?.remote, now: now)
    else { return .remote }
    return here.milliseconds - there.milliseconds > sameTime ? .local : .remote
  case .merge, .ask: return nil
  }
}

/// Clocks of two machines and file systems that count in twos of seconds cannot tell less apart.
private let sameTime: Int64 = 2_000

/// Before this, calendar clients write placeholders such as the year 1 or 1970.
private let firstPlausible = Instant(seconds: 631_152_000)  // 1990-01-01
/// A clock that is ahead by a zone is plausible; one that is ahead by more than a day is not.
private let tolerance: Int64 = 86_400_000

private func editTime(of version: ItemVersion, base: ItemVersion?, now: Instant) -> Instant? {
  let time =
    if let stated = version.lastModified, stated != base?.lastModified {
      stated
    } else {
      version.modified
    }
  guard let time, time >= firstPlausible,
    time.milliseconds <= now.milliseconds.addingReportingOverflow(tolerance).partialValue
  else { return nil }
  return time
}
