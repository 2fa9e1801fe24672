import Foundation
import TestSupport
import Testing

/// Mappings in `collections` over which a sync ends: `doctor` finds them before it does.
@Suite struct DoctorMappingTests {
  private let doctor: DoctorRuns
  private let server: ScriptedServer

  init() throws {
    doctor = try DoctorRuns()
    let model = ModelServer(surroundings: ModelClock().surroundings)
    for name in ["first", "second"] { model.makeCalendar(name, displayName: "Same") }
    server = try ScriptedServer { model.steps(for: $0) }
  }

  private func map(_ mappings: String) throws {
    try doctor.configure(server.url, pairKeys: "collections = [\(mappings)]")
  }

  /// Before the first sync, and after one that ended with it.
  @Test(
    arguments: [
      ("{ q = \"Same\" }", ["2 calendars are called so"], "\"first\" } or { q = \"second\" }"),
      (
        "{ q = \"first\" }, { r = \"first\" }",
        ["one calendar for several folders; q", "one calendar for several folders; r"], "keep one"
      ),
    ] as [(String, [String], String)])
  func `each is a failure in the words of the sync`(
    mappings: String, words: [String], mend: String
  ) async throws {
    try map(mappings)
    for _ in 0..<2 {
      let found = try await doctor.findings()
      #expect(found.status == 78)
      let failed = found.lines.filter { $0.result == "failed" }
      #expect(failed.map(\.step) == words.map { _ in "collections" })
      for (line, words) in zip(failed, words) {
        #expect(line.status == 78 && line.message.contains(words), "\(line.message)")
        #expect(line.hint.contains(mend), "\(line.hint)")
      }
      #expect(try await doctor.calgw("sync").status == 78)
    }
  }

  @Test func `those that are clear are no finding`() async throws {
    try map("{ q = \"first\" }, { r = \"second\" }")
    for _ in 0..<2 {
      let found = try await doctor.findings()
      #expect(found.status == 0)
      #expect(!found.lines.contains { $0.step == "collections" })
      #expect(try await doctor.calgw("sync").status == 0)
    }
  }
}
