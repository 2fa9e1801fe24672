import SQLiteJournal
import SyncModel

/// Where a collection was, as its journal has it on one side: the path of a folder, or the address
/// of a calendar.
struct RememberedPlace: Hashable {
  let path: [UInt8]

  /// A folder. What of its path is not UTF-8 is as in journals.
  init(folder: [UInt8]) { path = Array(String(decoding: folder, as: UTF8.self).utf8) }

  /// - Parameter identity: of a side (`CollectionIdentity`): a path with device and inode, or an
  ///   address; behind it, in a line of its own, the user.
  init(identity: [UInt8]) {
    // The user comes last, and a path may hold a line end.
    let end = identity.lastIndex(of: UInt8(ascii: "\n")) ?? identity.endIndex
    let place = identity[..<end]
    guard place.first == UInt8(ascii: "/") else {
      path = Array(place)
      return
    }
    let blanks = place.indices.filter { place[$0] == UInt8(ascii: " ") }.suffix(2)
    path = blanks.count == 2 ? Array(place[..<blanks[blanks.startIndex]]) : Array(place)
  }

  /// The place that holds it.
  var parent: [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex { $0 != slash } ?? path.startIndex
    return Array(path[..<(path[..<end].lastIndex(of: slash) ?? path.startIndex)])
  }
}

extension CollectionIdentity {
  func place(_ side: Side) -> RememberedPlace {
    RememberedPlace(identity: side == .local ? local : remote)
  }
}

extension PairHistoryEntry {
  /// What the collection was then.
  var identity: CollectionIdentity {
    CollectionIdentity(name: collection, local: localIdentity, remote: remoteIdentity)
  }
}
