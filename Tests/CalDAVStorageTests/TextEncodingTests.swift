import CalDAVStorage
import Testing

/// Texts that are not the UTF-8 that calendars are to be in.
@Suite struct TextEncodingTests {
  private func decode(_ bytes: [UInt8], _ type: String = "text/calendar") -> String? {
    TextEncoding(contentType: Array(type.utf8)).decode(bytes)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// With each letter as the byte of its number.
  private func latin(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  @Test(
    arguments: [
      ("text/calendar", nil), ("text/calendar; charset=UTF-8", "utf-8"),
      ("text/calendar;charset=\"ISO-8859-1\"", "iso-8859-1"),
      ("text/calendar; method=PUBLISH; Charset = windows-1252", "windows-1252"), ("", nil),
    ] as [(String, String?)])
  func `a charset is what the header says`(type: String, name: String?) {
    #expect(TextEncoding(contentType: Array(type.utf8)).name == name)
  }

  @Test(arguments: [
    "text/calendar", "text/calendar; charset=utf-8", "text/calendar; charset=us-ascii",
    "text/calendar; charset=ISO-8859-1", "text/calendar; charset=windows-1252",
  ])
  func `what is not UTF-8 is Windows-1252, and what is stays as it is`(type: String) {
    #expect(
      decode(latin("A:caf\u{E9}\r\nB:\u{80}\u{93}x\u{94}\r\n"), type)
        == "A:caf\u{E9}\r\nB:\u{20AC}\u{201C}x\u{201D}\r\n")
    // Whatever the header says.
    let utf8 = "A:caf\u{E9} \u{20AC}\r\n"
    #expect(decode(Array(utf8.utf8), type) == utf8)
  }

  @Test func `a line in another encoding spoils no other`() {
    let mixed = Array("A:\u{20AC}\r\n".utf8) + latin("B:\u{FC}\r\n") + Array("C:\u{E9}".utf8)
    #expect(decode(mixed) == "A:\u{20AC}\r\nB:\u{FC}\r\nC:\u{E9}")
  }

  @Test(arguments: ["\r\n ", "\n\t"])
  func `a character that a fold cuts is UTF-8`(fold: String) {
    let cut = Array("A:".utf8) + [0xC3] + Array(fold.utf8) + [0xA9] + latin("\r\nB:\u{FC}")
    let expected = Array("A:".utf8) + [0xC3] + Array(fold.utf8) + [0xA9]
    let decoded = TextEncoding(contentType: []).decode(cut)
    #expect(decoded == expected + Array("\r\nB:\u{FC}".utf8))
  }

  @Test func `a text in an encoding that is not known is none, but where it is UTF-8 after all`() {
    let type = "text/calendar; charset=ISO-8859-2"
    #expect(decode(latin("A:\u{B1}"), type) == nil)
    #expect(decode(Array("A:\u{105}".utf8), type) == "A:\u{105}")
  }

  @Test func `every byte has its character`() {
    for byte in UInt8(0x80)...0xFF {
      let decoded = TextEncoding(contentType: []).decode([byte, 0x0A])
      #expect(decoded.flatMap { String(validating: $0, as: UTF8.self) }?.unicodeScalars.count == 2)
    }
  }
}
