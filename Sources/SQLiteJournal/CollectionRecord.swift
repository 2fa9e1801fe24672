public import SyncModel

/// What makes a collection the one that its journal remembers.
///
/// A journal belongs to the real path and identity of the directory, the collection's URL and the
/// user; where one of them differs, what was agreed says nothing.
public struct CollectionIdentity: Sendable, Hashable {
  /// The collection's name in the pair.
  public var name: String
  /// Opaque; compared by its bytes.
  public var local: [UInt8]
  /// Opaque; compared by its bytes.
  public var remote: [UInt8]

  public init(name: String, local: [UInt8], remote: [UInt8]) {
    self.name = name
    self.local = local
    self.remote = remote
  }

  /// What the collection is on a side.
  public subscript(side: Side) -> [UInt8] {
    get { side == .local ? local : remote }
    set {
      switch side {
      case .local: local = newValue
      case .remote: remote = newValue
      }
    }
  }
}

/// A collection that the pair's journal knows.
public struct CollectionRecord: Sendable, Hashable {
  public var identity: CollectionIdentity
  /// The name of its folder in the vdir; its path, where the local side is a server, too.
  public var folder: [UInt8]
  /// Its path on the server, as received.
  public var remoteHref: [UInt8]
  /// Its display name on the server, as last seen.
  public var remoteName: String
  /// The version of the rule by which its canonical digests were made.
  public var canonicalVersion: Int

  public init(
    identity: CollectionIdentity, folder: [UInt8], remoteHref: [UInt8], remoteName: String,
    canonicalVersion: Int
  ) {
    self.identity = identity
    self.folder = folder
    self.remoteHref = remoteHref
    self.remoteName = remoteName
    self.canonicalVersion = canonicalVersion
  }
}

/// A collection that is ready to be synced.
public struct OpenedCollection: Sendable {
  public let journal: SQLiteJournal
  /// As it was before this opening, so that a renaming on the server shows; as given, if new.
  public let record: CollectionRecord
  /// Nothing is known of it yet: this is a first sync.
  public let isNew: Bool
  /// Another directory, collection or user had this name: what it agreed on was set aside.
  public let wasSetAside: Bool
}

/// How a collection stands, without a sync.
public struct CollectionStanding: Sendable, Hashable {
  public var record: CollectionRecord
  /// The number of items that both sides share.
  public var agreementCount: Int
  /// What was seen and is not settled, with what it touches.
  public var differing: Differing
  /// Writes of which nobody knows yet what became of them.
  public var openIntents: [OpenIntent]
}

/// A history entry and its collection, which may be out of use.
public struct PairHistoryEntry: Sendable, Hashable {
  /// The collection's name; another one may have it now.
  public var collection: String
  /// What the collection was on the local side, as in `CollectionIdentity`.
  public var localIdentity: [UInt8]
  /// The same for the remote side.
  public var remoteIdentity: [UInt8]
  /// Where the item was on the other side when that happened, by its key; nil where it was not
  /// there, or where no one wrote it down.
  public var counterpart: Href?
  public var recorded: RecordedHistoryEntry
}
