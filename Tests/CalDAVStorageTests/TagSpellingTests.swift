import CalDAVStorage
import SyncModel
import Testing

/// Entity tags as servers spell them (PITFALLS 4, 5 and 8).
@Suite struct TagSpellingTests {
  private func tag(_ text: String) throws -> EntityTag {
    try #require(EntityTag(received: Array(text.utf8)))
  }

  @Test(arguments: [
    ("\"abc\"", "abc"), ("\"abc\"", "\"abc-gzip\""), ("\"abc\"", "\"abc;gzip\""),
    ("\"abc\"", "W/\"abc\""), ("\"abc\"", "&quot;abc&quot;"), ("\"a-b\"", "\"a%2Db\""),
  ])
  func `spellings of one tag`(one: String, other: String) throws {
    #expect(try tag(one).isSpelling(of: try tag(other)))
  }

  @Test(arguments: [("\"abc\"", "\"abd\""), ("\"1\"", "\"11\""), ("\"a\"", "\"A\"")])
  func `tags of two versions`(one: String, other: String) throws {
    #expect(try !tag(one).isSpelling(of: try tag(other)))
  }

  @Test(
    arguments: [
      ("\"1767225600\"", 1_767_225_600), ("1767225600", 1_767_225_600), ("\"52380-27413\"", nil),
      ("\"4f2a1b3c9d\"", nil), ("\"1767225600000\"", nil), ("\"17\"", nil),
    ] as [(String, Int64?)])
  func `a tag that is a time`(text: String, seconds: Int64?) throws {
    #expect(try tag(text).seconds == seconds)
  }

  /// MD5, SHA-1 and SHA-256 of nothing.
  @Test(arguments: [
    "\"d41d8cd98f00b204e9800998ecf8427e\"", "D41D8CD98F00B204E9800998ECF8427E",
    "\"da39a3ee5e6b4b0d3255bfef95601890afd80709-gzip\"",
    "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
  ])
  func `a tag that is a hash`(text: String) throws {
    #expect(try tag(text).isHash)
  }

  @Test(arguments: [
    "\"gcs00000000\"", "\"12\"", "\"1767225600\"", "\"20260105T080000Z-0001\"",
    "\"000000000000000000000000000000000000001a\"",
    "\"d41d8cd98f00b204e9800998ecf8427e-1\"", "\"d41d8cd98f00b204e9800998ecf8427\"",
  ])
  func `a tag that may count`(text: String) throws {
    #expect(try !tag(text).isHash)
  }
}
