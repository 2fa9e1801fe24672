import StreamStorage
import SyncModel
import Synchronization
import TestSupport

/// What a URL gives, and the owner changes.
final class Feed: StreamSource {
  let name = "https://example.org/"
  let isReadOnly: Bool
  private let text = Mutex<[UInt8]>([])
  private let unchanged = Mutex(false)

  init(isReadOnly: Bool) { self.isReadOnly = isReadOnly }

  func give(_ bytes: [UInt8]) { text.withLock { $0 = bytes } }

  /// It says that it is what the caller knows.
  var isUnchanged: Bool {
    get { unchanged.withLock { $0 } }
    set { unchanged.withLock { $0 = newValue } }
  }

  func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream {
    if let known, isUnchanged { return .unchanged(known) }
    let bytes = text.withLock { $0 }
    let digest = sha256(bytes)
    return .text(
      ItemData(bytes: bytes), Version(tag: nil, digest: digest), StreamState(bytes: digest.bytes))
  }
  func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome {
    WriteOutcome(href: Href(name), result: .changedMeanwhile)
  }
  func displaced() async throws(StorageError) -> [DisplacedFile] { [] }
  func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
}

/// A feed, what was agreed on of it, and the folder that it goes to.
struct World {
  let feed: Feed
  let fuse: Fuse
  let journal: MemoryJournal
  let folder = MemoryStorage(surroundings: ModelClock().surroundings)

  /// As of `StreamStorage.Options`.
  private let nameForUIDs: String?

  init(isReadOnly: Bool = true, nameForUIDs: String? = nil) {
    self.nameForUIDs = nameForUIDs
    let fuse = Fuse()
    feed = Feed(isReadOnly: isReadOnly)
    self.fuse = fuse
    journal = MemoryJournal(fuse: fuse)
  }

  /// The feed as the next run opens it.
  func open(_ text: [UInt8]) async -> StreamStorage {
    feed.give(text)
    var options = StreamStorage.Options(digest: sha256, isKnownZone: { _ in true })
    options.nameForUIDs = nameForUIDs
    let stream = StreamStorage(feed, options: options)
    await stream.recall(journal, .remote, with: folder)
    return stream
  }

  /// Records all of a text as what both sides have, as the end of a sync does.
  func agree(_ text: [UInt8]) async throws {
    let stream = await open(text)
    let page = try await stream.listChanges(since: nil)
    for outcome in try await stream.readAll(page.present.map(\.href)) {
      guard case .found(let version, let data, _) = outcome.result else { continue }
      let item = ItemVersion(
        href: outcome.href, uid: ItemID(bytes: outcome.href.key), version: version,
        canonical: version.digest, summary: "", lastModified: nil, modified: nil,
        components: ["VEVENT"])
      let content = StoredContent(digest: version.digest, data: data)
      try await journal.record(read: [], on: .remote, contents: [content])
      try await journal.agree([Agreement(uid: item.uid, local: item, remote: item)])
    }
  }

  /// The UIDs by which a text's items go, in its order.
  func uids(_ text: [UInt8]) async throws -> [String] {
    try await open(text).listChanges(since: nil).present.map(\.href.text)
  }

  /// The same, and what the storage keeps of it is there for the next run.
  func sync(_ text: [UInt8]) async throws -> [String] {
    let page = try await open(text).listChanges(since: try await journal.cursor(.remote))
    try await journal.record(page: [], on: .remote, cursor: page.next)
    return page.present.map(\.href.text)
  }
}
