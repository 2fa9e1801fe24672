public import SyncModel
private import Synchronization
package import WebDAV

/// One calendar on a CalDAV server.
///
/// Listing goes by sync-collection (RFC 6578), else by CTag and the entity tags of a PROPFIND;
/// reading by calendar-multiget, else by GET; writing by PUT and DELETE, each with a guard.
public final class CalDAVStorage: Storage {
  /// What one run learns, and the next has no use for; `ServerMemory` has what lasts.
  struct RunMemory {
    /// Items that were sent and not read back yet.
    var sent: [Href: SentItem] = [:]
    /// New items that were not at the names that they were given, by the lines of their UIDs.
    var strayed: [[UInt8]: Href] = [:]
    /// What does not show at once is looked at again.
    var awaitsWrites = true
    /// So is what the server has only promised to delete.
    var awaitsDeletions = true
    /// So is what a guard that failed tells of, and that does not show.
    var awaitsEdits = true
    /// A listing left out what is there, on a server that was not known to do so: the next run is
    /// to compare all tags, since it may have left out what nobody here knows of.
    var isRefuted = false
    /// What this storage wrote.
    var written: Set<Href> = []
    /// What it deleted.
    var removed: [Href: RemovedItem] = [:]
    /// What it asked to be deleted and had no answer to: it may have been done since.
    var unansweredDeletes: Set<Href> = []
    /// Of a batch under way, what the server says to have deleted, and nobody has looked at.
    var believedDeletes: Set<Href> = []
    /// Of a batch under way, what the server failed with, and did not do.
    var failedWrites: Set<Href> = []
    var readTexts = ReadTexts()
    /// What servers named as the holders of UIDs; those in the list are to be named by a listing.
    var holders: Set<Href> = []
    var unlistedHolders: [Href] = []
    /// Where the server itself says that the calendar is; nil until it was asked.
    var place: WebURL?
    /// The state that the listing of calendars gave, until the first listing of items used it.
    var advertised: CalendarState?
    /// When the listing began by which the items are known.
    var listedAt: Instant
    /// The first listing of the run has no former one to go on from; nil before it.
    var beginsAnew: Bool?
    /// What this storage issued last, so that a listing in pages is gone on with by it alone.
    var issued: Cursor?
    /// Of the last whole listing whose tags tell of changes.
    var lastListing: SyncCursor?
    var listsDeltas: Bool
    /// Reports of changes whose answers were of no use.
    var unusableReports = 0
    /// How the last report of changes of the listing under way ended; nil where it made none.
    var lastReport: ReportEnd?
    /// Pages of a report in a row that named nothing.
    var emptyPages = 0
    /// What the server said to be gone since the last token, where all tags were compared then.
    var toldGone: Set<Href>?
    var hasMultiget: Bool
    /// More than so many items at once are refused.
    var mostInMultiget = Int.max
    /// The server answers 403 for what is missing; nil until it was asked for something that is.
    var forbidsMissing: Bool?
    /// A listing may give a strong tag where reading an item gives a weak one.
    var mayListStrongTags = true
    /// The server knows how to move an item to another calendar.
    var moves: Bool
    /// A deletion may tell the organizer that nobody comes.
    var sendsReplies = false
    /// The server tells attendees of changes; nil until it was asked.
    var tellsAttendees: Bool?
    /// How much more may go wrong at single items.
    var tolerance = Tolerance()
    var failedBefore = FailedBefore()
    /// A write was forbidden, in words of who means the password: no other one is sent, since each
    /// would count as a wrong password.
    var forbidden: ItemProblem?

    /// So many items were refused at once: what a multiget gives then, or nil for fewer at once. A
    /// single one is that item's matter, or that of all, and no limit.
    mutating func wasTooMany<Look>(_ items: Int) -> [[UInt8]: Look]? {
      guard items == 1 else {
        mostInMultiget = min(mostInMultiget, items / 2)
        return nil
      }
      mostInMultiget = .max
      tolerance.brokenMultigets += 1
      return [:]
    }
  }

  /// Items per multiget and per group of writes.
  private static let batch = 50
  /// Multigets at once, for each connection that there may be: over HTTP/2 twice as many as over
  /// HTTP/1. Each holds the texts of a batch in memory, and is much work for a server.
  private static let readsAConnection = 2

  let fixedTraits: StorageTraits
  /// Earlier runs found that listings leave out what is there.
  let hidesItems: Bool
  package let url: WebURL
  let home: String
  let client: DAVClient
  let surroundings: Surroundings
  let digest: DigestFunction
  let memory: ServerMemory
  /// The collection's DAV:resource-id, where the server gives one.
  let identity: [UInt8]?
  /// When the collection was made, where the server says it.
  let creation: [UInt8]?
  /// The CTag before this storage wrote anything.
  let firstTag: [UInt8]?
  let maxConnections: Int
  let limits: XMLLimits
  /// Random, so that another client's names are never ours, even on servers that ignore
  /// `If-None-Match`.
  private let salt: String
  private let runMemory: Mutex<RunMemory>

