import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A person gives a file another name, and its old name to a new item, while the item itself is not
/// settled: what both sides shared of it is not lost over that.
@Suite struct TakenNameTests {
  private func event(_ summary: String, at hour: String) -> String {
    ModelPair.event("a", summary).replacing("T090000Z", with: "T\(hour)0000Z")
  }

  @Test func `a conflict that waits keeps its base`() async throws {
    let pair = ModelPair()
    pair.putFile("a", event("A", at: "09"))
    try await pair.settle()
    pair.putFile("a", event("A", at: "07"))
    pair.putRemote("a", event("A", at: "08"))
    #expect(try await pair.sync().conflicts.map(\.reason) == [.schedule])
    pair.folder.put(Href("renamed.ics"), ItemData(bytes: Array(event("A", at: "07").utf8)))
    pair.putFile("a", ModelPair.event("b", "New"))
    #expect(try await pair.sync().conflicts.map(\.reason) == [.schedule])
    #expect(pair.summaries("b") == "New|New")
    // The person here takes the start back: what is left are edits of two properties.
    pair.folder.put(Href("renamed.ics"), ItemData(bytes: Array(event("B", at: "09").utf8)))
    let report = try await pair.sync()
    #expect(report.conflicts.isEmpty)
    #expect(pair.summaries("a") == "B|B")
    #expect(pair.remotes("a").first?.contains("DTSTART:20260301T080000Z") == true)
    try await pair.expectSilence()
  }

  @Test func `an item that is moved over a deleted one does not bring that back`() async throws {
    let pair = ModelPair()
    for uid in ["a", "b"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeFile("b")
    pair.folder.put(Href("b.ics"), ItemData(bytes: Array(ModelPair.event("a", "B").utf8)))
    pair.putFile("a", ModelPair.event("n", "N"))
    pair.server.plan(.answer(500), for: "DELETE")
    for _ in 0..<3 { try await pair.sync() }
    #expect(pair.summaries("b") == "-|-")
    #expect(pair.summaries("a") == "B|B" && pair.summaries("n") == "N|N")
    try await pair.expectSilence()
  }
}
