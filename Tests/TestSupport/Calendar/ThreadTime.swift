import Glibc

/// The processor time that work takes on this thread: a busy machine does not change it much.
public func threadTime(_ work: () throws -> Void) rethrows -> Duration {
  let before = now()
  try work()
  return now() - before
}

private func now() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
