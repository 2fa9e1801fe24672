import CalgwKit
import Foundation
import Testing

/// What comes from outside neither steers a terminal nor hides on it.
@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("Zahnarzt 🦷 ärztlich", "Zahnarzt 🦷 ärztlich"),
    ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("\u{1B}]52;c;eA==\u{7}", "\\u{1B}]52;c;eA==\\u{7}"),
    ("\u{9B}31m", "\\u{9B}31m"), ("a\rb", "a\\u{D}b"), ("a\nb", "a\\u{A}b"), ("\u{7F}", "\\u{7F}"),
    ("\u{0}", "\\u{0}"), ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
    ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
    ("a\u{200B}b\u{200D}c", "a\\u{200B}b\\u{200D}c"), ("\u{FEFF}a", "\\u{FEFF}a"),
    ("a\u{AD}b", "a\\u{AD}b"),
    ("a\u{2028}b", "a\\u{2028}b"), ("a\u{E0041}", "a\\u{E0041}"), ("\r\n", "\\u{D}\\u{A}"),
  ])
  func `what a terminal obeys or hides is a visible escape`(text: String, shown: String) {
    #expect(visibleText(text) == shown)
  }

  @Test func `a long text is cut`() {
    #expect(visibleText(String(repeating: "x", count: 10_000)).count == 201)
    #expect(visibleText(String(repeating: "x", count: 200)).count == 200)
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(visibleText(marks).unicodeScalars.count <= 8)
  }

  @Test(arguments: ["\u{1B}", "\u{9B}", "\u{202E}", "\u{7F}", "\u{0}", "\u{2028}", "\u{E0041}"])
  func `JSON holds none of it as it is, and reads back the same`(text: String) throws {
    let line = JSONValue.string("a\(text)b").text
    #expect(line.unicodeScalars.allSatisfy { !isDeceptive($0) })
    let decoded = try JSONSerialization.jsonObject(
      with: Data(line.utf8), options: .fragmentsAllowed)
    #expect(decoded as? String == "a\(text)b")
  }

  @Test func `JSON escapes what it must`() {
    #expect(JSONValue.string("\"\\\n\r\t/é🦷").text == #""\"\\\n\r\t/é🦷""#)
    #expect(JSONValue.string("\u{1}\u{1F}").text == #""\u0001\u001f""#)
  }

  @Test(arguments: [(0, "0.000"), (7, "0.007"), (1234, "1.234"), (-1500, "-1.500")])
  func `thousandths`(number: Int64, text: String) {
    #expect(JSONValue.thousandths(number).text == text)
  }

  @Test(
    arguments: [
      ([0x61, 0x2E, 0x69], "a.i", false), ([0xE9], "%E9", true), ([0x25], "%", false),
      ([0x25, 0xFF], "%25%FF", true), ([0xC3, 0xA9, 0xC3], "é%C3", true),
      ([0xED, 0xA0, 0x80], "%ED%A0%80", true), ([0xF0, 0x9F, 0xA6, 0xB7, 0x80], "🦷%80", true),
      ([], "", false),
    ] as [([UInt8], String, Bool)])
  func `a name's bytes that are not UTF-8 are percent-encoded`(
    bytes: [UInt8], text: String, isEncoded: Bool
  ) {
    let name = nameText(bytes)
    #expect(name.text == text)
    #expect(name.isEncoded == isEncoded)
  }
}
