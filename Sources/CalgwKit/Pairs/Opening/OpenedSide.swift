import CalDAVStorage
import SQLiteJournal
import SyncModel
package import VdirStorage

/// One side of a pair, ready to be used.
package enum OpenedSide: Sendable {
  case directory(VdirRoot, realPath: String)
  case account(AccountConnection)
  /// A calendar in one text.
  case stream(OpenedStream)
  /// A directory that is not there yet, in a run that makes nothing: as the one collection that it
  /// would be.
  case nothing(CollectionDescription, realPath: String)
  /// A side that is not to be reached: its collections as the journal remembers them, empty.
  case remembered([CollectionDescription], user: String, isServer: Bool)

  var isDirectory: Bool {
    switch self {
    case .directory, .nothing: true
    case .account, .remembered: false
    case .stream(let stream): stream.isFile
    }
  }

  /// Other collections can be made here.
  var makesCollections: Bool {
    if case .stream = self { false } else { true }
  }

  /// The directory was not there before this run, which makes it, or would.
  var isNew: Bool {
    switch self {
    case .directory(let root, _): root.isNew
    case .nothing: true
    case .account, .stream, .remembered: false
    }
  }

  /// A server, which may send mail because of what is stored there.
  var isServer: Bool {
    switch self {
    case .account: true
    case .remembered(_, _, let isServer): isServer
    case .directory, .stream, .nothing: false
    }
  }

  /// The directory; empty for an account.
  var path: String {
    switch self {
    case .directory(_, let path), .nothing(_, let path): path
    case .account, .stream, .remembered: ""
    }
  }

  /// The user, as a part of the identity of its collections.
  var user: String {
    switch self {
    case .directory, .stream, .nothing: ""
    case .remembered(_, let user, _): user
    case .account(let connection): connection.configuration.username ?? ""
    }
  }

  /// Its collections. A directory is listed whole or not at all.
  func listCollections() async throws(StorageError) -> CalendarListing {
    switch self {
    case .directory(let root, _): CalendarListing(calendars: try await root.listCollections())
    case .account(let connection): try await connection.account.listCalendars()
    case .stream(let stream): CalendarListing(calendars: [stream.description])
    case .nothing: CalendarListing(calendars: [])
    case .remembered(let collections, _, _): CalendarListing(calendars: collections)
    }
  }

  func createCollection(_ proposal: CollectionProposal) async throws(StorageError)
    -> CollectionDescription
  {
    switch self {
    case .directory(let root, _): try await root.createCollection(proposal)
    case .account(let connection): try await connection.account.createCollection(proposal)
    case .nothing, .remembered:
      throw StorageError(.vanished, "the directory is not there", hint: "run `calgw sync`")
    case .stream(let stream):
      throw StorageError(
        .cannotCreate, "\(stream.source.name) is one calendar and holds no others",
        hint: "name the one folder or calendar of the other side with `calendar`")
    }
  }

  /// As `CollectionHost.setMetadata`; a side without such values is as it was.
  func setMetadata(_ values: [MetadataKey: String], of collection: CollectionDescription)
    async throws(StorageError) -> MetadataOutcome
  {
    switch self {
    case .directory(let root, _): try await root.setMetadata(values, of: collection)
    case .account(let connection):
      try await connection.account.setMetadata(values, of: collection)
    case .stream, .nothing, .remembered: MetadataOutcome(collection)
    }
  }

  /// - Parameter tryingWrites: what a server says of rights is no reason to send it nothing.
  func open(
    _ collection: CollectionDescription, tryingWrites: Bool = false
  ) async throws(StorageError) -> any Storage {
    switch self {
    case .directory(let root, _): try await root.open(collection)
    case .account(let connection):
      try await connection.account.openCalendar(collection, tryingWrites: tryingWrites)
    case .stream(let stream): stream.open()
    case .nothing, .remembered: EmptyStorage(mayNotify: isServer)
    }
  }

  /// Locks a collection on disk against other writing runs; nil for any other.
  func lock(_ collection: CollectionDescription) throws(StorageError) -> VdirLock? {
    switch self {
    case .directory(let root, _): try root.lock(collection)
    case .stream(let stream): try stream.lock()
    case .account, .nothing, .remembered: nil
    }
  }

  /// The kinds of the items of what is worth a counterpart on the other side: a folder with a
  /// display name or a valid item, every calendar of an account. Nil for others.
  ///
  /// - Parameter synced: the kinds that the pair syncs, others do not count; nil: all.
  func kindsIfWorthCounterpart(_ collection: CollectionDescription, of synced: Set<String>?)
    async throws(StorageError) -> Set<String>?
  {
    switch self {
    case .directory(let root, _):
      let held = try await kindsOfItems(in: try await root.open(collection))
      let kinds = synced?.intersection(held) ?? held
      return kinds.isEmpty && collection.displayName == nil ? nil : kinds
    case .account, .stream: return []
    case .nothing, .remembered: return nil
    }
  }
}

extension OpenedSide {
  /// The remote side as the journal knows it.
  static func remembered(
    _ records: [CollectionRecord], as side: SideConfiguration, user: String
  ) -> OpenedSide {
    var isServer = false
    if case .account = side { isServer = true }
    return .remembered(
      records.map { record in
        CollectionDescription(
          href: Href(record.remoteHref), name: record.identity.name,
          displayName: record.remoteName.isEmpty ? nil : record.remoteName,
          identity: record.known.remoteIdentity)
      }, user: user, isServer: isServer)
  }
}

extension OpenedSide {
  /// True where a collection of the side holds something: a folder any item, however broken, and
  /// not one that only the programs of its user keep files in.
  func isInUse(_ collection: CollectionDescription) async throws(StorageError) -> Bool {
    switch self {
    case .directory(let root, _): return try await root.isInUse(collection)
    case .account:
      var cursor: SyncModel.Cursor?
      while true {
        let page = try await open(collection).listChanges(since: cursor)
        if !page.present.isEmpty { return true }
        if page.isLast { return false }
        cursor = page.next
      }
    case .stream, .nothing, .remembered: return false
    }
  }
}
