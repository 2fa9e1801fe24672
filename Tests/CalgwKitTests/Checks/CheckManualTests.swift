import CalgwKit
import TestSupport
import Testing

/// docs/check.md says what the program does.
@Suite struct CheckManualTests {
  @Test func `every code is in the manual, with its severity and whether it is mended`() throws {
    let rows = try Project.tables(in: "docs/check.md").filter { $0.first?.count == 4 }
      .flatMap { $0.dropFirst() }
    var written: [String: [String]] = [:]
    for row in rows {
      let code = row[0].trimmingPrefix("`").prefix { $0 != "`" }
      #expect(written[String(code)] == nil, "\(code) twice")
      written[String(code)] = row
    }
    #expect(Set(written.keys) == Set(CheckCode.allCases.map(\.rawValue)))
    for code in CheckCode.allCases {
      #expect(written[code.rawValue]?[1] == code.severity.rawValue, "\(code.rawValue)")
      #expect((written[code.rawValue]?[3] == "•") == (code.mend != nil), "\(code.rawValue)")
    }
  }
}