  package init(
    _ calendar: RemoteCalendar, account: CalDAVAccount, tryingWrites: Bool = false
  ) {
    let description = calendar.description
    var traits = StorageTraits()
    traits.isReadOnly = description.isReadOnly && !tryingWrites
    traits.components = description.components
    traits.maxItemSize = calendar.properties.maxResourceSize
    traits.mayRewrite = true
    traits.mayNotify = true
    traits.namesAreUnguessable = true
    traits.keepsAddresses = true
    traits.listsDeltas = calendar.listsDeltas
    traits.wantsWireForm = true
    traits.readBatch = Self.batch
    traits.writeBatch = Self.batch
    traits.bytesAtOnce = account.options.bytesAtOnce
    fixedTraits = traits
    url = calendar.url
    home = calendar.home
    client = account.client
    surroundings = account.surroundings
    digest = account.digest
    memory = account.memory
    hidesItems = memory.lacks(.wholeListings)
    identity = calendar.properties.resourceID
    creation = calendar.properties.creationDate
    firstTag = calendar.state.tag
    maxConnections = max(1, account.options.maxConnections)
    var limits = XMLLimits()
    limits.item = account.options.itemLimit
    self.limits = limits
    salt = account.surroundings.newUUID()
    runMemory = Mutex(
      RunMemory(
        advertised: calendar.state.read(
          at: calendar.date ?? surroundings.now().milliseconds),
        listedAt: calendar.describedAt,
        listsDeltas: calendar.listsDeltas && !account.memory.lacks(.syncCollection)
          && !account.memory.hasSilentReports,
        hasMultiget: calendar.hasMultiget && !account.memory.lacks(.multiget),
        moves: !account.memory.lacks(.moves)))
  }

  /// As many reads at once as the server takes requests, within limits.
  public var traits: StorageTraits {
    var traits = fixedTraits
    traits.timesOfFew = memory.lacks(.timesInMultiget) ? Self.few : nil
    traits.clockAhead = client.clockAhead(at: url.origin)
    traits.readsInFlight = min(client.requestsAtOnce, Self.readsAConnection * maxConnections)
    return traits
  }

  /// The calendar's path and 128 random bits, in letters, digits and `-` alone: other characters
  /// fail on some server, and a UID may hold anything. One storage gives one name for a UID and an
  /// attempt; another storage, of another run, gives another.
  public func freshHref(for uid: ItemID, attempt: Int) -> Href {
    let seed = Array("\(salt) \(attempt) ".utf8) + uid.bytes
    let digits = digest(seed).bytes.prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    var name = ""
    for (index, pair) in digits.enumerated() {
      if [4, 6, 8, 10].contains(index) { name += "-" }
      name += pair
    }
    return href(url.appending(segment: Array((name + ".ics").utf8)))
  }

  /// None: a server takes nothing aside.
  public func displaced() async throws(StorageError) -> [DisplacedFile] { [] }

  /// Does nothing: there are none.
  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {}

  /// From now on who deletes an invitation declines it (RFC 6638 §8.1): no server replies to an
  /// organizer before somebody asked for it.
  public func deleteWithReplies() { withRunMemory { $0.sendsReplies = true } }

  // MARK: What the parts share

  func withRunMemory<Value: Sendable>(_ body: (inout RunMemory) -> Value) -> Value {
    runMemory.withLock { body(&$0) }
  }

  func href(_ address: WebURL) -> Href { RemoteCalendar.href(address, home: home) }

  /// The address of an item; nil for an href that is not of this calendar.
  func address(_ href: Href) -> WebURL? {
    guard let address = try? url.resolve(href: href.spelling), url.isParent(of: address) else {
      return nil
    }
    return address
  }

  /// Asks for a multistatus about the collection, in a storage's errors.
  func ask(_ request: DAVRequest) async throws(StorageError) -> MultistatusAnswer {
    do throws(DAVError) { return try await client.multistatus(request, limits: limits) } catch {
      throw StorageError(error)
    }
  }

  /// Throws `vanished` if the calendar itself is not there any more, and what went wrong where the
  /// server does not say that it is. Some servers forbid to look at it, and list it all the same.
  func checkCollection() async throws(StorageError) {
    let doing = "looking for the calendar"
    let request = PropertyRequests.propfind(url, depth: 0, [.dav("resourcetype")])
    switch try await ask(request) {
    case .multistatus(let multistatus, _):
      guard let own = multistatus.responses.first, !own.isGone else { throw vanished("404") }
      if own.failure == 403, try await listedItems() != nil { return }
      if let trouble = StorageError(own, of: url, doing: doing) { throw trouble }
      guard own.properties.resourceType != nil || own.failedStatus == nil else {
        throw StorageError(
          .protocolBroken, "the server does not say that \(url.shown) is there",
          why: "its answer has \(own.failedStatus ?? 404) for what it is",
          hint: "run the sync again later; if it stays, tell the server's operator")
      }
    case .refused(let refusal):
      if [404, 410].contains(refusal.status) { throw vanished(refusal.reason) }
      if refusal.status == 403, try await listedItems() != nil { return }
      throw StorageError(refusal, doing: doing)
    }
  }

  func vanished(_ why: String) -> StorageError {
    StorageError(
      .vanished, "the calendar \(url.shown) was listed a moment ago, and is not there now",
      why: why, hint: "run the sync again; if the server still lists it, tell its operator")
  }

  /// Runs work on many items, as many at once as the server takes requests, so that what is not
  /// begun need not be when there is trouble; results in the order asked.
  func inParallel<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async -> Result
  ) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      var begun = 0
      func beginMore() {
        while begun < items.count, begun - results.count < client.requestsAtOnce {
          let index = begun
          let item = items[index]
          group.addTask { (index, await work(item)) }
          begun += 1
        }
      }
      beginMore()
      while let (index, result) = await group.next() {
        results[index] = result
        beginMore()
      }
      return items.indices.compactMap { results[$0] }
    }
  }
}
