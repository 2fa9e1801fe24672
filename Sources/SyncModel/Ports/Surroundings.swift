/// Time and chance, which come in through the front door: live in the composition, virtual and
/// seeded in tests.
public struct Surroundings: Sendable {
  public var now: @Sendable () -> Instant
  /// A new random UUID in lower case, `8-4-4-4-12`.
  public var newUUID: @Sendable () -> String
  /// Waits for some milliseconds.
  public var pause: @Sendable (Int64) async -> Void

  public init(
    now: @escaping @Sendable () -> Instant, newUUID: @escaping @Sendable () -> String,
    pause: @escaping @Sendable (Int64) async -> Void
  ) {
    self.now = now
    self.newUUID = newUUID
    self.pause = pause
  }
}
