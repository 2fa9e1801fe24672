import Glibc

/// The lines of standard input, one after another as they come.
public struct InputLines: ~Copyable {
  /// A line, or that there is no more.
  public enum Line: Sendable, Equatable {
    /// Without its line end.
    case text([UInt8])
    /// It had more than the limit's bytes, which are dropped.
    case tooLong
  }

  private let descriptor: Int32
  private let limit: Int
  private let signals: StopSignals?
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var place = 0
  private var filled = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - limit: Bytes of a line that are kept.
  ///   - signals: A signal while it waits ends the process at once.
  public init(descriptor: Int32 = 0, limit: Int, signals: StopSignals?) {
    self.descriptor = descriptor
    self.limit = limit
    self.signals = signals
  }

  /// The next line; nil at the end. The last one need not have a line end.
  public mutating func next() throws(RunFailure) -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    var hasBytes = false
    while true {
      if place == filled {
        guard try fill() else { break }
      }
      hasBytes = true
      let rest = chunk[place..<filled]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      if line.count + rest.count > limit, end.map({ line.count + $0 - place > limit }) ?? true {
        isTooLong = true
        line = []
      }
      if !isTooLong { line += rest[..<(end ?? filled)] }
      place = end.map { $0 + 1 } ?? filled
      if end != nil { break }
    }
    guard hasBytes else { return nil }
    return isTooLong ? .tooLong : .text(line)
  }

  private mutating func fill() throws(RunFailure) -> Bool {
    guard !isAtEnd else { return false }
    var count = 0
    repeat { count = try waitAndRead() } while count < 0 && errno == EINTR
    guard count >= 0 else {
      throw RunFailure(
        .io, code: "io", message: "the input cannot be read", place: "standard input",
        why: SystemError(errno).text, hint: "see where the input comes from")
    }
    (place, filled, isAtEnd) = (0, count, count == 0)
    return count > 0
  }

  private mutating func waitAndRead() throws(RunFailure) -> Int {
    guard let signals else { return read(descriptor, &chunk, chunk.count) }
    return try signals.waiting(at: "standard input") { read(descriptor, &chunk, chunk.count) }
  }
}
