import ICalendar
import TestSupport
import Testing

/// What changes in a list on one side, where the other side has another list than that one had.
@Suite struct CarrySetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    let other: String
    let result: String

    init(_ what: String, old: String, new: String, onto other: String, gives result: String) {
      testDescription = what
      self.old = old
      self.new = new
      self.other = other
      self.result = result
    }
  }

  static let cases = [
    Case(
      "a comment that is added leaves alone what the server cut off",
      old: "COMMENT:one | COMMENT:call Anna", new: "COMMENT:one | COMMENT:new | COMMENT:call Anna",
      onto: "COMMENT:one | COMMENT:call Anna, then Bo",
      gives: "COMMENT:one | COMMENT:call Anna, then Bo | COMMENT:new"),
    Case(
      "one that was cut off and is edited there stays beside the edit",
      old: "COMMENT:one | COMMENT:call Anna", new: "COMMENT:one | COMMENT:call Bea",
      onto: "COMMENT:one | COMMENT:call Anna, then Bo",
      gives: "COMMENT:one | COMMENT:call Anna, then Bo | COMMENT:call Bea"),
    Case(
      "one that is removed goes, and no other",
      old: "COMMENT:one | COMMENT:two", new: "COMMENT:two",
      onto: "COMMENT:own | COMMENT:one | COMMENT:two", gives: "COMMENT:own | COMMENT:two"),
    Case(
      "the last of them that the server has goes, and what it dropped stays",
      old: "SUMMARY:a | COMMENT:one", new: "SUMMARY:a",
      onto: "COMMENT:one | SUMMARY:a | comment:two", gives: "comment:two | SUMMARY:a"),
    Case(
      "a link that is added there leaves the attachment that the server dropped",
      old: "ATTACH:http://f/1", new: "ATTACH:http://f/1 | ATTACH:http://f/2",
      onto: "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD | ATTACH:http://f/1",
      gives:
        "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD | ATTACH:http://f/1 | ATTACH:http://f/2"),
    Case(
      "what the server added stays as one is added here",
      old: "ATTACH:http://f/1", new: "ATTACH:http://f/3 | ATTACH:http://f/1",
      onto: "ATTACH:http://f/1 | ATTACH;MANAGED-ID=9:http://srv/9",
      gives: "ATTACH:http://f/1 | ATTACH;MANAGED-ID=9:http://srv/9 | ATTACH:http://f/3"),
    Case(
      "an attachment that is removed goes where the server made a link of it",
      old: "ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD | ATTACH:http://f/1",
      new: "ATTACH:http://f/1", onto: "ATTACH:http://srv/1 | ATTACH:http://f/1",
      gives: "ATTACH:http://f/1"),
    Case(
      "one that is removed there goes here",
      old: "ATTACH:http://srv/1 | ATTACH:http://srv/2 | ATTACH:http://f/1",
      new: "ATTACH:http://srv/1 | ATTACH:http://f/1",
      onto: "ATTACH:http://f/1 | ATTACH;ENCODING=base64:QQ== | ATTACH;VALUE=binary:Qg==",
      gives: "ATTACH:http://f/1 | ATTACH;ENCODING=base64:QQ=="),
    Case(
      "a link that takes the place of an attachment stays",
      old: "ATTACH;VALUE=BINARY:QQ== | ATTACH:http://f/1",
      new: "ATTACH:http://f/1 | ATTACH:http://f/2",
      onto: "ATTACH:http://srv/1 | ATTACH:http://f/1",
      gives: "ATTACH:http://f/1 | ATTACH:http://f/2"),
    Case(
      "links that may be of another attachment stay",
      old: "ATTACH;VALUE=BINARY:QQ== | ATTACH:http://f/1", new: "ATTACH:http://f/1",
      onto: "ATTACH:http://srv/1 | ATTACH:http://srv/2 | ATTACH:http://f/1",
      gives: "ATTACH:http://srv/1 | ATTACH:http://srv/2 | ATTACH:http://f/1"),
    Case(
      "a link that is there already is no second one",
      old: "ATTACH:http://f/1", new: "ATTACH:http://f/1 | ATTACH:http://f/2",
      onto: "ATTACH:http://f/2", gives: "ATTACH:http://f/2"),
    Case(
      "an edit finds a line that is escaped in another way, with other parameters",
      old: "COMMENT;A=1;B=2:x, y | COMMENT:z", new: "COMMENT:new | COMMENT:z",
      onto: "comment;b=2:x\\, y | COMMENT:own", gives: "COMMENT:own | COMMENT:new"),
    Case(
      "of a line that stays, the parameters go over that were changed",
      old: "ATTACH:http://f/1", new: "ATTACH;FMTTYPE=text/plain:http://f/1",
      onto: "ATTACH;FILENAME=a:http://f/1 | ATTACH:http://f/2",
      gives: "ATTACH;FILENAME=a;FMTTYPE=text/plain:http://f/1 | ATTACH:http://f/2"),
    Case(
      "relations to one item are two where they are of two kinds",
      old: "RELATED-TO:p | RELATED-TO;RELTYPE=SIBLING:p", new: "RELATED-TO;RELTYPE=SIBLING:p",
      onto: "RELATED-TO;RELTYPE=PARENT:p | RELATED-TO;RELTYPE=sibling:p | RELATED-TO:q",
      gives: "RELATED-TO;RELTYPE=sibling:p | RELATED-TO:q"),
    Case(
      "a word that is added leaves the line that the server dropped",
      old: "CATEGORIES:A", new: "CATEGORIES:A,C", onto: "CATEGORIES:A | CATEGORIES:B",
      gives: "CATEGORIES:A | CATEGORIES:B,C"),
    Case(
      "words are found in other lines, in another case and escaped in another way",
      old: "CATEGORIES:a | CATEGORIES:b\\;c | CATEGORIES:d",
      new: "CATEGORIES:d | CATEGORIES:e", onto: "CATEGORIES:A,own,b;c,d",
      gives: "CATEGORIES:own,d,e"),
    Case(
      "a line with parameters that nobody would write loses a word, and no other line does",
      old: "CATEGORIES;X-A=\"b\"c:A,B", new: "CATEGORIES;X-A=\"b\"c:B",
      onto: "CATEGORIES;X-A=\"b\"c:A,B | CATEGORIES:own",
      gives: "CATEGORIES;X-A=\"b\"c:B | CATEGORIES:own"),
    Case(
      "one gains a word, and keeps the quotes that nobody needs",
      old: "CATEGORIES;X-A=\"b\"c:A | CATEGORIES;LANGUAGE=\"de\":B",
      new: "CATEGORIES;X-A=\"b\"c:A,C | CATEGORIES;LANGUAGE=\"de\":B,D",
      onto: "CATEGORIES:own | CATEGORIES;X-A=\"b\"c:A | CATEGORIES;LANGUAGE=\"de\":B",
      gives: "CATEGORIES:own | CATEGORIES;X-A=\"b\"c:A,C | CATEGORIES;LANGUAGE=\"de\":B,D"),
    Case(
      "equal words that the server takes for one go together",
      old: "CATEGORIES:A,B", new: "CATEGORIES:B", onto: "CATEGORIES:A,B,A,a",
      gives: "CATEGORIES:B"),
    Case(
      "so do lines of one value",
      old: "COMMENT:x | COMMENT:y", new: "COMMENT:y",
      onto: "COMMENT:x | COMMENT:y | COMMENT;LANGUAGE=de:x", gives: "COMMENT:y"),
    Case(
      "lines of one value are found where the server drops what tells them apart",
      old: "COMMENT;LANGUAGE=de:x | COMMENT;LANGUAGE=en:x | COMMENT:y", new: "COMMENT:y",
      onto: "COMMENT:x | COMMENT:x | COMMENT:y", gives: "COMMENT:y"),
    Case(
      "words that are respelt alone travel together",
      old: "RESOURCES:a\\,b", new: "RESOURCES:a\\,b\\,c", onto: "RESOURCES:a,b",
      gives: "RESOURCES:a\\,b\\,c"),
    Case(
      "a date that is added leaves those that the server dropped",
      old: "EXDATE:20260303T100000Z", new: "EXDATE:20260303T100000Z,20260305T100000Z",
      onto: "EXDATE:20260303T100000Z | EXDATE:20260304T100000Z",
      gives: "EXDATE:20260303T100000Z | EXDATE:20260304T100000Z | EXDATE:20260305T100000Z"),
    Case(
      "dates of which none can be found travel together",
      old: "EXDATE;TZID=A:20260303T100000", new: "EXDATE;TZID=A:20260304T100000",
      onto: "EXDATE;TZID=B:20260303T100000", gives: "EXDATE;TZID=A:20260304T100000"),
    Case(
      "extensions that stand several times are told by the whole line",
      old: "X-TAG:1 | X-TAG:2", new: "X-TAG:1 | X-TAG:9", onto: "X-TAG:1 | X-TAG:2,3",
      gives: "X-TAG:1 | X-TAG:2,3 | X-TAG:9"),
    Case(
      "what stands once comes as it is", old: "SUMMARY:a", new: "SUMMARY:b",
      onto: "SUMMARY:a | SUMMARY;LANGUAGE=de:A", gives: "SUMMARY:b"),
    Case(
      "an alarm plays one thing",
      old: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | ATTACH:Basso | END:VALARM",
      new: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | ATTACH:Chord | END:VALARM",
      onto: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | ATTACH:Ping | END:VALARM",
      gives: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | ATTACH:Chord | END:VALARM"),
    Case(
      "a comment in an alarm leaves the one that the server dropped",
      old: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | COMMENT:1 | END:VALARM",
      new: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | COMMENT:9 | END:VALARM",
      onto: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | COMMENT:1 | COMMENT:2 | END:VALARM",
      gives: "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:PT0S | COMMENT:2 | COMMENT:9 | END:VALARM"),
    Case(
      "an alarm says one thing, also where a text has it twice",
      old: "BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:PT0S | DESCRIPTION:a | END:VALARM",
      new: "BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:PT0S | DESCRIPTION:b | END:VALARM",
      onto:
        "BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:PT0S | DESCRIPTION:a | DESCRIPTION:c | END:VALARM",
      gives: "BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:PT0S | DESCRIPTION:b | END:VALARM"),
  ]

  private static func calendar(_ inside: String) -> SyntaxTree {
    let source =
      "BEGIN:VCALENDAR | BEGIN:VEVENT | UID:1 | \(inside) | END:VEVENT | END:VCALENDAR | "
    return SyntaxTree(bytes: utf8(source.replacing(" | ", with: "\r\n")))
  }

  @Test(arguments: cases)
  func `a list changes`(one: Case) {
    let other = Self.calendar(one.other)
    let result = carryChange(
      from: Self.calendar(one.old), to: Self.calendar(one.new), onto: other)
    #expect(result.map(text) == text(Self.calendar(one.result).bytes))
    // What is there already is there once.
    let again = result.flatMap {
      carryChange(
        from: Self.calendar(one.old), to: Self.calendar(one.new), onto: SyntaxTree(bytes: $0))
    }
    #expect(again == result)
  }
}
