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

  /// - Parameter mayWait: asked again and again while standard error takes nothing; what is left is
  ///   dropped once it says no.
  mutating func pass(_ bytes: [UInt8], while mayWait: () -> Bool) {
    let shown = bytes.prefix(left)
    left -= shown.count
    if let last = shown.last {
      isWithinLine = last != UInt8(ascii: "\n")
      write(shown, while: mayWait)
    }
    guard shown.count < bytes.count, !isCut else { return }
    isCut = true
    if isWithinLine { write([UInt8(ascii: "\n")], while: mayWait) }
  }

  /// In milliseconds.
  private static let pause: Int32 = 50

  /// A reader that went away misses it, and one that does not read in time.
  private func write(_ bytes: ArraySlice<UInt8>, while mayWait: () -> Bool) {
    var rest = bytes
    while !rest.isEmpty {
      var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&errors, 1, Self.pause) > 0 else {
        if mayWait() { continue }
        return
      }
      let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
