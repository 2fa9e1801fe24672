private import Synchronization

/// Takes a body whole, up to a limit.
package final class BytesSink: AnswerSink {
  /// Bytes of a body that are let through unkept: more is no error page.
  private static let longestUnkept = 64 << 20

  private struct Taken {
    var bytes: [UInt8] = []
    var received = 0
  }

  private let limit: Int
  private let dropsExcess: Bool
  private let taken = Mutex(Taken())

  /// - Parameters:
  ///   - limit: in bytes.
  ///   - dropsExcess: keep the beginning of a longer body, instead of refusing it.
  package init(limit: Int, dropsExcess: Bool = false) {
    self.limit = limit
    self.dropsExcess = dropsExcess
  }

  package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let copy = Array(bytes)
    return taken.withLock { taken in
      taken.received += copy.count
      guard taken.received <= (dropsExcess ? Self.longestUnkept : limit) else { return false }
      taken.bytes += copy.prefix(limit - taken.bytes.count)
      return true
    }
  }

  package var bytes: [UInt8] { taken.withLock { $0.bytes } }

  /// More came than what was kept.
  package var isCut: Bool { taken.withLock { $0.received > $0.bytes.count } }

  package var beginning: [UInt8] { bytes }
}
