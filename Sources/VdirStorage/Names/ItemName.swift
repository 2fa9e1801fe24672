extension FileName {
  /// The name is that of an item: `*.ics`, in lower case as the other vdir programs have it.
  ///
  /// Hidden files are none, which covers what editors and calgw itself put beside an item for a
  /// moment; the ending leaves out `*~`, `*.tmp`, `#*#`, `4913`, `*.orig`, `*.rej` and the metadata
  /// files. Conflict copies of Syncthing are older versions of an item that is there, not items.
  var isItem: Bool {
    guard bytes.first != UInt8(ascii: "."), bytes.count > Self.itemEnding.count else {
      return false
    }
    return bytes.suffix(Self.itemEnding.count) == Self.itemEnding[...]
      && !bytes.contains(sequence: Self.conflictMark)
  }

  static let itemEnding = Array(".ics".utf8)
  private static let conflictMark = Array(".sync-conflict-".utf8)
}

extension [UInt8] {
  func contains(sequence: [UInt8]) -> Bool {
    guard let first = sequence.first, count >= sequence.count else { return false }
    return (0...(count - sequence.count)).contains { start in
      self[start] == first && self[start..<(start + sequence.count)] == sequence[...]
    }
  }
}

/// The bytes in lower-case hexadecimal.
func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}
