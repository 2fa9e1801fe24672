import Foundation
import TestSupport
import Testing

/// What `doctor` says of writes of which the journal does not know what became of them.
@Suite struct DoctorJournalTests {
  /// Yahoo stores some items, lists them, and never gives them.
  @Test func `a write whose outcome cannot be seen is named with the item and the mend`()
    async throws
  {
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      request.method == "GET" ? [.answer(404)] : steps
    }
    try world.write("n.ics", event("n", "New one"))
    for _ in 0..<2 { #expect(try await world.calgw("sync").status == 1) }
    let found = try await world.calgw("doctor")
    #expect(found.status == 0)
    let lines = found.output.split(separator: "\n").map { String($0) }
    let place = try #require(lines.firstIndex { $0.contains("warning journal: ") })
    let line = lines[place]
    #expect(line.contains("has taken what became of \"New one\" cannot be seen"), "\(line)")
    let mend = lines[(place + 1)...].first { $0.contains("do:") }
    for words in [FolderAndCalendar.path, "correct it or remove it"] {
      #expect(mend?.contains(words) == true, "\(found.output)")
    }
    #expect(!found.output.contains("cut off"), "\(found.output)")
  }
}
