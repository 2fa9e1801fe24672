import Glibc

/// What programs print of which nothing is a result: it goes to standard error, and only so much of
/// it that none fills a log.
struct PassedOutput: Sendable {
  /// 64 KiB, in bytes.
  static let limit = 65_536

  private var left = limit
  private var isWithinLine = false
  /// There was more.
  private(set) var isCut = false

  mutating func pass(_ bytes: [UInt8]) {
    let shown = bytes.prefix(left)
    left -= shown.count
    if let last = shown.last {
      isWithinLine = last != UInt8(ascii: "\n")
      write(shown)
    }
    guard shown.count < bytes.count, !isCut else { return }
    isCut = true
    if isWithinLine { write([UInt8(ascii: "\n")]) }
  }

  /// A reader that went away misses it.
  private func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
