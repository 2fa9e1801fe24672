import Foundation
import Simulation
import TestSupport
import Testing

/// What docs/reliability.md says of the simulator, against what there is.
@Suite struct ReportTests {
  private func report() throws -> String {
    try String(contentsOfFile: Checkout.root + "/docs/reliability.md", encoding: .utf8)
  }

  @Test func `each fault has a row with its title and its count`() throws {
    let rows = try report().split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for fault in FaultTable.entries {
      let row = rows.filter { $0.first == fault.name && $0.count == 3 }
      #expect(row.count == 1 && row.first?[1] == fault.title, "\(fault.name) \(fault.title)")
      #expect(row.first.flatMap { Int($0[2]) } ?? 0 > 0, "\(fault.name) came up")
    }
  }

  @Test func `the tests that prove a promise are there`() throws {
    let table = try #require(try report().split(separator: "| name | promise | tests |").last)
    let names = table.prefix { $0 != "#" }.split(separator: "\n").prefix { $0.hasPrefix("|") }
      .flatMap { $0.split(separator: "|").last?.split(separator: "`") ?? [] }
      .filter { $0.contains("/") && !$0.contains(" ") && !$0.hasPrefix("Fixtures/") }
    #expect(names.count > 50)
    for name in names {
      let path = "\(Checkout.root)/Tests/\(name).swift"
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }

  @Test func `it counts the written stories`() throws {
    func count(_ folder: String, _ ending: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: Checkout.root + "/Fixtures/" + folder)
        .count { $0.hasSuffix(ending) }
    }
    let (stories, scenarios) = (try count("stories", ".story"), try count("sync", ".scenario"))
    let sentence =
      "There are \(stories + scenarios) written ones: \(stories) of `Fixtures/stories` on the"
      + " production storages, \(scenarios) of `Fixtures/sync` on storages in memory."
    #expect(try report().contains(sentence), "\(sentence)")
  }
}
