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
      #expect(row.first.flatMap { Int($0[2]) } ?? 0 >= 1_000, "\(fault.name) came up")
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
      "There are \(stories + scenarios) written ones: \(stories) of `Fixtures/stories`, and"
      + " \(scenarios) of `Fixtures/sync`, which are played on storages in memory as well."
    #expect(try report().contains(sentence), "\(sentence)")
  }

  @Test func `each deliberate break has a row that says what it does`() throws {
    let ending = ".mutant"
    let breaks = try Project.files(in: "Tests/Mutants", endingIn: ending).map { file in
      let title = try Project.text("Tests/Mutants/" + file).split(separator: "\n").first
      return ["`\(file.dropLast(ending.count))`", "\(title?.dropFirst(2) ?? "")"]
    }
    let table = try #require(
      try Project.tables(in: "docs/reliability.md").first { $0.first?.first == "break" })
    #expect(table.dropFirst().map { Array($0.prefix(2)) } == breaks)
    let noticed = table.dropFirst().map { $0.dropFirst(2).joined() }
    #expect(noticed.allSatisfy { !$0.isEmpty })
    #expect(try report().contains("There are \(breaks.count). "))
  }
}
