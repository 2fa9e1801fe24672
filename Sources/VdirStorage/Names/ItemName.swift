extension FileName {
  /// The name is that of an item: `*.ics`, in lower case as the other vdir programs have it.
  ///
  /// Hidden files are none, which covers what editors and calgw itself put beside an item for a
  /// moment; the ending leaves out `*~`, `*.tmp`, `#*#`, `4913`, `*.orig`, `*.rej` and the metadata
  /// files. A conflict copy of Syncthing is an item: it holds what somebody wrote, and has the UID
  /// of another file, which a person is told.
  package var isItem: Bool {
    guard bytes.first != UInt8(ascii: "."), bytes.count > Self.itemEnding.count else {
      return false
    }
    return bytes.suffix(Self.itemEnding.count) == Self.itemEnding[...]
  }

  /// The same, with the ending in any case.
  var looksLikeItem: Bool {
    // Of ASCII letters that bit is the lower case.
    let lower =
      bytes.dropLast(Self.itemEnding.count) + bytes.suffix(Self.itemEnding.count).map { $0 | 0x20 }
    return FileName(Array(lower))?.isItem ?? false
  }

  static let itemEnding = Array(".ics".utf8)
}

/// The bytes in lower-case hexadecimal.
func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}
