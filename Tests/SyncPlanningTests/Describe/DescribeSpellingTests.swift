import ICalendar
import SyncPlanning
import TestSupport
import Testing

/// What is the same to a person, or is there twice, is told as that: the sync carries it, too.
@Suite struct DescribeSpellingTests {
  /// Lines of an event before and after, and what is said of them.
  typealias Case = DescribeChangeTests.Case

  private static let composed = "\u{E4}"
  private static let apart = "a\u{308}"

  static let cases = [
    Case("COMMENT:a | COMMENT:a", "COMMENT:a", "comment removed"),
    Case("COMMENT:a", "COMMENT:a | COMMENT:a | COMMENT:a", "2 × comment added"),
    Case("COMMENT:a | COMMENT:b", "COMMENT:b | COMMENT:a", "comment: order changed"),
    Case("CATEGORIES:A,A", "CATEGORIES:A", "category A (doubled) removed"),
    Case("CATEGORIES:A", "CATEGORIES:A,A,B", "categories A (doubled), B added"),
    Case("CATEGORIES:A,B", "CATEGORIES:B,A", "order of categories changed"),
    Case("CATEGORIES:A,B", "CATEGORIES:A | CATEGORIES:B", "categories written differently"),
    Case("CATEGORIES:\(composed)", "CATEGORIES:\(apart)", "categories written differently"),
    Case("RESOURCES:\(composed)", "RESOURCES:\(apart)", "resources written differently"),
    Case("SUMMARY:\(composed)", "SUMMARY:\(apart)", "title: written differently"),
    Case(
      "ATTENDEE;CN=\(composed):mailto:a@x", "ATTENDEE;CN=\(apart):mailto:a@x",
      "attendee a@x changed"),
    Case(
      "ATTENDEE:mailto:a@x | ATTENDEE:mailto:a@x", "ATTENDEE:mailto:a@x",
      "attendee a@x listed 2 × → 1 ×"),
    Case(
      "ATTENDEE:mailto:a@x | ATTENDEE:mailto:b@x", "ATTENDEE:mailto:b@x | ATTENDEE:mailto:a@x",
      "order of attendees changed"),
    Case(
      "ATTENDEE:mailto:\(composed)@x", "ATTENDEE:mailto:\(apart)@x",
      "attendees written differently"),
  ]

  @Test(arguments: cases)
  func `another spelling and another count are told`(one: Case) {
    let (before, after) = (
      DescribeChangeTests.tree([one.before]), DescribeChangeTests.tree([one.after])
    )
    #expect(describeChange(from: before, to: after).map(\.words) == one.words)
  }

  @Test func `a name that is the same to a person is not shown twice`() {
    let before = DescribeChangeTests.tree(["ATTENDEE;CN=\(Self.composed):mailto:a@x"])
    let after = DescribeChangeTests.tree(["ATTENDEE;CN=\(Self.apart):mailto:a@x"])
    #expect(
      describeChange(from: before, to: after).flatMap(\.details)
        == [DetailLine(.changed, "name written differently")])
  }

  @Test func `what has no UID beside the event is compared as well`() {
    let (event, one, other) = (
      "SUMMARY:A", "BEGIN:X-C | X-A:1 | END:X-C", "BEGIN:X-C | X-A:2 | END:X-C"
    )
    func words(_ before: [String], _ after: [String]) -> [String] {
      describeChange(
        from: DescribeChangeTests.tree(before), to: DescribeChangeTests.tree(after)
      ).map(\.words)
    }
    #expect(words([event], [event, one]) == ["X-C added"])
    #expect(words([event, one], [event, other]) == ["X-C changed"])
    #expect(words([event, one], [event]) == ["X-C removed"])
    #expect(words([event, one], [one, event]).isEmpty)
  }
}
