public import SyncModel
import WebDAV

/// The time that a run may take.
public enum RunBudget {
  /// Does the work; while a server asks for patience, it is waited for, but not beyond `deadline`.
  /// Without one, a request waits for a minute at most. What is not worth waiting for ends in
  /// `StorageError.Kind.tryLater`.
  ///
  /// - Parameter shouldStop: asked before each write and within each wait; once it says yes, what
  ///   is on its way to a server is finished, and a write that was not sent yet fails as
  ///   `StorageError.Kind.stopped`.
  public static func until<Value: Sendable>(
    _ deadline: (@Sendable () -> Instant)?, shouldStop: (@Sendable () -> Bool)? = nil,
    _ work: () async -> Value
  ) async -> Value {
    let end = deadline.map { deadline in RunEnd { deadline().milliseconds } }
    return await Patience.$deadline.withValue(end) {
      await Patience.$shouldStop.withValue(shouldStop) { await work() }
    }
  }
}

extension Patience {
  /// Whether the run goes on, and has time for a pause of so many milliseconds.
  static func leaves(_ pause: Int64, at now: Instant) -> Bool {
    if isStopped { return false }
    guard let deadline else { return true }
    return pause
      < deadline.milliseconds().subtractingReportingOverflow(now.milliseconds).partialValue
  }

  /// Waits as the surroundings do; the chance is that of their UUIDs.
  init(_ surroundings: Surroundings) {
    self.init()
    pause = surroundings.pause
    chance = {
      // FNV-1a: any few bits of it are as random as the UUID.
      surroundings.newUUID().utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
  }
}
