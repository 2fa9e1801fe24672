/// An alarm of an event (VALARM, RFC 5545 §3.6.6).
public struct Reminder: Sendable, Hashable, Codable {
  /// When it goes off (TRIGGER, RFC 5545 §3.8.6.3).
  public enum Trigger: Sendable, Hashable, Codable {
    /// Seconds from the start of the event; before it if they are negative.
    case fromStart(seconds: Int)
    /// Seconds from its end.
    case fromEnd(seconds: Int)
    /// At a moment, whenever the event is, in seconds from 1970-01-01T00:00:00Z.
    case at(seconds: Int)
  }

  public var trigger: Trigger
  /// ACTION in upper case, as `DISPLAY` or `AUDIO`.
  public var action: String

  public init(_ trigger: Trigger, action: String = "DISPLAY") {
    self.trigger = trigger
    self.action = action
  }

  /// So many minutes before the start; none where they are negative.
  public static func minutesBefore(_ minutes: Int) -> Reminder {
    Reminder(.fromStart(seconds: -60 * min(max(minutes, 0), minuteLimit)))
  }

  /// Ten thousand years of minutes: no calendar has more.
  private static let minuteLimit = 5_270_400_000
}
