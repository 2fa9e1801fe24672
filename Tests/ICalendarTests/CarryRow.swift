import TestSupport
import Testing

/// A row of `Fixtures/carry/changes.carry`: what a side had and has, what the other side has, and
/// what comes out there.
struct CarryRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let old: String
  let new: String
  let other: String
  let result: String

  struct Malformed: Error { let row: String }

  static func all() throws -> [CarryRow] {
    try Project.text("Fixtures/carry/changes.carry").split(separator: "\n\n")
      .filter { !$0.hasPrefix("##") }.map(CarryRow.init)
  }

  private init(_ row: Substring) throws {
    let lines = row.split(separator: "\n").map(String.init)
    guard lines.count == 5, lines[0].hasPrefix("# ") else { throw Malformed(row: String(row)) }
    func value(_ name: String, _ line: String) throws -> String {
      guard line.hasPrefix("\(name) ") else { throw Malformed(row: String(row)) }
      return String(line.dropFirst(name.count).drop { $0 == " " })
    }
    testDescription = String(lines[0].dropFirst(2))
    old = try value("had", lines[1])
    new = try value("has", lines[2])
    other = try value("there", lines[3])
    result = try value("→", lines[4])
  }
}
