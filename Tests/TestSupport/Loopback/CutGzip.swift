/// A text in gzip of which the end is missing, although the answer around it is whole.
public enum CutGzip {
  /// The first bytes of a text, in a block that says that all of it follows (RFC 1951 §3.2.4).
  ///
  /// - Parameter text: of less than 64 KiB.
  public static func beginning(of text: String, bytes: Int) -> [UInt8] {
    let length = UInt16(text.utf8.count)
    let block = [length, ~length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return CompressionBomb.head + [1] + block + text.utf8.prefix(bytes)
  }
}
