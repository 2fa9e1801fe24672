import CalgwKit
import Foundation
import Testing

/// Pairs of calendars in one text whose addresses end in one name, and their directories.
@Suite struct SharedFolderTests {
  /// What is wrong with two pairs of these directories below a folder; nil where nothing is.
  private func fault(_ one: String, _ two: String, in folder: TemporaryFolder) -> String? {
    let text = """
      [pair.one]
      local = "\(folder.path)/\(one)"
      remote = { ics = "https://one.example.org/basic.ics" }
      [pair.two]
      local = "\(folder.path)/\(two)"
      remote = { file = "/two/basic.ics" }
      """
    do {
      _ = try Configuration.parse(
        text: Array(text.utf8), file: "config.toml", environment: .home)
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: ["cal/", "./cal", "cal/../cal", "link", "link/"])
  func `a directory is one however its path is spelled`(spelling: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("cal/basic/a.ics", "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "cal")
    for (one, two) in [("cal", spelling), (spelling, "cal")] {
      let words = try #require(fault(one, two, in: folder), "\(spelling)")
      #expect(words.contains("the pairs one and two would share the folder"), "\(words)")
    }
  }

  @Test(arguments: ["cal/", "new/../cal", "cal/../cal", "new/sub/../../cal"])
  func `so is one that is not there yet`(spelling: String) throws {
    #expect(try fault("cal", spelling, in: TemporaryFolder()) != nil)
  }

  @Test func `what a link leads elsewhere, or nowhere, is another one`() throws {
    let folder = try TemporaryFolder()
    for name in ["cal", "deep/other"] { try folder.write("\(name)/basic/a.ics", "") }
    for (link, target) in [("link", "deep/other"), ("gone", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: target)
      #expect(fault("cal", link, in: folder) == nil, "\(link)")
      #expect(fault("cal", "\(link)/../cal", in: folder) == nil, "\(link)")
    }
    #expect(fault("deep", "link/..", in: folder) != nil)
  }
}
