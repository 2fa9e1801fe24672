import Synchronization

/// The chain of certificates that a server showed last.
final class ShownCertificates: Sendable {
  private let chain = Mutex<[[UInt8]]>([])

  var value: [[UInt8]] { chain.withLock { $0 } }

  /// Takes another chain; a connection that was open already showed none.
  func keep(_ shown: [[UInt8]]) {
    if !shown.isEmpty { chain.withLock { $0 = shown } }
  }
}
