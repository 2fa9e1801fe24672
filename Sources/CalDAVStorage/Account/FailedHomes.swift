import SyncModel

/// Home sets that the last search for the account led to, and that failed then: one that does so
/// again is no reason to search anew, for a day.
public struct FailedHomes: Sendable, Hashable {
  /// In milliseconds.
  private static let lifetime: Int64 = 86_400_000

  /// By the home's address.
  private var times: [String: Instant] = [:]

  public init() {}

  init(_ homes: [String], at time: Instant) {
    times = Dictionary(homes.map { ($0, time) }) { first, _ in first }
  }

  func holds(_ home: String, at now: Instant) -> Bool {
    guard let time = times[home] else { return false }
    return (now.milliseconds &- time.milliseconds).magnitude < Self.lifetime.magnitude
  }

  /// Forgets those that have answered.
  mutating func keep(_ failed: [String]) { times = times.filter { failed.contains($0.key) } }

  /// A line a home, to be kept.
  public var encoded: String {
    times.sorted { $0.key < $1.key }.map { "\($0.value.milliseconds) \($0.key)" }
      .joined(separator: "\n")
  }

  /// Reads what `encoded` gave; a line that is none is left out.
  public init(encoded: some StringProtocol) {
    for line in encoded.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let time = Int64(words[0]) else { continue }
      times[String(words[1])] = Instant(milliseconds: time)
    }
  }
}
