/// One thing that differs between two versions of an item.
///
/// The texts are those of the item: whoever shows them takes out what could disturb a terminal.
public struct PropertyDifference: Sendable, Hashable {
  /// The kind of the component that it is in, as `VEVENT`.
  public var component: String
  /// The day of the occurrence that it is about, for people; nil for the item as a whole.
  public var occurrence: String?
  /// The name in upper case, as `DTSTART`; of a component inside, as `VALARM`; empty for an
  /// occurrence as a whole.
  public var property: String
  /// For people; nil where there was, or is, nothing of the kind.
  public var before: String?
  public var after: String?
  /// The difference in one line, without a full stop, with the occurrence that it is in: `start
  /// 10:00 → 11:00 on Monday 5 January 2026`.
  public var words: String

  public init(
    component: String, occurrence: String? = nil, property: String, before: String?,
    after: String?, words: String
  ) {
    self.component = component
    self.occurrence = occurrence
    self.property = property
    self.before = before
    self.after = after
    self.words = words
  }
}
