/// Which occurrences of a recurring item an edit or a deletion is for.
///
/// A single event has one occurrence, and every span means it.
public enum Span: String, Sendable, Hashable, CaseIterable {
  /// One occurrence, which becomes an override or, when it is deleted, an EXDATE.
  case thisEvent = "this"
  /// One occurrence and all later ones, which become a series of their own.
  case futureEvents = "future"
  /// The whole series.
  case allEvents = "all"
}
