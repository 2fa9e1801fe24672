import SyncModel
import WebDAV

/// Servers that take a second item of one UID in a calendar, against RFC 4791 §4.1.
extension CalDAVStorage {
  /// That two items of one answer have one UID gives such a server away. Two that were read one
  /// after the other need not have been there together.
  func noteSharedUIDs(
    of addresses: [WebURL], in looks: [[UInt8]: Look], _ request: String
  ) {
    if memory.ignores(.uniqueUIDs) { return }
    var holders: [[UInt8]: [UInt8]] = [:]
    for address in addresses {
      guard case .found(_, let data, _) = looks[address.pathKey],
        let uid = ItemText.lineOfUID(data.bytes)
      else { continue }
      if let holder = holders[uid], holder != address.pathKey {
        memory.learn(.uniqueUIDs, false, request, "two items with one UID")
        return
      }
      holders[uid] = address.pathKey
    }
  }
}
