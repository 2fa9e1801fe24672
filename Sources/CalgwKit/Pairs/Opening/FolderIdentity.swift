import SQLiteJournal

/// What makes a folder the known one, as a journal has it: `PATH DEVICE INODE`, and behind it, in a
/// line of its own, the user.
package struct FolderIdentity: Hashable {
  /// What a folder keeps under another name.
  package struct Number: Hashable {
    /// Of the file system; some give themselves another one at each mount.
    package var device: UInt64
    package var inode: UInt64
  }

  /// Without symbolic links. What of it is not UTF-8 is as in journals.
  package var path: [UInt8]
  package var number: Number
  var user: [UInt8]

  /// - Parameter identity: of a side (`CollectionIdentity`). Nil for what is no folder.
  package init?(_ identity: [UInt8]) {
    // The user comes last, and a path may hold a line end.
    let end = identity.lastIndex(of: UInt8(ascii: "\n")) ?? identity.endIndex
    let place = identity[..<end]
    let blanks = place.indices.filter { place[$0] == UInt8(ascii: " ") }.suffix(2)
    guard place.first == UInt8(ascii: "/"), let first = blanks.first, let second = blanks.last,
      let device = UInt64(
        String(decoding: place[(first + 1)..<max(first + 1, second)], as: UTF8.self)),
      let inode = UInt64(String(decoding: place[(second + 1)...], as: UTF8.self))
    else { return nil }
    path = Array(place[..<first])
    number = Number(device: device, inode: inode)
    user = Array(identity[end...])
  }

  /// It has the same path, and is on another device.
  package func isElsewhere(than other: FolderIdentity) -> Bool {
    path == other.path && user == other.user && number.device != other.number.device
  }
}
