import Foundation
import TestSupport
import Testing

/// What was moved between the folders of two calendars here, and edited on the server before the
/// next sync, where the server moves nothing and no two items of an account have one UID.
@Suite struct CarriedWithEditTests {
  /// How a second item of a UID is refused.
  struct Refusal: Sendable {
    var status: Int
    var element: String?
  }

  /// A server that does so, with an event that is moved here from one calendar to another, edited
  /// there, and one more in each.
  private struct Bench {
    let pair: TwoCalendars
    let from: String
    let to: String

    var calgw: CommandLine { pair.calgw }
    var model: ModelServer { pair.model }

    init(
      _ from: String = "private", _ to: String = "work", move: Int = 405,
      refusing refusal: Refusal = Refusal(status: 403, element: "no-uid-conflict"),
      keys: String = ""
    ) throws {
      (self.from, self.to) = (from, to)
      pair = try TwoCalendars(keys: keys) { switches in
        switches.moveRefusal = move
        switches.uidConflictStatus = refusal.status
        switches.uidConflictElement = refusal.element
        switches.uidsSpanCalendars = true
      }
    }

    func fill(_ text: String = event("review", "Review")) async throws {
      try calgw.write("calendars/\(from)/review.ics", text)
      try calgw.write("calendars/\(from)/gym.ics", event("gym", "Gym"))
      try calgw.write("calendars/\(to)/choir.ics", event("choir", "Choir"))
      #expect(try await calgw("sync").status == 0)
      try pair.move("review", from: from, to: to)
      let path = ModelServer.homePath + from + "/"
      let there = try #require(
        model.items(in: path).first {
          String(decoding: $0.value, as: UTF8.self).contains("UID:review")
        })
      let edited = String(decoding: there.value, as: UTF8.self)
        .replacing("SUMMARY:Review", with: "SUMMARY:Second review")
      model.put(there.key, Array(edited.utf8), in: path)
      model.forgetRequests()
    }

    /// A run that ends right after the event has left the old calendar.
    func endOnceItIsGone() async throws {
      let isGone = Switch()
      model.interfere { request in
        if request.method == "DELETE" {
          isGone.turn(true)
          return nil
        }
        return isGone.isOn ? .answer(500) : nil
      }
      let cut = try await calgw("sync")
      #expect(cut.status != 0, "\(cut.output) \(cut.errors)")
      #expect(counts == [1, 1])
      model.interfere(nil)
    }

    var counts: [Int] { pair.counts(from, to) }

    func file(in name: String) throws -> String {
      try String(contentsOfFile: "\(calgw.home)/calendars/\(name)/review.ics", encoding: .utf8)
    }

    /// It is in the new calendar on both sides, with these lines, and nowhere else.
    func expectMoved(
      _ lines: [String] = ["SUMMARY:Second review"], at place: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(counts == [1, 2], sourceLocation: place)
      try await expectOnce(in: to, lines, notIn: [from], at: place)
    }

