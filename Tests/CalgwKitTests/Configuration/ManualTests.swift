import CalgwKit
import TestSupport
import Testing

@Suite struct ManualTests {
  @Test(arguments: Set(KnownKeys.all).sorted())
  func `every key is in the manual`(key: String) throws {
    let manual = try Project.text("docs/configuration.md")
    #expect(
      manual.contains("`\(key)`") || manual.contains("{ \(key) = ")
        || manual.contains(", \(key) = "))
  }

  @Test(arguments: CalgwKit.ExitStatus.allCases)
  func `every exit status is in the manual`(status: CalgwKit.ExitStatus) throws {
    // A file on the command line that is no calendar: no command of this version takes one.
    if status == .badInput { return }
    #expect(try Project.text("docs/cli.md").contains("\(status.rawValue)"))
  }

  @Test(arguments: [("docs/configuration.md", 5), ("docs/sign-in.md", 2)])
  func `the examples of the manual are configurations`(document: String, count: Int) throws {
    let manual = try Project.text(document)
    let blocks = manual.split(separator: "```toml\n").dropFirst().compactMap {
      $0.split(separator: "\n```").first.map(String.init)
    }
    #expect(blocks.count == count)
    for block in blocks where block.contains("[") && !block.hasPrefix("collections") {
      let configuration = try Configuration.parse(
        text: Array(block.utf8), file: "config.toml", environment: .home)
      #expect(configuration.pairs.count == 1)
    }
  }
}
