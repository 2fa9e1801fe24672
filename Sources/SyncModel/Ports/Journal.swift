/// The memory of one collection of a pair: agreements, observations, cursors, intents, history.
///
/// Every call is one transaction: it happened whole or not at all, and what guards an effect is on
/// disk when the call returns.
public protocol Journal: Sendable {
  // MARK: What is known

  /// The number of items that both sides share.
  func agreementCount() async throws(JournalError) -> Int
  func cursor(_ side: Side) async throws(JournalError) -> Cursor?
  /// Every href known on a side with its tag and digest, from agreements and observations; the
  /// observation wins. Sorted by href.
  func known(_ side: Side) async throws(JournalError) -> [KnownResource]
  /// The same for some hrefs; those not known are left out.
  func known(_ side: Side, hrefs: [Href]) async throws(JournalError) -> [KnownResource]
  /// What a side was seen to have and was not read yet, sorted by href.
  func unread(_ side: Side) async throws(JournalError) -> [Href]
  /// All observations, and every agreement that one of them touches by href or by UID.
  func differing() async throws(JournalError) -> Differing
  /// The agreement of an item, by its UID.
  func agreement(of uid: ItemID) async throws(JournalError) -> Agreement?
  func openIntents() async throws(JournalError) -> [OpenIntent]
  /// The texts for digests, as far as they are kept.
  func contents(_ digests: [ContentDigest]) async throws(JournalError) -> [ContentDigest: ItemData]
  /// The sizes of these texts in bytes, as far as they are kept.
  func sizes(of digests: [ContentDigest]) async throws(JournalError) -> [ContentDigest: Int]
  /// Newest first; nil: of all items.
  func history(of uid: ItemID?) async throws(JournalError) -> [RecordedHistoryEntry]

  // MARK: What was seen

  /// Records a page of a listing together with its cursor.
  func record(page: [ObservedChange], on side: Side, cursor: Cursor) async throws(JournalError)
  /// Forgets where the listings of a side left off, so that the next run lists everything.
  func forgetCursor(_ side: Side) async throws(JournalError)
  /// Records what was read, with the texts.
  func record(read: [ObservedChange], on side: Side, contents: [StoredContent])
    async throws(JournalError)
  /// Records equal contents as agreements and drops the observations that they settle.
  func agree(_ agreements: [Agreement]) async throws(JournalError)
  /// Forgets items that are gone from both sides.
  func forget(_ uids: [ItemID]) async throws(JournalError)
  /// Marks observations as waiting, or as no longer waiting, and keeps what waits in the history.
  func setWaits(_ waits: [WaitChange], history: [HistoryEntry], contents: [StoredContent])
    async throws(JournalError)

  // MARK: What is done

  /// Makes intents, the history of what they will replace, and their texts durable. Gives the
  /// intents' ids in order.
  ///
  /// A write that was refused is tried again. Where the newest entry of its item and side is of a
  /// `begin` after which the sides have not agreed on the item (`close`, `agree`, `forget`), has
  /// the same action and the same content before, and nothing else became of the item since, that
  /// one takes the place of a second: it gets the time and all the rest of the new one, and keeps
  /// its number.
  func begin(_ intents: [Intent], history: [HistoryEntry], contents: [StoredContent])
    async throws(JournalError) -> [Intent.ID]
  /// Records what became of intents.
  func close(_ outcomes: [ClosedIntent], contents: [StoredContent]) async throws(JournalError)
  /// Keeps versions in the history that no intent covers.
  func keep(_ history: [HistoryEntry], contents: [StoredContent]) async throws(JournalError)
  /// Drops history beyond the limits and texts that nothing refers to any more.
  func prune(olderThan: Instant, versionsAnItem: Int) async throws(JournalError)
}

/// A text and its digest.
public struct StoredContent: Sendable, Hashable {
  public let digest: ContentDigest
  public let data: ItemData

  public init(digest: ContentDigest, data: ItemData) {
    self.digest = digest
    self.data = data
  }
}

/// What the journal knows of a resource before a listing is compared with it.
public struct KnownResource: Sendable, Hashable {
  public var href: Href
  public var tag: EntityTag?
  /// Nil where its content was never read.
  public var digest: ContentDigest?
  /// It is what both sides agreed on, and no observation says otherwise.
  public var isAgreed: Bool
  /// The observation says that it is gone.
  public var isGone: Bool
  /// The observation's, if there is one and it waits.
  public var wait: Observation.Wait?

  public init(
    href: Href, tag: EntityTag?, digest: ContentDigest?, isAgreed: Bool, isGone: Bool = false,
    wait: Observation.Wait? = nil
  ) {
    self.href = href
    self.tag = tag
    self.digest = digest
    self.isAgreed = isAgreed
    self.isGone = isGone
    self.wait = wait
  }
}

/// News of one resource.
public enum ObservedChange: Sendable, Hashable {
  /// Put this in the place of any observation of its href on that side (its `wait` is kept only
  /// if given). It keeps `since` where both found nothing there, or both something and the
  /// former one no item. Where an agreement has the place, it gets `missed`, and keeps that until
  /// the item of the agreement is read there.
  case observed(Observation)
  /// The resource is what was agreed, perhaps with new tag, digest or spelling: the agreement's
  /// version is replaced by this one and no observation remains.
  case refreshed(ItemVersion)
  /// Nothing of note is known of this href any more: any observation is dropped.
  case dropped(Href)
}

/// A new reason of a resource to wait, or with nil none any more.
public struct WaitChange: Sendable, Hashable {
  public var side: Side
  public var href: Href
  public var wait: Observation.Wait?

  public init(side: Side, href: Href, wait: Observation.Wait?) {
    self.side = side
    self.href = href
    self.wait = wait
  }
}

/// An intent and what became of it.
public struct ClosedIntent: Sendable, Hashable {
  public let id: Intent.ID
  public let outcome: IntentOutcome

  public init(id: Intent.ID, outcome: IntentOutcome) {
    self.id = id
    self.outcome = outcome
  }
}

/// All that planning reads: the items where a side differs from the agreement.
public struct Differing: Sendable, Hashable {
  /// Sorted by side and href.
  public var observations: [Observation]
  /// Sorted by UID.
  public var agreements: [Agreement]

  public init(observations: [Observation], agreements: [Agreement]) {
    self.observations = observations
    self.agreements = agreements
  }
}

/// The journal could not be read or written.
public struct JournalError: Error, Sendable, Hashable {
  /// By what a caller does about it.
  public enum Kind: Sendable, Hashable {
    /// Another program holds it.
    case busy
    /// No space, or no permission.
    case cannotWrite
    /// Not a journal, damaged, or of a newer calgw.
    case unusable
    /// The run was told to stop.
    case stopped
  }

  public var kind: Kind
  public var message: String
  public var hint: String

  public init(_ kind: Kind, _ message: String, hint: String = "") {
    self.kind = kind
    self.message = message
    self.hint = hint
  }
}
