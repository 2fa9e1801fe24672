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
}
