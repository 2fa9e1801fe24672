/// A write that is about to happen, durable before it does, so that a crash or a lost answer can
/// be cleared up by looking.
public struct Intent: Sendable, Hashable {
  /// Given by the journal; unique within it.
  public struct ID: Sendable, Hashable, Comparable {
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }

  /// The write, with what it expects to find.
  public enum Effect: Sendable, Hashable {
    /// The href is ours to choose, so an upload whose answer was lost can be found again.
    case create(Href, ContentDigest)
    case replace(Href, expecting: Version, with: ContentDigest)
    case delete(Href, expecting: Version)
  }

  public var uid: ItemID
  /// Where the write goes.
  public var side: Side
  public var effect: Effect
  /// The version on the other side that this write carries over: with it, success makes an
  /// agreement. Nil for a delete, and for the first of two writes of a merge.
  public var source: ItemVersion?

  public init(uid: ItemID, side: Side, effect: Effect, source: ItemVersion?) {
    self.uid = uid
    self.side = side
    self.effect = effect
    self.source = source
  }

  /// Where the write goes on its side.
  public var href: Href {
    switch effect {
    case .create(let href, _), .replace(let href, _, _), .delete(let href, _): href
    }
  }
}

/// An intent as the journal holds it.
public struct OpenIntent: Sendable, Hashable {
  public let id: Intent.ID
  public let intent: Intent

  public init(id: Intent.ID, intent: Intent) {
    self.id = id
    self.intent = intent
  }
}

/// What became of an intent.
public enum IntentOutcome: Sendable, Hashable {
  /// It was carried out, and both sides now share this.
  case agreed(Agreement)
  /// It was carried out, and the item is gone from both sides.
  case forgotten
  /// Nothing was written; what is known of the two sides stays as it was.
  case nothingWritten
  /// Nobody knows, or something else is there: look at the target again before planning.
  case lookAgain
  /// The target refused it; its source waits.
  case refused(Observation.Wait)
}
