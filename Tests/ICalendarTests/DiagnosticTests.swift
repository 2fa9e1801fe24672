import ICalendar
import Testing

@Suite struct DiagnosticTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let source: String
    /// As `code line:column`.
    let expected: [String]
    var testDescription: String { source }

    init(_ source: String, _ expected: String...) {
      self.source = source
      self.expected = expected
    }
  }

  static let cases = [
    Case("A:1\r\nB;X=\"a:b;c\":2\r\n"),
    Case("A:1\nSUMMARY\nB:2", "missing-colon 2:8"),
    Case("A:1\r\nTHIS IS TEXT: x", "bad-name 2:5"),
    Case(":x\n;A=1:x", "bad-name 1:1", "bad-name 2:1"),
    Case("A;X=\"y:z\nB:1", "unterminated-quote 1:5"),
    Case("A;X=1;\n Y=2;\n  Z=\"3:4\n", "unterminated-quote 3:5"),
    Case("A;X=1;\r\n\r\n Y=\"2:4\r\n", "unterminated-quote 3:4"),
    Case("A;X=1\rB", "missing-colon 1:6", "missing-colon 2:2"),
    Case(" orphan", "bad-name 1:1"),
    Case("BEGIN:A\nEND:B\nEND:A\nEND:A", "stray-end 2:1", "stray-end 4:1"),
    Case("\nBEGIN:A\nBEGIN:B\nEND:A\n", "missing-end 3:1"),
    Case("BEGIN:A\n\nX:1", "missing-end 1:1"),
    Case("\u{FEFF}SUMMARY", "missing-colon 1:8"),
  ]

  @Test(arguments: cases)
  func `a problem is named with its place`(one: Case) {
    let found = SyntaxTree(bytes: utf8(one.source)).diagnostics
    #expect(found.map { "\($0.code.rawValue) \($0.line):\($0.column)" } == one.expected)
    #expect(found.allSatisfy { $0.severity == .error && !$0.message.isEmpty })
  }

  @Test func `bytes that are not UTF-8 are named where they are, behind folds too`() {
    let source = utf8("A:1\r\nB:Caf\r\n ") + [0xE9] + utf8("x\r\nC:") + [0xED, 0xA0, 0x80]
    let found = SyntaxTree(bytes: source).diagnostics
    #expect(found.map(\.code) == [.invalidUTF8, .invalidUTF8])
    #expect(found.map(\.line) == [3, 4])
    #expect(found.map(\.column) == [2, 3])
  }

  @Test func `a million problems are not all listed`() {
    let tree = SyntaxTree(bytes: [UInt8](repeating: 0x0A, count: 3) + utf8(many("x\n", 5000)))
    #expect(tree.diagnostics.count == 1001)
    #expect(tree.diagnostics.last?.code == .more)
    #expect(tree.diagnostics.last?.severity == .warning)
  }

  private func many(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
