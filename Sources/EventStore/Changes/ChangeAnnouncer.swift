/// Gathers changes until there were none for a while, and then tells those who listen.
struct ChangeAnnouncer: Sendable {
  /// So long nothing may change before a change is announced: a file that is saved, or a sync,
  /// brings many changes in a row.
  static let quiet = Duration.milliseconds(500)
  /// A change is announced at the latest after so long, however many follow it.
  static let patience = Duration.seconds(5)

  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async -> Void
  var gathered = GatheredChanges()
  /// When the first of the gathered changes was, on the clock; nil where there is none.
  var since: Duration?
  /// Counts the waits; only the last one announces.
  var round = 0
  var listeners: [Int: AsyncStream<EventStoreChange>.Continuation] = [:]
  private var listenerCount = 0
  /// The last trouble of each calendar that was announced.
  var known: [String: EventStoreError] = [:]

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    // Who is cancelled in a wait has nothing to announce any more.
    sleep = { try? await clock.sleep(for: $0) }
  }

  /// How long to wait for another change now.
  mutating func wait() -> (round: Int, Duration) {
    round += 1
    let now = elapsed()
    let first = since ?? now
    since = first
    return (round, max(.zero, min(Self.quiet, first + Self.patience - now)))
  }

  mutating func listen(_ continuation: AsyncStream<EventStoreChange>.Continuation) -> Int {
    listenerCount += 1
    listeners[listenerCount] = continuation
    return listenerCount
  }
}
