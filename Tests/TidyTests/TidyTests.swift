import TestSupport
import Testing

extension Rule: CustomTestStringConvertible {
  var testDescription: String { description }
}

/// The rules of docs/testing.md, held against this checkout.
@Suite struct TidyTests {
  static let repository = Repository(root: Checkout.root)

  @Test(arguments: Rule.all)
  func `the repository keeps the rule`(rule: Rule) {
    for finding in rule.findings(Self.repository) { Issue.record("\(finding)") }
  }

  @Test func `the rules see the sources, the tests and the documents`() {
    let paths = Self.repository.files.map(\.path)
    let samples = [
      "Package.swift", "Sources/SyncModel/Items/Side.swift", "Tests/TidyTests/TidyTests.swift",
      "Scripts/test", "README.md",
    ]
    #expect(samples.filter { !paths.contains($0) } == [])
    #expect(paths.filter { $0.hasPrefix(".build/") } == [])
  }
}
