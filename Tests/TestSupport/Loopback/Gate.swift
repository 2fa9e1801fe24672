import Glibc

/// Holds a script back until a test opens it; opening it twice does no harm.
public final class Gate: Sendable {
  /// Readable, by its end, once the gate is open.
  let descriptor: Int32
  private let opener: Opener

  public init() throws(LoopbackError) {
    let pipe = try Pipe()
    descriptor = pipe.reading
    opener = Opener(pipe.writing)
  }

  deinit {
    opener.close()
    close(descriptor)
  }

  public func open() { opener.close() }
}

/// What is in the way of a loopback server: the call that failed and the system's reason.
public struct LoopbackError: Error, CustomStringConvertible {
  public let description: String

  init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
  init(text: String) { description = text }
}
