import Synchronization
public import WebDAV

/// Keeps a body whole, up to a limit at which it wants no more.
public final class CollectingSink: BodySink {
  private let limit: Int
  private let collected = Mutex<[UInt8]>([])

  /// - Parameter limit: bytes; the chunk that would exceed it is refused.
  public init(limit: Int = .max) { self.limit = limit }

  public var bytes: [UInt8] { collected.withLock { $0 } }
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    collected.withLock { collected in
      guard bytes.count <= limit - collected.count else { return false }
      collected.append(contentsOf: bytes)
      return true
    }
  }
}
