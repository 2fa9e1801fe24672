private import Synchronization

/// Takes the body of an answer that should be a multistatus: parses it as it streams, and keeps
/// its beginning in case it is an error instead.
///
/// Unchecked, since libxml2's parser cannot be sent by itself: every access holds `lock`.
package final class MultistatusSink: AnswerSink, @unchecked Sendable {
  /// Bytes kept for reading an error body.
  static let keptPrefix = 64 << 10

  private final class Collector {
    var responses: [DAVResponse] = []
  }

  private let limits: XMLLimits
  private let lock = Mutex(())
  private let parser: MultistatusParser
  private let collector: Collector
  private var fault: XMLFault?
  private var kept: [UInt8] = []
  private var received = 0

  package init(limits: XMLLimits = XMLLimits()) {
    self.limits = limits
    let collector = Collector()
    self.collector = collector
    parser = MultistatusParser(limits: limits) { collector.responses.append($0) }
  }

  /// Goes on after a fault of the XML, since the status, which comes last, decides what it was.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    lock.withLock { _ in take(bytes) }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    received += bytes.count
    guard received <= limits.document else {
      fault = XMLFault(.limit, "the answer is larger than \(limits.document) bytes")
      return false
    }
    kept += bytes.prefix(Self.keptPrefix - kept.count)
    guard fault == nil else { return true }
    do throws(XMLFault) { try parser.feed(bytes) } catch { fault = error }
    return true
  }

  /// The beginning of the body.
  package var beginning: [UInt8] { lock.withLock { _ in kept } }

  /// The multistatus, or why it is none.
  package func result() throws(XMLFault) -> Multistatus {
    try lock.withLock { _ throws(XMLFault) in
      if let fault { throw fault }
      try parser.finish()
      var multistatus = Multistatus()
      multistatus.responses = collector.responses
      multistatus.syncToken = parser.syncToken
      return multistatus
    }
  }
}
