import Testing
import WebDAV

/// What is written as XML can always be read.
@Suite struct XMLWriterTests {
  private func written(_ text: [UInt8]) throws -> [UInt8]? {
    let body = XMLWriter.document(.dav("x")) { $0.element(.dav("y"), text: text) }
    return try XMLTree.parse(body).first(.dav("y"))?.text
  }

  @Test(arguments: [
    ("a\u{1}b", "a\u{FFFD}b"), ("\u{0}", "\u{FFFD}"), ("\u{1F}\u{B}", "\u{FFFD}\u{FFFD}"),
    ("x\u{FFFE}\u{FFFF}", "x\u{FFFD}\u{FFFD}"), ("tab\tand\nline", "tab\tand\nline"),
    ("\u{1F600}\u{7F}\u{E9}", "\u{1F600}\u{7F}\u{E9}"),
  ])
  func `what XML cannot carry is replaced`(text: String, expected: String) throws {
    #expect(try written(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test func `what is no UTF-8 is replaced`() throws {
    #expect(try written([0x61, 0xFF, 0x62]) == Array("a\u{FFFD}b".utf8))
  }

  @Test func `an attribute is as fit as a text`() throws {
    let body = XMLWriter.document(.dav("x")) {
      $0.empty(.dav("y"), attributes: [("name", "a\u{1}\"b")])
    }
    let attribute = try XMLTree.parse(body).first(.dav("y"))?.attributes.first
    #expect(attribute?.value == Array("a\u{FFFD}\"b".utf8))
  }
}
