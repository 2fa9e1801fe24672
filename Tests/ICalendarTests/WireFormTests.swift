import ICalendar
import TestSupport
import Testing

@Suite struct WireFormTests {
  static let long = String(repeating: "0123456789", count: 20)

  @Test(arguments: [
    ("line ends", "A:1\nB:2\rC:3\r\n", "A:1\r\nB:2\r\nC:3\r\n"),
    ("final line end", "A:1\r\nB:2", "A:1\r\nB:2\r\n"),
    ("byte order mark", "\u{FEFF}A:1\r\n", "A:1\r\n"),
    ("folds that are fine are kept", "A:1\n 2\n\t3\n", "A:1\r\n 2\r\n\t3\r\n"),
    ("blank lines are kept", "A:1\n\n\nB:2\n\n", "A:1\r\n\r\n\r\nB:2\r\n\r\n"),
    ("blank lines inside a fold go", "A:1\n\n 2\n", "A:12\r\n"),
    ("nothing", "", ""),
    (
      "a long line", "A:\(long)\r\n",
      "A:\(long.prefix(73))\r\n \(long.dropFirst(73).prefix(74))\r\n \(long.dropFirst(147))\r\n"
    ),
  ])
  func `a text is made fit to be sent`(what: String, source: String, wire: String) {
    #expect(text(wireForm(of: utf8(source))) == wire)
  }

  /// RFC 5545 §3.1: 75 octets without the line break.
  @Test(arguments: [(74, true), (75, true), (76, false)])
  func `75 octets are not too long`(count: Int, isKept: Bool) {
    let line = utf8("A:" + Self.long.prefix(count - 2) + "\r\n")
    #expect((wireForm(of: line) == line) == isKept)
  }

  @Test func `a fold inside a character moves to its border`() {
    let source = utf8("A:Caf") + [0xC3, 13, 10, 0x20, 0xA9] + utf8("x\r\n")
    #expect(wireForm(of: source) == utf8("A:Caféx\r\n"))
  }

  @Test func `a long line of many-byte characters is cut between them`() {
    let wire = wireForm(of: utf8("A:" + String(repeating: "🎂é東", count: 60)))
    let lines = wire.split(separator: 10).map { $0.dropLast() }
    #expect(lines.count > 5)
    for line in lines {
      #expect(line.count <= 75)
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    #expect(lines.dropLast().allSatisfy { $0.count > 70 }, "no more folds than needed")
  }

  @Test(arguments: 0..<50)
  func `what is in wire form already stays as it is`(number: Int) {
    let bytes = makeEvent(number: number, seed: 3)
    #expect(wireForm(of: bytes) == bytes)
  }
}
