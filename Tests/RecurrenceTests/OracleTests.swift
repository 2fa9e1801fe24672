import Foundation
import ICalendar
import Recurrence
import Testing

/// The part of `Scripts/oracle` that is ours: expands the rules of the file that the environment
/// names, so that the script can compare.
@Suite struct OracleTests {
  private static let input = ProcessInfo.processInfo.environment["CALGW_ORACLE_RULES"]

  /// Each line is a start, a rule and a number, with tabs; the answer is a line of so many
  /// occurrences in seconds from 1970 on the wall, then, after a tab, why there are no more.
  @Test(.enabled(if: input != nil, "run by Scripts/oracle"))
  func `rules are expanded for Scripts/oracle`() throws {
    let path = try #require(Self.input)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var answers = ""
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t").map { Array($0.utf8) }
      try #require(fields.count == 3)
      var notes: [ValueNote] = []
      let start = try DateTime.read(fields[0], notes: &notes)
      let rule = try RecurrenceRule.read(fields[1], notes: &notes)
      let limit = try #require(Int(String(decoding: fields[2], as: UTF8.self)))
      var expansion = RuleExpansion(rule, start: start)
      var found: [String] = []
      while found.count < limit, let second = expansion.next() { found.append(String(second)) }
      let end = expansion.end.map { "\($0)" } ?? ""
      answers += found.joined(separator: ",") + "\t" + end + "\n"
    }
    try answers.write(toFile: path + ".answers", atomically: true, encoding: .utf8)
  }
}
