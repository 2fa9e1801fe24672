import CalgwKit
import TestSupport
import Testing

/// Messages of name servers (RFC 1035 §4), true and hostile.
@Suite struct DNSAnswerTests {
  /// A header with one question for `_caldavs._tcp.example.org`, and so many answers.
  private static func message(answers: UInt8, _ records: [UInt8]) -> [UInt8] {
    let labels = ["_caldavs", "_tcp", "example", "org"].flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    return [0, 1, 0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0] + labels + [0, 0, 33, 0, 1] + records
  }

  /// A record with a pointer to the question's name.
  private static func record(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xC0, 12, 0, type, 0, 1, 0, 0, 1, 0, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
  }

  /// `example.org` of the question stands here: after the header and two labels.
  private static let domain: [UInt8] = [0xC0, 12 + 9 + 5]

  @Test func `a location is read with its compressed name`() {
    let data: [UInt8] = [0, 10, 0, 5, 0x20, 0xFB, 3] + Array("dav".utf8) + Self.domain
    #expect(
      DNSAnswer.records(Self.message(answers: 1, Self.record(33, data)), .location)
        == [.location(priority: 10, weight: 5, port: 8443, target: "dav.example.org")])
  }

  @Test func `strings are read, and records of other kinds left out`() {
    let text = Self.record(16, [4] + Array("path".utf8) + [0, 1, 0x61])
    let alias = Self.record(5, Self.domain)
    #expect(
      DNSAnswer.records(Self.message(answers: 2, alias + text), .text)
        == [.text([Array("path".utf8), [], [0x61]])])
  }

  @Test func `a root for a target means that there is no such service`() {
    let data: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
    #expect(
      DNSAnswer.records(Self.message(answers: 1, Self.record(33, data)), .location)
        == [.location(priority: 0, weight: 0, port: 0, target: "")])
  }

  /// Data of locations that no name server sends by mistake.
  static let hostile: [[UInt8]] = [
    // A pointer to itself, one forwards, two in a ring, a cut one.
    [0, 0, 0, 0, 1, 187, 0xC0, 62], [0, 0, 0, 0, 1, 187, 0xFF, 0xFF],
    [0, 0, 0, 0, 1, 187, 0xC0], [0, 0, 0, 0, 1, 187, 0x80, 1], [0, 0, 0, 0, 1], [],
    // A label that goes beyond the message, and one that is no host's.
    [0, 0, 0, 0, 1, 187, 63, 0x61], [0, 0, 0, 0, 1, 187, 3, 0x61, 0x2F, 0x62, 0],
  ]

  @Test(arguments: hostile)
  func `a hostile record is refused`(data: [UInt8]) {
    let message = Self.message(answers: 1, Self.record(33, data))
    #expect(DNSAnswer.records(message, .location) == nil)
  }

  @Test func `no bytes at all stop the reader`() {
    var random = SeededRandom(seed: 20_260_105)
    let data: [UInt8] = [0, 10, 0, 5, 0x20, 0xFB, 3] + Array("dav".utf8) + Self.domain
    let whole = Self.message(answers: 9, Self.record(33, data) + Self.record(16, [3, 1, 2, 3]))
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<random.below(6) {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
      let records = DNSAnswer.records(bytes, .location) ?? []
      #expect(records.count <= 64)
    }
  }
}
