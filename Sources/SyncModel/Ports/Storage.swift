/// One collection on one side: a folder of a vdir, or a calendar on a server.
///
/// Three verbs on batches, each with its precondition in its type, so that a blind overwrite
/// cannot be expressed. An item's trouble is an outcome of that item and never fails the batch.
public protocol Storage: Sendable {
  var traits: StorageTraits { get }

  /// Gives a page of what changed since `cursor` (nil: everything there is). Call again with the
  /// page's own cursor until `isLast`. A listing that is not provably complete is thrown as an
  /// error and never taken for absence.
  func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage

  /// Reads a batch of at most `traits.readBatch`; one outcome a href, in the order asked.
  ///
  /// What would take more than `traits.bytesAtOnce` together is left out in part, or altogether,
  /// and so is what a side in trouble is not to be asked for at once: to be asked for again. An
  /// item that is asked for alone has always an outcome. `ReadInParts` does so.
  func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome]

  /// Looks a second time, just before what is missing here is deleted on the other side, is
  /// forgotten since it is gone there, too, or is told to be too much to delete. Gives those of the
  /// batch that are provably absent.
  func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href]

  /// Carries out a batch of at most `traits.writeBatch`; one outcome a write, in the order asked.
  func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome]

  /// Chooses the name of a new item. It is safe for any UID; a later `attempt` gives another name
  /// where the first was taken.
  func freshHref(for uid: ItemID, attempt: Int) -> Href

  /// Gives the bytes that replaced or deleted files hold now: an editor may have kept one open and
  /// written into it after calgw took it away. Left from this run, or from a killed one. With
  /// `traits.bytesAtOnce` or more in what is given, there may be others: they come once these are
  /// discarded.
  func displaced() async throws(StorageError) -> [DisplacedFile]

  /// Removes displaced files for good, once what they hold is kept.
  func discard(_ files: [DisplacedFile]) async throws(StorageError)

  /// Gives back when what is to be seen here would be seen after a power cut too: a write that was
  /// cut off, or failed at its end, may be in the cache alone.
  func makeDurable() async throws(StorageError)

  /// Is told what is gone although none of its lists of changes said so, in this run or before: it
  /// may be that they never do.
  func noteUntold(_ gone: [Href]) async

  /// Is told what an earlier run could not read, and no listing has named since: of what it fails
  /// at once more, it may say so without another look at each.
  func noteUnread(_ hrefs: [Href]) async
}

extension Storage {
  /// Learns nothing: whose lists name everything there is tells what is gone.
  public func noteUntold(_ gone: [Href]) async {}

  /// Looks at each.
  public func noteUnread(_ hrefs: [Href]) async {}

  /// Does nothing: what a server shows is the server's to keep.
  public func makeDurable() async throws(StorageError) {}
}

/// What a storage can do, and how it wants to be driven.
public struct StorageTraits: Sendable, Hashable {
  /// Nothing may be written here.
  public var isReadOnly = false
  /// The component kinds that may be stored, as `VEVENT`; nil: any.
  public var components: Set<String>?
  /// In bytes; nil: no known limit.
  public var maxItemSize: Int?
  /// What is stored may differ from what was sent, so it is read back.
  public var mayRewrite = false
  /// What is stored of a scheduled item may send mail to its attendees (RFC 6638 §3.2).
  public var mayNotify = false
  /// It would send such mail, and is kept from it: what it is given tells it so, and a write that
  /// would cause a mail all the same is refused (`ItemProblem.tellsAttendees`).
  public var isSilenced = false
  /// The names of new items are random: what is found under one was put there by us.
  public var namesAreUnguessable = false
  /// Items keep their addresses: what is under a new one was never shared. In a folder, people
  /// give files new names.
  public var keepsAddresses = false
  /// A listing since a cursor costs what changed and not what is there.
  public var listsDeltas = false
  /// Items travel in wire form: CRLF, no byte order mark, folds on character borders.
  public var wantsWireForm = false
  public var readBatch = 50
  /// A read of so many items at most says when each of them changed, a larger one does not; nil:
  /// the number does not matter.
  public var timesOfFew: Int?
  /// How far the side's clock is ahead of ours, in milliseconds, below zero behind; 0 where nothing
  /// shows it, or too little to matter. It may change while the side answers.
  public var clockAhead: Int64 = 0
  /// Batches to be read at once, as things are: it may change while reading goes on.
  public var readsInFlight = 1
  public var writeBatch = 50
  /// Texts of so many bytes are held at a time, or a single one that is larger.
  public var bytesAtOnce = Self.usualBytesAtOnce

  /// It is a server that acts on scheduled items, whether it may tell anybody of them or not.
  public var actsOnMeetings: Bool { mayNotify || isSilenced }

  /// 8 MiB: thousands of usual items, and no matter for any machine.
  public static let usualBytesAtOnce = 8 << 20

  public init() {}
}

/// Where a listing left off; only the storage that made it can read it.
public struct Cursor: Sendable, Hashable {
  public let bytes: [UInt8]
  public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A part of a listing.
public struct ChangePage: Sendable, Hashable {
  /// What the absence of a name means.
  public enum Extent: Sendable, Hashable {
    /// All pages together name everything there is: what is not named is absent.
    case everything
    /// Only what changed is named: absence means nothing.
    case changesOnly
  }

