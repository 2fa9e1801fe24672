import Foundation
import TestSupport
import Testing

/// A server lets no two items of an account have one UID, and refuses a new one because of an item
/// in another calendar.
@Suite struct FreedUIDTests {
  /// Whichever calendar comes first, and whether one run deals with both: what has made room is in
  /// the log, and so a run that was cut off between the two makes no difference.
  @Test(arguments: [("private", "work"), ("work", "private")], [true, false])
  func `it is sent at once where the other one is gone`(
    way: (from: String, to: String), inOneRun: Bool
  ) async throws {
    let pair = try TwoCalendars { switches in
      switches.uidConflictStatus = 403
      switches.uidsSpanCalendars = true
    }
    let (calgw, model) = (pair.calgw, pair.model)
    try calgw.write("calendars/\(way.from)/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("calendars/\(way.from)/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/\(way.to)/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    try calgw.write("calendars/\(way.to)/dentist.ics", event("dentist", "Dentist"))
    for _ in 0..<2 {
      let refused = try await calgw("sync")
      #expect(refused.status == 1, "\(refused.output)")
      #expect(refused.errors.contains("another item of this UID"), "\(refused.errors)")
      let mend = "remove one of the two files, or give one a new UID: p/\(way.from) has it"
      #expect(refused.errors.contains(mend), "\(refused.errors)")
    }

    // As the mend says, and in the server's own pages.
    let path = ModelServer.homePath + way.from + "/"
    let there = try #require(
      model.items(in: path).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:dentist")
      })
    model.remove(there.key, in: path)
    for target in inOneRun ? ["p"] : ["p/\(way.from)", "p/\(way.to)"] {
      let run = try await calgw("sync", target)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
    }
    #expect(pair.counts(way.from, way.to) == [1, 2])
    let quiet = try await calgw("sync", "--json")
    #expect(quiet.status == 0 && !quiet.output.contains("\"created\":1"), "\(quiet.output)")
  }

  @Test func `between two servers no mend speaks of files`() async throws {
    let here = ModelServer(surroundings: ModelClock().surroundings)
    var switches = ModelSwitches()
    switches.uidConflictStatus = 403
    switches.uidsSpanCalendars = true
    let there = ModelServer(switches, surroundings: ModelClock().surroundings)
    for name in ["private", "work"] {
      let path = here.makeCalendar(name)
      here.put("gym.ics", event("gym", "Gym"), in: path)
    }
    let pair = try TwoServers([here, there], pair: "")
    _ = try await pair.calgw("sync")
    let refused = try await pair.calgw("sync")
    #expect(refused.status == 1, "\(refused.output) \(refused.errors)")
    #expect(refused.errors.contains("another item of this UID"), "\(refused.errors)")
    let mend = "delete one of the two where they come from, or give one a new UID there: p/"
    #expect(refused.errors.contains(mend), "\(refused.errors)")
    #expect(!refused.errors.contains("two files"), "\(refused.errors)")
  }
}
