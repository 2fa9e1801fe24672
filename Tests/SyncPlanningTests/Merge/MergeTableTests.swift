import ICalendar
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// The table of docs/merge.md that says what becomes of each property.
@Suite struct MergeTableTests {
  static func rows() throws -> [[String]] {
    Array(try Project.tables(in: "docs/merge.md")[1].dropFirst())
  }

  private func names(_ cell: String) -> [String] {
    cell.split { !$0.isLetter && $0 != "-" }.map(String.init)
      .filter { $0.count > 2 && $0 == $0.uppercased() }
  }

  private func item(_ lines: [String]) -> SyntaxTree {
    let text =
      ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1"] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
    return SyntaxTree(bytes: Array(text.joined(separator: "\r\n").utf8))
  }

  /// The lines of a property after both sides changed `base` in unlike ways.
  private func merged(
    _ name: String, base: String, _ local: String, _ remote: String, newer: Side
  ) -> [String] {
    let old = item(["\(name):\(base)"])
    let outcome = merge(
      base: BothSides(old, old), local: item(["\(name):\(local)"]),
      remote: item(["\(name):\(remote)"]), times: MergeCase.times(newer: newer.rawValue))
    guard case .merged(let texts) = outcome else { return ["\(outcome)"] }
    return String(decoding: texts.local, as: UTF8.self).split(separator: "\r\n")
      .filter { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `where the side that was edited last holds, it does`() throws {
    let row = try #require(try Self.rows().first { $0[0].hasPrefix("SUMMARY") })
    #expect(row[1].hasPrefix("the side that was edited last holds"))
    #expect(names(row[0]).count >= 8)
    for name in names(row[0]) + ["X-UNKNOWN"] {
      #expect(merged(name, base: "a", "b", "c", newer: .local) == ["b"], "\(name)")
      #expect(merged(name, base: "a", "b", "c", newer: .remote) == ["c"], "\(name)")
    }
  }

  @Test func `sets of words and of lines are united`() throws {
    for (kind, separator) in [("a set of words", ","), ("a set of lines", "\n")] {
      let row = try #require(try Self.rows().first { $0[1].hasPrefix(kind) })
      #expect(!names(row[0]).isEmpty)
      for name in names(row[0]) {
        for newer in Side.allCases {
          // Both took `a` out; each put something in.
          let lines = merged(name, base: "a", "b", "c", newer: newer)
          #expect(
            lines
              == ["b", "c"].joined(separator: separator).split(separator: "\n").map(String.init),
            "\(name)")
        }
      }
    }
  }

  @Test func `counters and times are the highest, the latest, the earliest`() throws {
    let early = "20260101T000000Z"
    let late = "20260103T000000Z"
    let base = "20260102T000000Z"
    let said = Dictionary(
      uniqueKeysWithValues: try Self.rows().map { ($0[0], $0[1]) })
    #expect(said["SEQUENCE"] == "the higher one")
    #expect(said["LAST-MODIFIED"] == "the later one")
    #expect(said["CREATED"] == "the earlier one")
    for newer in Side.allCases {
      #expect(merged("SEQUENCE", base: "1", "10", "9", newer: newer) == ["10"])
      #expect(merged("LAST-MODIFIED", base: base, early, late, newer: newer) == [late])
      #expect(merged("CREATED", base: base, late, early, newer: newer) == [early])
    }
  }
}
