import SQLiteJournal
import SyncModel

/// Where a collection was, as its journal has it on one side: the path of a folder, or the address
/// of a calendar.
package struct RememberedPlace: Hashable {
  package let path: [UInt8]

  /// A folder. What of its path is not UTF-8 is as in journals.
  package init(folder: [UInt8]) { path = Array(String(decoding: folder, as: UTF8.self).utf8) }

  /// - Parameter identity: of a side (`CollectionIdentity`): a folder's, or an address; behind it,
  ///   in a line of its own, the user.
  package init(identity: [UInt8]) {
    let end = identity.lastIndex(of: UInt8(ascii: "\n")) ?? identity.endIndex
    path = FolderIdentity(identity)?.path ?? Array(identity[..<end])
  }

  /// The place that holds it.
  package var parent: [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex { $0 != slash } ?? path.startIndex
    return Array(path[..<(path[..<end].lastIndex(of: slash) ?? path.startIndex)])
  }
}

extension CollectionIdentity {
  func place(_ side: Side) -> RememberedPlace {
    RememberedPlace(identity: self[side])
  }
}

extension PairHistoryEntry {
  /// What the collection was then.
  var identity: CollectionIdentity {
    CollectionIdentity(name: collection, local: localIdentity, remote: remoteIdentity)
  }
}
