/// What was last seen of a resource on one side, where it differs from the agreement.
///
/// Observations let a sync token advance although an item could not be dealt with: planning reads
/// agreements and observations, never the listing.
public struct Observation: Sendable, Hashable {
  public var side: Side
  public var href: Href
  public var state: State
  /// Why the item still waits although it was seen; nil where nothing holds it.
  public var wait: Wait?
  /// When the run began that found something there in the place of an item, or nothing. What came
  /// and what went in one run has one time; nil where no look tells.
  public var since: Instant?
  /// The time in which the item went that both sides share at that place: from the run after which
  /// it was not read there to the one that found nothing there, or another item. The journal says
  /// so until it is read there again; nil elsewhere.
  public var missed: ClosedRange<Instant>?

  /// What is there.
  public enum State: Sendable, Hashable {
    /// Something is there that was not read yet.
    case unread(EntityTag?)
    /// Something is there and was read.
    case read(ItemVersion)
    /// Something is there that calgw leaves alone: no calendar item, or none that it can read.
    case obstructed(EntityTag?, ItemProblem)
    /// Nothing is there.
    case gone
  }

  /// A reason to leave an item for later that outlives the run.
  public enum Wait: Sendable, Hashable {
    /// The other side refused this content; it is not sent again until it changed, or until
    /// `retry`, when the other side's answer could have.
    case refused(ContentDigest, ItemProblem, retry: Instant)
    /// Both sides changed it; a person decides.
    case conflict
    /// It has no occurrence after the first moment and before the second (nil: none ever), and so
    /// none in the span of time of which items are taken.
    case outOfWindow(after: Instant, until: Instant?)

    /// That of a refusal.
    public var cause: ItemProblem.Cause? { problem?.cause }

    /// What is told of one that was refused, or waits as such.
    public var problem: ItemProblem? {
      if case .refused(_, let problem, _) = self { problem } else { nil }
    }
  }

  public init(
    side: Side, href: Href, state: State, wait: Wait? = nil, since: Instant? = nil,
    missed: ClosedRange<Instant>? = nil
  ) {
    self.side = side
    self.href = href
    self.state = state
    self.wait = wait
    self.since = since
    self.missed = missed
  }
}
