import CLinux
import Dispatch
import Synchronization

/// Asks the name servers where a service is.
public struct ServiceResolver: Sendable {
  /// The records of a name; nil where nobody knows.
  var records: @Sendable (_ name: String, _ kind: DNSAnswer.Kind) async -> [ServiceRecord]?

  package init(
    records: @escaping @Sendable (_ name: String, _ kind: DNSAnswer.Kind) async -> [ServiceRecord]?
  ) {
    self.records = records
  }

  /// The system's, as `/etc/resolv.conf` has it.
  public static let live = ServiceResolver { name, kind in
    await withCheckedContinuation { continuation in
      // Blocks for some seconds at the most.
      DispatchQueue.global().async { continuation.resume(returning: query(name, kind)) }
    }
  }

  /// The same for one run, which asks no question twice: pairs of one account fail alike.
  func askingOnce() -> ServiceResolver {
    struct Question: Hashable {
      let name: String
      let kind: DNSAnswer.Kind
    }
    let known = Mutex<[Question: [ServiceRecord]?]>([:])
    return ServiceResolver { name, kind in
      let question = Question(name: name, kind: kind)
      if let answer = known.withLock({ $0[question] }) { return answer }
      let answer = await records(name, kind)
      known.withLock { _ = $0.updateValue(answer, forKey: question) }
      return answer
    }
  }

  private static func query(_ name: String, _ kind: DNSAnswer.Kind) -> [ServiceRecord]? {
    /// The largest message there is (RFC 1035 §4.2.2).
    var answer = [UInt8](repeating: 0, count: 65_535)
    let length = clinux_dns_query(name, Int32(kind.rawValue), &answer, Int32(answer.count))
    guard length >= 0 else { return nil }
    return length == 0 ? [] : DNSAnswer.records(Array(answer.prefix(Int(length))), kind)
  }
}