  public var extent: Extent
  public var present: [ListedItem]
  /// Hrefs that the side says are gone.
  public var gone: [Href]
  public var next: Cursor
  public var isLast: Bool
  /// Pages of everything that came before this one count no more: the side had to begin anew, as
  /// when a token ran out between two pages.
  public var startsOver: Bool
  /// It is time to read again what could not be taken before, although its tag is as it was: what
  /// gave it may have stumbled, or was mended.
  public var isThorough = false

  public init(
    extent: Extent, present: [ListedItem], gone: [Href] = [], next: Cursor, isLast: Bool = true,
    startsOver: Bool = false
  ) {
    self.extent = extent
    self.present = present
    self.gone = gone
    self.next = next
    self.isLast = isLast
    self.startsOver = startsOver
  }
}

/// A resource that a listing named.
public struct ListedItem: Sendable, Hashable {
  public var href: Href
  /// Nil: its version is unknown and its content must be read to tell.
  public var tag: EntityTag?
  /// Set where the thing is there and can be no item, as a symbolic link.
  public var problem: ItemProblem?

  /// The side says that it changed since the cursor, and not by a write of this run: a tag that is
  /// the known one proves nothing then.
  public var isNews = false

  public init(
    href: Href, tag: EntityTag?, problem: ItemProblem? = nil, isNews: Bool = false
  ) {
    self.href = href
    self.tag = tag
    self.problem = problem
    self.isNews = isNews
  }
}

/// What reading one resource gave.
public struct ReadOutcome: Sendable, Hashable {
  /// What is there.
  public enum Result: Sendable, Hashable {
    case found(Version, ItemData, modified: Instant?)
    case missing
    /// It is there and cannot be read: left alone, and never taken for a deletion.
    case problem(ItemProblem)
  }

  public var href: Href
  public var result: Result
  /// The problem is in what is there, so that reading it again gives the same until its entity tag
  /// changes. Any other problem may be gone by the next run, which tries again.
  public var isLasting: Bool

  public init(href: Href, result: Result, isLasting: Bool = false) {
    self.href = href
    self.result = result
    self.isLasting = isLasting
  }
}

/// A write that says what it expects to find.
public enum GuardedWrite: Sendable, Hashable {
  /// Fails if the name is taken.
  case create(Href, ItemData)
  /// Changes nothing if something else than `expecting` is there.
  case replace(Href, expecting: Version, with: ItemData)
  case delete(Href, expecting: Version)

  /// Where it goes.
  public var href: Href {
    switch self {
    case .create(let href, _), .replace(let href, _, _), .delete(let href, _): href
    }
  }

  /// What it stores; nil for a delete.
  public var data: ItemData? {
    switch self {
    case .create(_, let data), .replace(_, _, let data): data
    case .delete: nil
    }
  }
}

/// What one write did.
public struct WriteOutcome: Sendable, Hashable {
  /// What happened, or that nobody knows.
  public enum Result: Sendable, Hashable {
    /// Done; where the item is now and what is known of it. A server may have chosen another href.
    case stored(Href, Version, modified: Instant?)
    /// Done; nothing is there any more.
    case removed
    /// Something else was there: nothing was written.
    case changedMeanwhile
    /// The side refuses this content: nothing was written.
    case refused(ItemProblem)
    /// The answer was lost: it may or may not be written.
    case unknown(StorageError)
    /// Nothing was written, and the whole side is in trouble.
    case failed(StorageError)
  }

  public var href: Href
  public var result: Result
  /// It was done without a guard against a change in between, because the side offers none.
  public var isUnguarded: Bool
  /// Of a refusal: the side failed rather than judged, and may take the same when asked again.
  public var isTransient: Bool
  /// The refusal is of this moment, as by a lock: each run may try.
  public var isOfTheMoment = false
  /// It is stored without METHOD, which the text has: it belongs into messages, and the side keeps
  /// none.
  public var lostMethod = false
  /// Of a side that is kept from sending mail (`StorageTraits.isSilenced`): it may have sent some
  /// for this all the same.
  public var mayHaveTold = false
  /// Of a new item that met another one of its UID under another name: the next listing names it.
  public var isListedNext = false
  /// The tag of what it was to replace, where a look just before showed it: what was expected may
  /// have none, as on servers whose listings give no tags.
  public var tagBefore: EntityTag?

  public init(
    href: Href, result: Result, isUnguarded: Bool = false, isTransient: Bool = false,
    tagBefore: EntityTag? = nil
  ) {
    self.href = href
    self.result = result
    self.isUnguarded = isUnguarded
    self.isTransient = isTransient
    self.tagBefore = tagBefore
  }
}

/// A file that calgw replaced or removed and has not yet let go of.
public struct DisplacedFile: Sendable, Hashable {
  /// Its present, hidden name.
  public var name: [UInt8]
  /// The item's name that it had.
  public var href: Href
  public var data: ItemData
  public var digest: ContentDigest

  public init(name: [UInt8], href: Href, data: ItemData, digest: ContentDigest) {
    self.name = name
    self.href = href
    self.data = data
    self.digest = digest
  }
}
