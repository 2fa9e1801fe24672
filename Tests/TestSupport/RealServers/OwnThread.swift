import Dispatch

/// Runs what blocks outside Swift's small pool of threads, so that other tests go on meanwhile.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: work()) }
  }
}
