import Dispatch
import Glibc
import Synchronization

/// The first two steps to a server, each by itself: its name, and a connection.
struct ReachHost: Sendable {
  let host: String
  let port: Int
  /// For each of the two steps.
  let timeout: Duration

  /// Addresses that are tried at the most.
  private static let mostAddresses = 8

  /// An address of a host, as the system has it.
  struct Address: Sendable, Hashable {
    var family: Int32
    /// A `sockaddr`.
    var bytes: [UInt8]
    /// `192.0.2.7`
    var text: String
  }

  /// What a try to connect came to.
  struct Try: Sendable, Hashable {
    var address: Address
    /// Nil: it is connected.
    var errorNumber: Int32?
    var milliseconds: Int64
  }

  enum Lookup: Sendable, Hashable {
    case found([Address])
    /// Why not.
    case failed(String)
  }

  /// Without the brackets of an IPv6 address.
  var bareHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

  /// Asks the system for the host's addresses; nil where the task is cancelled first.
  func addresses() async -> Lookup? {
    await orElse(.failed("no answer within \(timeout)")) { [bareHost, port] in
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var list: UnsafeMutablePointer<addrinfo>?
      let code = getaddrinfo(bareHost, String(port), &hints, &list)
      guard code == 0 else { return .failed(String(cString: gai_strerror(code))) }
      defer { freeaddrinfo(list) }
      return .found(Self.addresses(list))
    }
  }

  private static func addresses(_ list: UnsafeMutablePointer<addrinfo>?) -> [Address] {
    var found: [Address] = []
    var next = list
    while let entry = next?.pointee, found.count < mostAddresses {
      next = entry.ai_next
      guard let address = entry.ai_addr else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let code = getnameinfo(
        address, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      guard code == 0 else { continue }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
      let name = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      found.append(
        Address(
          family: entry.ai_family, bytes: Array(bytes), text: String(decoding: name, as: UTF8.self))
      )
    }
    return found
  }

  /// Connects to one address after the other, and hangs up at once; nil where the task is cancelled
  /// first.
  func connections(to addresses: [Address]) async -> [Try]? {
    let limit = timeout.milliseconds
    return await orElse([], within: timeout * (addresses.count + 1)) {
      addresses.map { Self.connect(to: $0, limit: limit) }
    }
  }

  private static func connect(to address: Address, limit: Int64) -> Try {
    let start = ContinuousClock.now
    func tried(_ code: Int32?) -> Try {
      Try(
        address: address, errorNumber: code,
        milliseconds: start.duration(to: .now).milliseconds)
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return tried(errno) }
    defer { close(descriptor) }
    let code = address.bytes.withUnsafeBytes { bytes -> Int32 in
      guard let base = bytes.bindMemory(to: sockaddr.self).baseAddress else { return EINVAL }
      return Glibc.connect(descriptor, base, socklen_t(bytes.count)) == 0 ? 0 : errno
    }
    if code == 0 { return tried(nil) }
    guard code == EINPROGRESS else { return tried(code) }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let count = poll(&waiting, 1, Int32(clamping: limit))
    guard count > 0 else { return tried(count == 0 ? ETIMEDOUT : errno) }
    var failure: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length) == 0 else {
      return tried(errno)
    }
    return tried(failure == 0 ? nil : failure)
  }

  /// Does blocking work on a thread of its own, and does not wait for it longer than the limit, nor
  /// once the task is cancelled (nil): the resolver knows neither.
  private func orElse<Value: Sendable>(
    _ fallback: Value, within limit: Duration? = nil, _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    let milliseconds = Int(clamping: (limit ?? timeout).milliseconds)
    let waiting = Waiting<Value?>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.begin(continuation)
        // Whoever cancelled it before that found nobody waiting.
        guard !Task.isCancelled else { return waiting.resume(nil) }
        DispatchQueue.global().async { waiting.resume(work()) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
          waiting.resume(fallback)
        }
      }
    } onCancel: {
      waiting.resume(nil)
    }
  }
}

/// A continuation that is resumed once, by whoever comes first.
private final class Waiting<Value: Sendable>: Sendable {
  private let continuation = Mutex<CheckedContinuation<Value, Never>?>(nil)

  func begin(_ continuation: CheckedContinuation<Value, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func resume(_ value: Value) {
    let first = continuation.withLock { held in
      defer { held = nil }
      return held
    }
    first?.resume(returning: value)
  }
}
