import Foundation
import Testing

/// What `diff --remote --json` says of an item that one side has deleted.
@Suite struct DiffRemainsTests {
  @Test func `it has what the other side changed`() async throws {
    let folders = try TwoFolders()
    for uid in ["choir", "dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/choir.ics")
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/two/work/dentist.ics")
    try folders.write("one", "dentist", at: 11, "dentist")
    try folders.write("one", "gym", at: 11, "gym")
    let lines = try await folders.calgw("diff", "--remote", "--json").output.split(separator: "\n")
    var remains: [String: [String: Any]] = [:]
    for line in lines {
      let entry = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let uid = try #require(entry["uid"] as? String)
      remains[uid] = entry["remains"] as? [String: Any]
    }
    #expect(lines.count == 3)
    #expect(remains.keys.sorted() == ["choir", "dentist"])
    #expect(remains["choir"]?["side"] as? String == "remote")
    #expect((remains["choir"]?["changes"] as? [Any])?.isEmpty == true)
    #expect(remains["dentist"]?["side"] as? String == "local")
    let changes = remains["dentist"]?["changes"] as? [[String: Any]]
    #expect(changes?.first?["property"] as? String == "DTSTART", "\(lines)")
  }

  @Test(arguments: [["diff"], ["diff", "--remote"]])
  func `a conflict is said with what to do about it`(arguments: [String]) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "gym", at: 10, "gym")
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "gym", at: 11, "gym")
    try folders.write("two", "gym", at: 12, "gym")
    #expect(try await folders.calgw("sync").status == 1)
    let shown = try await folders.calgw.run(arguments)
    #expect(shown.output.contains("conflict it cannot be merged"), "\(shown.output)")
    #expect(shown.output.contains("do: run `calgw resolve gym`"), "\(shown.output)")
  }
}
