import CalDAVStorage
import CurlTransport
import Recurrence
import StreamStorage
import SyncModel
import VdirStorage

/// A calendar in one text, as the one collection of its side.
package struct OpenedStream: Sendable {
  let source: any StreamSource
  let description: CollectionDescription
  /// Nil: it is read from a URL.
  private let file: CalendarFile?
  /// Nil: it is a file.
  private let feed: FeedAhead?
  /// What the UIDs are made with that a feed lacks. Nobody here can mend it; a file is a problem.
  private let nameForUIDs: String?

  var isFile: Bool { file != nil }

  /// It is a file, and not there.
  var isAbsent: Bool { file?.isThere == false }

  /// What the configuration says of it: in another place it is another calendar.
  let place: String

  init(file path: String, access: VdirAccess) throws(StorageError) {
    var access = access
    access.maxItemSize = Subscription.sizeLimit
    let file = try CalendarFile.open(path: Array(path.utf8), access: access)
    self.file = file
    feed = nil
    nameForUIDs = nil
    source = file
    place = "file \(file.identity)"
    description = CollectionDescription(
      href: Href(source.name), name: stem(of: path), identity: file.identity)
  }

  /// - Parameter pair: its name, which stays when the feed gets another address.
  init(url: String, pair: String, transport: CurlTransport, surroundings: Surroundings)
    throws(StorageError)
  {
    file = nil
    nameForUIDs = pair
    let feed = FeedAhead(
      try Subscription(
        url: url, transport: transport, surroundings: surroundings, digest: liveDigest))
    self.feed = feed
    source = feed
    // The address is often a secret, which the journal has no need to know.
    let mark = hexadecimal(liveDigest(Array(url.utf8)).bytes)
    place = "ics \(withoutPaths(url)) \(mark)"
    description = CollectionDescription(
      href: Href(source.name), name: feedName(url),
      isReadOnly: true,
      identity: mark)
  }

  func open() -> any Storage { storage(over: source) }

  /// Reads a feed before anything is made for it, once however often it is called. Throws what the
  /// run would fail with; does nothing about a file.
  func readAhead() async throws(StorageError) {
    guard let feed else { return }
    _ = try await storage(over: feed.lookingAhead).listChanges(since: nil)
  }

  private func storage(over source: any StreamSource) -> any Storage {
    var options = StreamStorage.Options(digest: liveDigest, isKnownZone: ZoneCatalog.system.isKnown)
    options.nameForUIDs = nameForUIDs
    return StreamStorage(source, options: options)
  }

  func lock() throws(StorageError) -> VdirLock? { try file?.lock() }
}
