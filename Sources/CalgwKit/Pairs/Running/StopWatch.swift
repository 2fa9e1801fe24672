import SyncModel

/// Says whether a run has to stop: a signal came, or its deadline passed.
package struct StopWatch: Sendable {
  /// What is in flight may end by itself for so long, in milliseconds; then it is cancelled, which
  /// is as safe as a lost connection.
  static let grace: Int64 = 3000
  /// How often the watch looks, in milliseconds.
  static let interval: Int64 = 100

  let signals: StopSignals?
  private let deadline: ContinuousClock.Instant?
  private let askedBefore: Duration

  /// - Parameter deadline: what the run may take, without the time in which a person is asked.
  package init(signals: StopSignals?, deadline: Duration? = nil) {
    self.signals = signals
    self.deadline = deadline.map { Self.now(signals).advanced(by: $0) }
    askedBefore = signals?.timeAsked ?? .zero
  }

  /// Nil as long as the run may go on.
  package var reason: StopReason? {
    if let reason = signals?.reason { return reason }
    guard let deadline else { return nil }
    return Self.now(signals) >= deadline.advanced(by: timeAsked) ? .deadline : nil
  }

  private static func now(_ signals: StopSignals?) -> ContinuousClock.Instant {
    signals?.now() ?? .now
  }

  /// How long a person was asked something since the watch began.
  private var timeAsked: Duration { (signals?.timeAsked ?? askedBefore) - askedBefore }

  /// The end of a run, which comes later by the time in which a person is asked.
  package func extended(_ end: Instant) -> @Sendable () -> Instant { { end.after(self.timeAsked) } }

  var shouldStop: @Sendable () -> Bool { { self.reason != nil } }

  /// Does the work; cancels it if it does not end within the grace after a reason to stop.
  func watch<Value: Sendable>(
    _ surroundings: Surroundings, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withTaskGroup(of: Value?.self, returning: Value?.self) { group in
      group.addTask { await work() }
      group.addTask {
        await waitForEnd(surroundings)
        return nil
      }
      var result: Value?
      for await value in group {
        result = value ?? result
        group.cancelAll()
      }
      return result
    }
  }

  /// Comes back when the grace is over, or the task is cancelled.
  private func waitForEnd(_ surroundings: Surroundings) async {
    var waited: Int64 = 0
    while !Task.isCancelled, waited < Self.grace {
      await surroundings.pause(Self.interval)
      if reason != nil { waited += Self.interval }
    }
  }
}
