import Glibc

/// The processor time that work takes on this thread: a busy machine does not change it much.
public func threadTime(_ work: () throws -> Void) rethrows -> Duration {
  let before = now()
  try work()
  return now() - before
}

/// The least of three times: an interrupt, or a pause of a virtual machine, counts as work in one.
public func leastThreadTime(_ work: () throws -> Void) rethrows -> Duration {
  var least = try threadTime(work)
  for _ in 1..<3 { least = min(least, try threadTime(work)) }
  return least
}

private func now() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
