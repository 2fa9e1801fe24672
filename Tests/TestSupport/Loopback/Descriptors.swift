import Glibc
import Synchronization

/// The two ends of a pipe, not inherited by programs that tests start.
struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws(LoopbackError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw LoopbackError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }
}

/// Closes a descriptor once.
final class Opener: Sendable {
  private let descriptor: Mutex<Int32>

  init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
      descriptor = -1
    }
  }
}

/// Waits until one of the descriptors is ready, or ended; gives the index of the first that is,
/// nil after the time.
func waitFor(
  _ events: [(descriptor: Int32, event: Int32)], milliseconds: Int32 = -1
) -> Int? {
  var list = events.map { pollfd(fd: $0.descriptor, events: Int16($0.event), revents: 0) }
  while true {
    let count = poll(&list, nfds_t(list.count), milliseconds)
    if count < 0 && errno == EINTR { continue }
    return count > 0 ? list.firstIndex { $0.revents != 0 } : nil
  }
}

/// A socket on 127.0.0.1 at a port that the system chose.
func boundSocket() throws(LoopbackError) -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { throw LoopbackError("socket") }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let bound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard bound else {
    close(descriptor)
    throw LoopbackError("bind")
  }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// A Unix socket at a path that is free.
func boundSocket(at path: String) throws(LoopbackError) -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_UNIX, kind, 0)
  guard descriptor >= 0 else { throw LoopbackError("socket") }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { place in
    for (index, byte) in path.utf8.prefix(place.count - 1).enumerated() { place[index] = byte }
  }
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
  guard bound else {
    close(descriptor)
    throw LoopbackError("bind")
  }
  return descriptor
}
