import EventEditing

/// Which occurrences of a recurring event a change is for.
///
/// As with EventKit there is no third span for the whole series: that is `futureEvents` on its
/// first occurrence, which keeps it one series. An event that does not recur has one occurrence,
/// and both spans mean it.
public enum EventSpan: String, Sendable, Hashable, Codable, CaseIterable {
  /// The one occurrence: it becomes an override (RFC 5545 §3.8.4.4), or when it is removed an
  /// EXDATE (§3.8.5.1).
  case thisEvent
  /// The occurrence and all later ones: the series ends before it (UNTIL or COUNT, §3.3.10), and
  /// what follows becomes a series of its own.
  case futureEvents

  var span: Span {
    switch self {
    case .thisEvent: .thisEvent
    case .futureEvents: .futureEvents
    }
  }
}
