import SQLiteJournal
import SyncModel

/// `{ local = "remote" }` in a pair's `collections`, as a person wrote it.
package struct CollectionMapping: Sendable, Hashable {
  /// The folder's name.
  package var local: String
  /// The other side's id, display name, path or URL.
  var remote: String

  package init(local: String, remote: String) {
    self.local = local
    self.remote = remote
  }
}

extension CollectionMapping {
  package init?(encoded: [UInt8]) {
    guard let end = encoded.firstIndex(of: 0) else { return nil }
    local = String(decoding: encoded[..<end], as: UTF8.self)
    remote = String(decoding: encoded[(end + 1)...], as: UTF8.self)
  }

  var encoded: [UInt8] { Array(local.utf8) + [0] + Array(remote.utf8) }

  /// Where a pair's store keeps the mapping by which a collection was joined.
  static func storeKey(_ collection: String) -> String { "mapping \(collection)" }
}

extension PairStore {
  /// The mapping by which a collection was joined last; nil where none did.
  func mapping(of collection: String) throws(JournalError) -> CollectionMapping? {
    let stored = try value(CollectionMapping.storeKey(collection))
    return stored.flatMap { CollectionMapping(encoded: $0) }
  }

  /// Writes only what is new.
  func setMapping(
    _ mapping: CollectionMapping?, of collection: String
  ) throws(JournalError) {
    guard try self.mapping(of: collection) != mapping else { return }
    try setValue(mapping?.encoded, for: CollectionMapping.storeKey(collection))
  }
}
