public import SyncModel

extension ItemData {
  /// More than people and their programs make of one item, but for large attachments. To compare
  /// such texts property by property takes many times their size in memory, for the sake of what is
  /// rarely more than an attack or an accident: they are compared as wholes.
  public var isTooLargeToCompare: Bool {
    if bytes.count > Self.mostComparedBytes { return true }
    guard bytes.count > Self.mostComparedLines else { return false }
    // A folded line is one line, as an attachment has 14,000 a megabyte.
    var lines = 0
    var isAfterBreak = false
    for byte in bytes {
      if isAfterBreak, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { lines += 1 }
      isAfterBreak = byte == UInt8(ascii: "\n")
    }
    return lines > Self.mostComparedLines
  }

  /// In bytes, inline attachments of 3 MB with it.
  public static let mostComparedBytes = 4 << 20
  /// Some 5,000 changed occurrences of one series.
  private static let mostComparedLines = 50_000
}
