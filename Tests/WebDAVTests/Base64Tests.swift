import Testing
import WebDAV

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `Base64 is that of RFC 4648 section 10`(text: String, encoded: String) {
    #expect(base64(Array(text.utf8)) == Array(encoded.utf8))
  }

  @Test func `in an address it has letters of its own, and no padding`() {
    #expect(base64([0xFB, 0xFF, 0xBF, 0xFF]) == Array("+/+//w==".utf8))
    #expect(base64URL([0xFB, 0xFF, 0xBF, 0xFF]) == Array("-_-__w".utf8))
  }
}
