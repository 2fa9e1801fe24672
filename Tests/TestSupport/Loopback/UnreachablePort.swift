import Glibc

/// A port of 127.0.0.1 at which nobody can be reached, reserved as long as the object lives.
public final class UnreachablePort: Sendable {
  public let port: UInt16
  private let descriptors: [Int32]

  /// - Parameter answering: true for a port that refuses, false for one that does not answer.
  public init(answering: Bool) throws(LoopbackError) {
    let (descriptor, port) = try boundSocket()
    self.port = port
    guard !answering else {
      descriptors = [descriptor]
      return
    }
    // A full queue of connections that nobody takes: further attempts get no answer.
    guard listen(descriptor, 0) == 0 else { throw LoopbackError("listen") }
    descriptors = [descriptor] + (0..<4).map { _ in Self.attempt(port) }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func attempt(_ port: UInt16) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }
}