    /// It is in this calendar on both sides, with these lines, in no other folder, and nothing is
    /// left to do.
    func expectOnce(
      in name: String, _ lines: [String], notIn others: [String],
      at place: SourceLocation = #_sourceLocation
    ) async throws {
      let here = try file(in: name)
      let there = model.items(in: ModelServer.homePath + name + "/").values
        .map { String(decoding: $0, as: UTF8.self) }
      for line in lines {
        #expect(here.contains(line), "\(here)", sourceLocation: place)
        #expect(there.contains { $0.contains(line) }, "\(there)", sourceLocation: place)
      }
      for other in others {
        #expect(!calgw.exists("calendars/\(other)/review.ics"), sourceLocation: place)
      }
      model.forgetRequests()
      let quiet = try await calgw("sync")
      #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)", sourceLocation: place)
      #expect(model.count("PUT") + model.count("DELETE") == 0, sourceLocation: place)
    }
  }

  /// Whichever calendar comes first. What says why it refuses the item, and what does not.
  @Test(
    arguments: [("private", "work"), ("work", "private")],
    [
      (405, Refusal(status: 403, element: "no-uid-conflict")),
      (403, Refusal(status: 409, element: "no-uid-conflict")),
      (501, Refusal(status: 412, element: nil)),
    ])
  func `goes with that edit, and is there once`(
    way: (from: String, to: String), refusal: (move: Int, uid: Refusal)
  ) async throws {
    let bench = try Bench(way.from, way.to, move: refusal.move, refusing: refusal.uid)
    try await bench.fill()
    let run = try await bench.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(run.output.contains("p/\(way.to): down: 1 changed; up: 1 new"), "\(run.output)")
    #expect(run.output.contains("p/\(way.from): up: 1 deleted"), "\(run.output)")
    let deletions = bench.pair.server.requests.filter { $0.method == "DELETE" }
    #expect(deletions.count == 1 && deletions.allSatisfy { $0.header("If-Match") != nil })
    let log = try await bench.calgw("log", "review", "--json", "--content")
    let line = log.output.split(separator: "\n").first { $0.contains("\"action\":\"deleted\"") }
    #expect(line?.contains("SUMMARY:Second review") == true, "\(log.output)")
    try await bench.expectMoved()
  }

  @Test func `is merged with what was edited here as well`() async throws {
    let bench = try Bench()
    try await bench.fill()
    try bench.calgw.write(
      "calendars/work/review.ics",
      event("review", "Review").replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT"))
    let run = try await bench.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    try await bench.expectMoved(["SUMMARY:Second review", "LOCATION:Hall"])
  }

  /// The edit is on no side then: sent from the folder, the event would be without it.
  @Test func `also where the run ends right after it has left the old calendar`() async throws {
    let bench = try Bench()
    try await bench.fill()
    try await bench.endOnceItIsGone()
    let run = try await bench.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    try await bench.expectMoved()
  }

  /// Sent back as well, it would be in both calendars, or be said to be in neither.
  @Test func `also where nobody knows whether the new calendar has it`() async throws {
    let bench = try Bench()
    try await bench.fill()
    let (isGone, isSent) = (Switch(), Switch())
    bench.model.interfere { request in
      if request.method == "DELETE" { isGone.turn(true) }
      guard isGone.isOn, request.method == "PUT", !isSent.isOn else { return nil }
      isSent.turn(true)
      return .actThenAnswer(502)
    }
    let cut = try await bench.calgw("sync")
    #expect(cut.status == 69, "\(cut.output) \(cut.errors)")
    #expect(cut.errors.contains("may be in neither"), "\(cut.errors)")
    #expect(!cut.errors.contains("remove this file"), "\(cut.errors)")
    let methods = bench.model.requests.map(\.method)
    #expect(methods.drop { $0 != "DELETE" }.count { $0 == "PUT" } == 1, "\(methods)")
    #expect(bench.counts == [1, 2])
    bench.model.interfere(nil)
    let run = try await bench.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    try await bench.expectMoved()
  }

  /// What is on its way to a collection goes on to it under its new name.
  @Test func `also where the folder to which it goes is renamed then`() async throws {
    let bench = try Bench()
    try await bench.fill()
    try await bench.endOnceItIsGone()
    let folders = bench.calgw.home + "/calendars"
    try FileManager.default.moveItem(atPath: folders + "/work", toPath: folders + "/office")
    let run = try await bench.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(bench.counts == [1, 2], "\(run.output) \(run.errors)")
    #expect(try bench.file(in: "office").contains("SUMMARY:Second review"))
    #expect(!bench.calgw.exists("calendars/private/review.ics"))
  }

  /// It goes on to the third one, whether the server has that by then or not.
  @Test(arguments: [true, false])
  func `also where its file is moved on to a third calendar then`(isThere: Bool) async throws {
    let bench = try Bench()
    if isThere { bench.model.makeCalendar("archive") }
    try await bench.fill()
    try await bench.endOnceItIsGone()
    try bench.calgw.write(
      "calendars/work/review.ics",
      event("review", "Review").replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT"))
    try bench.pair.move("review", from: "work", to: "archive")
    let run = try await bench.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(bench.pair.counts("archive", "private", "work") == [1, 1, 1], "\(run.output)")
    try await bench.expectOnce(
      in: "archive", ["SUMMARY:Second review", "LOCATION:Hall"], notIn: ["private", "work"])
  }

  /// In that run, or in the next one where it ends as soon as it has sent the text.
  @Test(arguments: [("private", "work"), ("work", "private")], [false, true])
  func `goes back with that edit, where its file is moved back then`(
    way: (from: String, to: String), isCutOff: Bool
  ) async throws {
    let bench = try Bench(way.from, way.to)
    try await bench.fill()
    try await bench.endOnceItIsGone()
    try bench.calgw.write(
      "calendars/\(way.to)/review.ics",
      event("review", "Review").replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT"))
    try bench.pair.move("review", from: way.to, to: way.from)
    if isCutOff {
      let isSent = Switch()
      bench.model.interfere { request in
        if isSent.isOn { return .answer(500) }
        if request.method == "PUT" { isSent.turn(true) }
        return nil
      }
      let cut = try await bench.calgw("sync")
      #expect(cut.status != 0 && isSent.isOn, "\(cut.output) \(cut.errors)")
      #expect(bench.counts == [2, 1])
      bench.model.interfere(nil)
    }
    let run = try await bench.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(bench.counts == [2, 1], "\(run.output) \(run.errors)")
    try await bench.expectOnce(
      in: way.from, ["SUMMARY:Second review", "LOCATION:Hall"], notIn: [way.to])
  }

  /// As where it changes once more just before it is deleted.
  @Test func `waits where the old calendar does not let it go, and goes with the next run`()
    async throws
  {
    let bench = try Bench()
    try await bench.fill()
    bench.model.plan(.answer(412), for: "DELETE")
    let held = try await bench.calgw("sync")
    #expect(held.status == 1, "\(held.output) \(held.errors)")
    #expect(held.errors.contains("moved out of p/private, and stays there"), "\(held.errors)")
    #expect(bench.counts == [2, 1] && !bench.calgw.exists("calendars/private/review.ics"))
    let run = try await bench.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    try await bench.expectMoved()
  }

  /// To delete it there might call it off. The mend is one: its file goes back, and gets the edit.
  @Test(arguments: [
    Refusal(status: 403, element: "no-uid-conflict"), Refusal(status: 412, element: nil),
  ])
  func `stays where it is a meeting, and can be moved back`(refusal: Refusal) async throws {
    let meeting = event("review", "Review").replacing(
      "END:VEVENT",
      with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT")
    let bench = try Bench(refusing: refusal, keys: "invitations = \"server\"\n")
    try await bench.fill(meeting)
    for _ in 0..<2 {
      let run = try await bench.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("move its file back to p/private"), "\(run.errors)")
      #expect(bench.counts == [2, 1] && bench.model.count("DELETE") == 0)
      #expect(!bench.calgw.exists("calendars/private/review.ics"))
    }
    try bench.pair.move("review", from: "work", to: "private")
    let back = try await bench.calgw("sync")
    #expect(back.status == 0, "\(back.output) \(back.errors)")
    #expect(try bench.file(in: "private").contains("SUMMARY:Second review"))
    let quiet = try await bench.calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
    #expect(bench.counts == [2, 1] && bench.model.count("DELETE") == 0)
  }
}
