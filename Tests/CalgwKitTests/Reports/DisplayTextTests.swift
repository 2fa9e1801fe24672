import CalgwKit
import Testing

/// Columns of a terminal, by EastAsianWidth.txt and emoji-data.txt of Unicode.
@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("会議", 4), ("ｶﾅ", 2), ("Ａ", 2), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("שלום", 4), ("مرحبا", 5), ("😀", 2), ("☃", 1), ("→", 1),
    // Joined of several, as a flag, with a variation, with a colour.
    ("👩‍💻", 2), ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", 2),
    ("🇦🇹", 2), ("\u{2764}\u{FE0F}", 2), ("\u{2764}", 1), ("1\u{FE0F}\u{20E3}", 2),
    ("\u{1F44D}\u{1F3FD}", 2), ("…", 1), ("q\u{303}\u{303}\u{303}\u{303}", 1),
  ])
  func `the width of a text`(text: String, columns: Int) {
    #expect(displayWidth(text) == columns)
  }

  @Test(arguments: [
    ("Standup", 10, "Standup   "), ("Standup", 7, "Standup"), ("Standup", 6, "Stand…"),
    ("会議のこと", 6, "会議… "), ("会議のこと", 5, "会議…"), ("👩‍💻👩‍💻", 3, "👩‍💻…"), ("ab", 0, "…"),
  ])
  func `a text is fitted into columns`(text: String, columns: Int, expected: String) {
    #expect(padded(text, columns: columns) == expected)
  }

  @Test(arguments: [
    ("one\r\ntwo\n\n three ", "one two three"), ("👩‍💻 pair", "👩‍💻 pair"),
    ("a\u{200D}b", "a\\u{200D}b"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
    ("\u{202E}evil", "\\u{202E}evil"), ("1\u{200D}2", "1\\u{200D}2"), ("\t x", "x"),
  ])
  func `a title is one line that steers no terminal`(text: String, expected: String) {
    #expect(titleText(text) == expected)
  }

  @Test func `titles are cut, and right-to-left ones isolated`() {
    #expect(titleText(String(repeating: "x", count: 300)).count == 201)
    #expect(isolated("שלום") == "\u{2068}שלום\u{2069}")
    #expect(isolated("plain") == "plain")
  }
}
