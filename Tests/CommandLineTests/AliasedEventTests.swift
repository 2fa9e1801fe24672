import Foundation
import TestSupport
import Testing

/// A server has one event for all items of one UID, in whichever of its calendars they are.
@Suite struct AliasedEventTests {
  private let pair: TwoCalendars
  private let isBroken = Switch()
  private let breaks = Switch()

  private var calgw: CommandLine { pair.calgw }

  init() throws {
    let (isBroken, breaks) = (isBroken, breaks)
    pair = try TwoCalendars { switches in
      switches.deletesEqualUIDs = true
      switches.moveRefusal = 405
    } answer: { request, steps in
      if isBroken.isOn { return [.answer(500)] }
      let steps = steps()
      guard breaks.isOn, request.method == "DELETE" else { return steps }
      isBroken.turn(true)
      return [.close]
    }
  }

  /// An event in a calendar, and others there and in another one.
  private func fill(_ from: String, _ to: String) async throws {
    for uid in ["dentist", "gym"] {
      try calgw.write("calendars/\(from)/\(uid).ics", event(uid, uid))
    }
    try calgw.write("calendars/\(to)/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
  }

  private func expectQuiet(_ from: String, _ to: String) async throws {
    let again = try await calgw("sync", "--json")
    #expect(again.status == 0 && !again.output.contains("\"deleted\":1"), "\(again.output)")
    #expect(pair.counts(from, to) == [1, 2])
    #expect(
      FileManager.default.fileExists(atPath: "\(calgw.home)/calendars/\(to)/dentist.ics"))
  }

  /// The deletion where it was takes it away where it has just arrived. It is sent again, and no
  /// later run takes its absence for somebody's deletion.
  @Test(arguments: [("private", "work"), ("work", "private")], [false, true])
  func `what was moved stays, also where the run was cut off`(
    way: (from: String, to: String), isCutOff: Bool
  ) async throws {
    try await fill(way.from, way.to)
    try pair.move("dentist", from: way.from, to: way.to)
    breaks.turn(isCutOff)
    let run = try await calgw("sync")
    #expect((run.status == 0) != isCutOff, "\(run.output) \(run.errors)")
    if isCutOff {
      #expect(pair.counts(way.from, way.to) == [1, 1])
      breaks.turn(false)
      isBroken.turn(false)
      let next = try await calgw("sync")
      #expect(next.status == 0, "\(next.output) \(next.errors)")
    }
    try await expectQuiet(way.from, way.to)
  }

  /// Somebody had copied it, and removes the first one.
  @Test(arguments: [("private", "work"), ("work", "private")])
  func `a copy stays where the other one is removed`(from: String, to: String) async throws {
    try await fill(from, to)
    let folders = calgw.home + "/calendars"
    try FileManager.default.copyItem(
      atPath: "\(folders)/\(from)/dentist.ics", toPath: "\(folders)/\(to)/dentist.ics")
    #expect(try await calgw("sync").status == 0)
    #expect(pair.counts(from, to) == [2, 2])
    try FileManager.default.removeItem(atPath: "\(folders)/\(from)/dentist.ics")
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    try await expectQuiet(from, to)
  }
}
