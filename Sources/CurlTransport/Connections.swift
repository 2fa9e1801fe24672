import CCurl
import Glibc

/// The sockets that libcurl has open, to tell whether a kept-alive one may be used again.
///
/// libcurl 7.88 takes an idle connection for alive even if something waits to be read from it: the
/// end of its TLS session, which would cost a write its request, or an answer nobody asked for,
/// which would become the next request's (SIMULATION C4 19).
///
/// Belongs to the event loop's thread and outlives everything of libcurl's.
final class Connections {
  /// The ports of a connection's two ends, by which libcurl names it to a callback.
  struct Ends: Equatable {
    let local: UInt16
    let remote: UInt16
  }

  private struct Connection {
    var ends: Ends?
    /// It gave an answer of HTTP/1, so between two requests nothing is to come.
    var isToBeQuiet = false
  }

  private var open: [Int32: Connection] = [:]

  /// An answer of HTTP/1 was taken whole from a connection.
  func answered(_ ends: Ends) {
    for descriptor in descriptors(ends) { open[descriptor]?.isToBeQuiet = true }
  }

  /// Something waits to be read although no request is on the way.
  func isStale(_ ends: Ends) -> Bool {
    descriptors(ends).contains { descriptor in
      guard open[descriptor]?.isToBeQuiet == true else { return false }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, 0) > 0
    }
  }

  /// Mostly one. Several can share both ports if their addresses differ: then each is meant, which
  /// at worst costs a new connection.
  private func descriptors(_ ends: Ends) -> [Int32] {
    open.keys.filter { descriptor in
      if let known = open[descriptor]?.ends { return known == ends }
      let found = Self.ends(of: descriptor)
      if found != nil { open[descriptor]?.ends = found }
      return found == ends
    }
  }

  private static func ends(of descriptor: Int32) -> Ends? {
    guard let local = port(of: descriptor, getsockname),
      let remote = port(of: descriptor, getpeername)
    else { return nil }
    return Ends(local: local, remote: remote)
  }

  private static func port(
    of descriptor: Int32,
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes -> UInt16? in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      guard ask(descriptor, address, &length) == 0 else { return nil }
      let family = Int32(address?.pointee.sa_family ?? 0)
      guard family == AF_INET || family == AF_INET6 else { return nil }
      // The port is at the same place in both kinds of address.
      return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  // MARK: What libcurl calls

  static let onOpen: curl_opensocket_callback = { context, _, address in
    guard let context, let address else { return -1 }
    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
    if descriptor >= 0 { connections(context).open[descriptor] = Connection() }
    return descriptor
  }

  static let onClose: curl_closesocket_callback = { context, descriptor in
    if let context { connections(context).open[descriptor] = nil }
    return close(descriptor)
  }

  private static func connections(_ context: UnsafeMutableRawPointer) -> Connections {
    Unmanaged<Connections>.fromOpaque(context).takeUnretainedValue()
  }
}
