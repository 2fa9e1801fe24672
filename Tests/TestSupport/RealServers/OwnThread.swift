public import Glibc

/// Runs what blocks outside Swift's small pool of threads, so that other tests go on meanwhile.
///
/// Not on a queue of Dispatch: with all cores at work it starts no more threads for those that
/// wait, and hundreds of tests wait for programs and servers at once.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    pthread_detach(startThread { continuation.resume(returning: work()) })
  }
}

/// Starts a thread, to be joined or detached.
public func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(Work(body))
  let code = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }, context.toOpaque())
  precondition(code == 0, "no thread can be started: \(code)")
  return thread
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
