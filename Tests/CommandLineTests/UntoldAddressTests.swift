import Foundation
import TestSupport
import Testing

/// A server that stores a new item at an address of its own, of which it says nothing, and makes
/// its own of the text, as DavMail does: what it leaves out, and what it makes of the rest, is no
/// edit of anybody's.
@Suite struct UntoldAddressTests {
  private static let title = "The yearly meeting of all who keep a calendar"

  private static func world(
    _ tag: ModelSwitches.PutTag, listsDeltas: Bool, limit: Int? = 32,
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.choosesNames = true
    switches.tellsNames = false
    switches.truncatesAt = limit
    switches.putTag = tag
    switches.hasSyncCollection = listsDeltas
    return try FolderAndCalendar(switches: switches, answer: answer)
  }

  @Test(arguments: [ModelSwitches.PutTag.strong, .none, .weak], [true, false])
  func `what it cut off stays in the folder, and is no conflict`(
    tag: ModelSwitches.PutTag, listsDeltas: Bool
  ) async throws {
    let pair = try Self.world(tag, listsDeltas: listsDeltas)
    let sent = event("yearly", Self.title)
    try pair.write("yearly.ics", sent)
    let first = try await pair.sync()
    #expect(first.run.errors.isEmpty, "\(first.run.errors)")
    #expect(first.writes.map(\.method) == ["PUT"])
    for _ in 1...2 {
      let later = try await pair.sync()
      #expect(later.writes.isEmpty && pair.text("yearly.ics") == sent)
    }
    // An edit of something else goes there, and takes nothing away here.
    let edited = sent.replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT")
    try pair.write("yearly.ics", edited)
    #expect(try await pair.sync().writes.map(\.method) == ["PUT"])
    #expect(pair.text("yearly.ics") == edited)
    let there = pair.model.items(in: FolderAndCalendar.path).values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(there.count == 1 && there.allSatisfy { $0.contains("LOCATION:Hall") }, "\(there)")
  }

  /// The tag is not that of what was sent.
  @Test func `what another client has stored of the UID meanwhile is a conflict`() async throws {
    let model = ModelServer(ModelSwitches(), surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { request in
      guard request.method == "PUT" else { return model.steps(for: request) }
      model.put(
        "theirs.ics", event("yearly", "The").replacing("T100000Z", with: "T120000Z"),
        in: FolderAndCalendar.path)
      return [.answer(201, headers: ["ETag": "\"mine\""])]
    }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "")
    try calgw.write("calendars/work/yearly.ics", event("yearly", Self.title))
    let run = try await calgw.run(["sync"])
    #expect(run.status == 1 && run.errors.contains("conflict"), "\(run.output) \(run.errors)")
  }
}
