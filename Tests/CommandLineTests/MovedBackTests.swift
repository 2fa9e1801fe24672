import Foundation
import TestSupport
import Testing

/// A file that somebody moves back into its old calendar before the move to the new one was
/// finished. That the server has the item in the old one no more is no deletion.
@Suite struct MovedBackTests {
  private func fill(_ pair: TwoCalendars) async throws {
    for uid in ["review", "gym"] {
      try pair.calgw.write("calendars/private/\(uid).ics", event(uid, uid))
    }
    try pair.calgw.write("calendars/work/choir.ics", event("choir", "choir"))
    #expect(try await pair.calgw("sync").status == 0)
    try pair.move("review", from: "private", to: "work")
    pair.model.forgetRequests()
  }

  private func writes(_ pair: TwoCalendars) -> [String] {
    pair.model.requests.map(\.method).filter { ["PUT", "DELETE", "MOVE"].contains($0) }
  }

  /// The item is in its old calendar, here and there, and nowhere else.
  private func expectBack(
    _ pair: TwoCalendars, at place: SourceLocation = #_sourceLocation
  ) async throws {
    let before = writes(pair)
    let quiet = try await pair.calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)", sourceLocation: place)
    #expect(writes(pair) == before, sourceLocation: place)
    #expect(pair.counts("private", "work") == [2, 1], sourceLocation: place)
    for (name, count) in [("private", 2), ("work", 1)] {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: "\(pair.calgw.home)/calendars/\(name)")
      #expect(files.filter { $0.hasSuffix(".ics") }.count == count, sourceLocation: place)
    }
  }

  /// The new calendar has it on both sides, the run ends before the old one forgot it, and then its
  /// file is moved back.
  private func moveBackOnceItIsThere(_ pair: TwoCalendars) async throws {
    try await fill(pair)
    let (isMoved, isThere) = (Switch(), Switch())
    pair.model.interfere { request in
      if request.method == "MOVE" {
        isMoved.turn(true)
      } else if isMoved.isOn, request.url.contains("/work/") {
        isThere.turn(true)
      }
      return isThere.isOn && request.url.contains("/private/") ? .answer(500) : nil
    }
    let cut = try await pair.calgw("sync")
    #expect(cut.status != 0, "\(cut.output) \(cut.errors)")
    #expect(isThere.isOn && pair.counts("private", "work") == [1, 2])
    pair.model.interfere(nil)
    try pair.move("review", from: "work", to: "private")
  }

  @Test func `is moved back there, where the run was cut off`() async throws {
    let pair = try TwoCalendars()
    try await moveBackOnceItIsThere(pair)
    let run = try await pair.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes(pair) == ["MOVE", "MOVE"])
    try await expectBack(pair)
  }

  /// Which sees that it is in another one, and does not move it from there.
  @Test func `stays here in a run over the old calendar alone`() async throws {
    let pair = try TwoCalendars()
    try await moveBackOnceItIsThere(pair)
    let alone = try await pair.calgw("sync", "p/private")
    #expect(alone.status == 1, "\(alone.output) \(alone.errors)")
    #expect(alone.errors.contains("it was moved here from p/work"), "\(alone.errors)")
    #expect(pair.calgw.exists("calendars/private/review.ics") && writes(pair) == ["MOVE"])
    let run = try await pair.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes(pair) == ["MOVE", "MOVE"])
    try await expectBack(pair)
  }

  /// The same moment, in which the run goes on.
  @Test func `is moved back there, where it came back before the old calendar was looked at`()
    async throws
  {
    let pair = try TwoCalendars()
    try await fill(pair)
    let (isMoved, isThere, isBack) = (Switch(), Switch(), Switch())
    pair.model.interfere { request in
      if request.method == "MOVE" {
        isMoved.turn(true)
      } else if isMoved.isOn, request.url.contains("/work/") {
        isThere.turn(true)
      } else if isThere.isOn, !isBack.isOn, request.url.contains("/private/") {
        isBack.turn(true)
        try? pair.move("review", from: "work", to: "private")
      }
      return nil
    }
    let first = try await pair.calgw("sync")
    #expect(first.status == 0 && isBack.isOn, "\(first.output) \(first.errors)")
    pair.model.interfere(nil)
    let run = try await pair.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes(pair) == ["MOVE", "MOVE"])
    try await expectBack(pair)
  }

  /// A server that moves nothing, and takes no second item of a UID.
  private func refusingPair() throws -> TwoCalendars {
    try TwoCalendars(keys: "invitations = \"server\"\n") { switches in
      switches.moveRefusal = 405
      switches.uidConflictStatus = 412
      switches.uidConflictElement = nil
      switches.uidsSpanCalendars = true
    }
  }

  /// It has left the old calendar, and did not come to the new one; then its file is moved back.
  private func moveBackFromNowhere(_ pair: TwoCalendars) async throws {
    try await fill(pair)
    let isGone = Switch()
    pair.model.interfere { request in
      if request.method == "DELETE" {
        isGone.turn(true)
        return nil
      }
      return isGone.isOn ? .answer(500) : nil
    }
    let cut = try await pair.calgw("sync")
    #expect(cut.status != 0, "\(cut.output) \(cut.errors)")
    #expect(pair.counts("private", "work") == [1, 1])
    pair.model.interfere(nil)
    try pair.move("review", from: "work", to: "private")
  }

  /// Its file is all that there is of it.
  @Test func `stays here as long as the new calendar does not say that it has it`() async throws {
    let pair = try refusingPair()
    try await moveBackFromNowhere(pair)
    pair.model.interfere { $0.url.contains("/work/") ? .answer(500) : nil }
    for _ in 0..<2 {
      let failing = try await pair.calgw("sync")
      #expect(failing.status != 0 && failing.errors.contains("run the sync again once the server"))
      #expect(pair.calgw.exists("calendars/private/review.ics"), "\(failing.output)")
    }
    pair.model.interfere(nil)
    let run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    try await expectBack(pair)
  }

  /// It had left the old calendar, and did not come to the new one, which the next run may be about
  /// or not.
  @Test(arguments: [["sync"], ["sync", "p/private"]])
  func `is sent there again, where the server has it nowhere`(arguments: [String]) async throws {
    let pair = try refusingPair()
    try await moveBackFromNowhere(pair)
    let run = try await pair.calgw.run(arguments)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    try await expectBack(pair)

    // From now on it is on no way: what is deleted on the server is deleted.
    let path = ModelServer.homePath + "private/"
    let there = try #require(
      pair.model.items(in: path).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:review")
      })
    pair.model.remove(there.key, in: path)
    let last = try await pair.calgw("sync")
    #expect(last.status == 0 && last.errors.isEmpty, "\(last.output) \(last.errors)")
    #expect(pair.counts("private", "work") == [1, 1])
    #expect(!pair.calgw.exists("calendars/private/review.ics"))
  }
}
