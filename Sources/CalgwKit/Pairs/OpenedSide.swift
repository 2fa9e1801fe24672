import CalDAVStorage
import SyncModel
import VdirStorage

/// One side of a pair, ready to be used.
enum OpenedSide: Sendable {
  case directory(VdirRoot)
  case account(AccountConnection)
  /// A directory that is not there yet, in a run that makes nothing.
  case nothing

  var isDirectory: Bool {
    switch self {
    case .directory, .nothing: true
    case .account: false
    }
  }

  /// The user, as a part of the identity of its collections.
  var user: String {
    switch self {
    case .directory, .nothing: ""
    case .account(let connection): connection.configuration.username ?? ""
    }
  }

  func listCollections() async throws(StorageError) -> [CollectionDescription] {
    switch self {
    case .directory(let root): try await root.listCollections()
    case .account(let connection): try await connection.account.listCollections()
    case .nothing: []
    }
  }

  func createCollection(_ proposal: CollectionProposal) async throws(StorageError)
    -> CollectionDescription
  {
    switch self {
    case .directory(let root): try await root.createCollection(proposal)
    case .account(let connection): try await connection.account.createCollection(proposal)
    case .nothing:
      throw StorageError(.vanished, "the directory is not there", hint: "run `calgw sync`")
    }
  }

  func open(_ collection: CollectionDescription) async throws(StorageError) -> any Storage {
    switch self {
    case .directory(let root): try await root.open(collection)
    case .account(let connection): try await connection.account.open(collection)
    case .nothing: EmptyStorage()
    }
  }

  /// Locks a directory's collection against other writing runs; nil for what is no directory.
  func lock(_ collection: CollectionDescription) throws(StorageError) -> VdirLock? {
    switch self {
    case .directory(let root): try root.lock(collection)
    case .account, .nothing: nil
    }
  }

  /// True for what is worth a counterpart on the other side: a folder with a display name or a
  /// valid item; every calendar of an account.
  func isWorthCounterpart(_ collection: CollectionDescription) async throws(StorageError) -> Bool {
    switch self {
    case .directory(let root):
      if collection.displayName != nil { return true }
      return try await holdsValidItem(try await root.open(collection))
    case .account: return true
    case .nothing: return false
    }
  }
}
