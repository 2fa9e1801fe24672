extension FileName {
  /// The name is that of an item: `*.ics`, with the ending in any case. Other vdir programs take
  /// lower case alone, and so does what calgw names; but somebody who copies or renames a file so
  /// has not deleted its item.
  ///
  /// Hidden files are none, which covers what editors and calgw itself put beside an item for a
  /// moment; the ending leaves out `*~`, `*.tmp`, `#*#`, `4913`, `*.orig`, `*.rej` and the metadata
  /// files. A conflict copy of Syncthing is an item: it holds what somebody wrote, and has the UID
  /// of another file, which a person is told.
  package var isItem: Bool {
    bytes.first != UInt8(ascii: ".") && bytes.count > Self.itemEnding.count && hasItemEnding(bytes)
  }

  static let itemEnding = Array(".ics".utf8)
}

/// A name or path ends as an item's file does, in any case.
package func hasItemEnding(_ name: some BidirectionalCollection<UInt8>) -> Bool {
  let ending = name.suffix(FileName.itemEnding.count)
  // Of ASCII letters that bit is the lower case.
  return ending.first == FileName.itemEnding.first
    && ending.elementsEqual(FileName.itemEnding) { $0 | 0x20 == $1 }
}

/// The bytes in lower-case hexadecimal.
func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}
