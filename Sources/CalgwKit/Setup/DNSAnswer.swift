/// A record that says where a service is.
package enum ServiceRecord: Sendable, Hashable {
  /// RFC 2782. An empty target: the service is decidedly not there.
  case location(priority: UInt16, weight: UInt16, port: UInt16, target: String)
  /// RFC 1035 §3.3.14: the strings of one record.
  case text([[UInt8]])
}

/// Reads the records of an answer (RFC 1035 §4), whatever somebody put into it.
package struct DNSAnswer {
  /// Kinds of records (RFC 1035 §3.2.2, RFC 2782).
  package enum Kind: UInt16, Sendable {
    case text = 16
    case location = 33
  }

  /// More than any domain has of these.
  private static let mostRecords = 64
  /// RFC 1035 §2.3.4.
  private static let longestName = 255

  private let message: [UInt8]
  private var place = 0

  private init(_ message: [UInt8]) { self.message = message }

  /// The records of a kind; nil where the message is damaged.
  package static func records(_ message: [UInt8], _ kind: Kind) -> [ServiceRecord]? {
    var answer = DNSAnswer(message)
    return answer.read(kind)
  }

  private mutating func read(_ kind: Kind) -> [ServiceRecord]? {
    place = 4
    guard let questions = number(), let answers = number() else { return nil }
    place = 12
    for _ in 0..<min(Int(questions), Self.mostRecords) {
      guard skipName() else { return nil }
      place += 4
    }
    var records: [ServiceRecord] = []
    for _ in 0..<min(Int(answers), Self.mostRecords) {
      guard skipName(), let type = number(), number() != nil else { return nil }
      place += 4
      guard let length = number() else { return nil }
      let end = place + Int(length)
      guard end <= message.count else { return nil }
      if type == kind.rawValue {
        guard let record = kind == .text ? text(to: end) : location(to: end) else { return nil }
        records.append(record)
      }
      place = end
    }
    return records
  }

  private mutating func location(to end: Int) -> ServiceRecord? {
    guard let priority = number(), let weight = number(), let port = number(),
      let target = name(at: place)
    else { return nil }
    return .location(priority: priority, weight: weight, port: port, target: target)
  }

  private mutating func text(to end: Int) -> ServiceRecord? {
    var strings: [[UInt8]] = []
    while place < end {
      let length = Int(message[place])
      guard place + 1 + length <= end else { return nil }
      strings.append(Array(message[(place + 1)..<(place + 1 + length)]))
      place += 1 + length
    }
    return .text(strings)
  }

  private mutating func number() -> UInt16? {
    guard place + 2 <= message.count else { return nil }
    defer { place += 2 }
    return UInt16(message[place]) << 8 | UInt16(message[place + 1])
  }

  private mutating func skipName() -> Bool {
    while place < message.count {
      let length = Int(message[place])
      // A pointer ends a name (RFC 1035 §4.1.4).
      if length & 0xC0 == 0xC0 {
        place += 2
        return true
      }
      place += 1 + length
      if length == 0 { return true }
    }
    return false
  }

  /// The name at a place, without a dot at its end; nil where it is none of a host.
  private func name(at start: Int) -> String? {
    var labels: [String] = []
    var place = start
    var bound = start
    var length = 0
    while place < message.count {
      let count = Int(message[place])
      if count & 0xC0 == 0xC0 {
        guard place + 1 < message.count else { return nil }
        let target = (count & 0x3F) << 8 | Int(message[place + 1])
        // Only ever backwards, so that it ends.
        guard target < bound else { return nil }
        bound = target
        place = target
        continue
      }
      guard count < 64 else { return nil }
      if count == 0 { return labels.joined(separator: ".") }
      length += count + 1
      guard place + 1 + count <= message.count, length <= Self.longestName else { return nil }
      let label = message[(place + 1)..<(place + 1 + count)]
      guard label.allSatisfy(isHostByte) else { return nil }
      labels.append(String(decoding: label, as: UTF8.self))
      place += 1 + count
    }
    return nil
  }
}

/// A letter, a digit, a hyphen or an underscore: what names of hosts are made of.
func isHostByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}
