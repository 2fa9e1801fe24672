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
  public var unsaid: Unsaid

  /// What the words only count or leave out.
  public enum Unsaid: Sendable, Hashable {
    case nothing
    /// The texts themselves.
    case texts
    /// Each one that came, went or was changed.
    case each([String])
  }

  public init(
    component: String, occurrence: String? = nil, property: String, before: String?,
    after: String?, words: String, unsaid: Unsaid = .nothing
  ) {
    self.component = component
    self.occurrence = occurrence
    self.property = property
    self.before = before
    self.after = after
    self.words = words
    self.unsaid = unsaid
  }

  /// What the words only count or leave out, line by line.
  public var details: [DetailLine] {
    switch unsaid {
    case .nothing: []
    case .texts:
      if let before, let after {
        DetailLine.changes(from: before, to: after)
      } else {
        (before ?? after).map { DetailLine.lines(of: $0, mark) } ?? []
      }
    case .each(let texts): texts.flatMap { DetailLine.lines(of: $0, mark) }
    }
  }

  private var mark: DetailLine.Mark {
    switch (before, after) {
    case (nil, _): .added
    case (_, nil): .removed
    case (_?, _?): .changed
    }
  }
}
