public import SyncModel

/// What every storage promises to the engine; a double that breaks it proves nothing.
///
///     @Test(arguments: StorageContract.checks)
///     func `the vdir keeps the storage contract`(check: StorageContract.Check) async throws {
///       try await check.run(on: try VdirFixture())
///     }
public enum StorageContract {
  /// One promise. It throws a `ContractViolation` that names it.
  public struct Check: Sendable, CustomStringConvertible {
    public let name: String
    let body: @Sendable (Bench) async throws -> Void

    public var description: String { name }

    /// Runs the check on a fresh fixture.
    public func run(on fixture: any StorageFixture) async throws {
      try await body(Bench(check: name, fixture: fixture))
    }
  }

  public static let checks: [Check] =
    writingChecks + guardChecks + listingChecks + batchChecks + namingChecks

  /// UIDs that tempt a storage to leave its folder, to cut a name, or to take two for one.
  public static let oddUIDs: [String] = [
    "../x", "..", ".", "/etc/passwd", "a/b", "a\\b", "..%2f..%2fx", "%00", ".hidden", "-rf",
    "x.ics", "CON", "two  spaces ", "\"quoted\" & 'quoted'", "line\nbreak", "semi;colon,comma",
    "tab\there", "caf\u{E9}", "cafe\u{301}", "Case", "case", "CASE",
    String(repeating: "long", count: 75), String(repeating: "long", count: 75) + "er",
    "#hash", "?query=1", "star*", "\u{1F4C5}", "a@example.com", "{braces}", "calgw-", "a~",
  ]

  /// An event in wire form (CRLF, folded) whose only telling part is its summary.
  public static func event(_ uid: String, _ summary: String) -> ItemData {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//storage contract//EN", "BEGIN:VEVENT",
      "UID:" + escaped(uid), "DTSTAMP:20250101T000000Z", "DTSTART:20250301T090000Z",
      "DTEND:20250301T100000Z", "SUMMARY:" + escaped(summary), "END:VEVENT", "END:VCALENDAR",
    ]
    return ItemData(bytes: lines.flatMap { folded($0) + [13, 10] })
  }

  /// RFC 5545 §3.3.11.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case ";": result += "\\;"
      case ",": result += "\\,"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// RFC 5545 §3.1: at most 75 octets a line, never cut within a character.
  private static func folded(_ line: String) -> [UInt8] {
    var result: [UInt8] = []
    var width = 0
    for scalar in line.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if width + bytes.count > 75 {
        result += [13, 10, 32]
        width = 1
      }
      result += bytes
      width += bytes.count
    }
    return result
  }
}
