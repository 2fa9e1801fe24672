import Foundation
import Synchronization
import TestSupport
import Testing

/// What was moved between the folders of two calendars is moved on the server as well.
@Suite struct MovedOnServerTests {
  private let pair: TwoCalendars

  init() throws { pair = try TwoCalendars() }

  private var calgw: CommandLine { pair.calgw }
  private var model: ModelServer { pair.model }

  /// An event and another one in one calendar, and one in a second one, into whose folder the first
  /// is moved.
  private func fill(
    _ text: String, keys: String = "", _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws {
    model.change(change)
    try pair.configure(keys)
    try calgw.write("calendars/private/review.ics", text)
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    model.forgetRequests()
  }

  private var writes: [String] {
    model.requests.map(\.method).filter { ["PUT", "DELETE", "MOVE"].contains($0) }
  }

  private func expectMoved(at place: SourceLocation = #_sourceLocation) async throws {
    let quiet = try await calgw("sync", "--json")
    #expect(quiet.status == 0, "\(quiet.output) \(quiet.errors)", sourceLocation: place)
    #expect(!quiet.output.contains("\"updated\":1"), "\(quiet.output)", sourceLocation: place)
    #expect(pair.counts("private", "work") == [1, 2], sourceLocation: place)
    #expect(
      FileManager.default.fileExists(atPath: calgw.home + "/calendars/work/review.ics"),
      sourceLocation: place)
  }

  /// Some servers give it a name of their own.
  @Test(arguments: [false, true])
  func `in one request, wherever the server puts it`(movesToUIDs: Bool) async throws {
    try await fill(event("review", "Review")) { $0.movesToUIDs = movesToUIDs }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("p/work: up: 1 new"), "\(run.output)")
    #expect(run.output.contains("p/private: up: 1 deleted"), "\(run.output)")
    #expect(writes == ["MOVE"])
    try await expectMoved()
    #expect(writes == ["MOVE"])
  }

  @Test func `and the log says where it went`() async throws {
    try await fill(event("review", "Review"))
    #expect(try await calgw("sync").status == 0)
    let log = try await calgw("log", "review", "--json", "--content")
    let lines = log.output.split(separator: "\n").filter { $0.contains("\"action\":\"moved\"") }
    #expect(lines.count == 1, "\(log.output) \(log.errors)")
    let line = try #require(lines.first)
    #expect(line.contains("\"collection\":\"private\",\"uid\":\"review\",\"side\":\"remote\""))
    #expect(line.contains("\"reason\":\"moved to p/work\""), "\(line)")
    #expect(line.contains("\"before\":\"BEGIN:") && line.contains("\"after\":\"BEGIN:"), "\(line)")
  }

  /// It was not replaced: in its old calendar it would be a second event of its UID.
  @Test func `and what the log has of it is moved back, and not restored`() async throws {
    try await fill(event("review", "Review"))
    #expect(try await calgw("sync").status == 0)
    let log = try await calgw("log", "review", "--json")
    let line = try #require(
      log.output.split(separator: "\n").first { $0.contains("\"action\":\"moved\"") })
    let id = try #require(line.firstMatch(of: /"id":"(p\/[0-9]+)"/)).1
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["restore", String(id)] + options)
      #expect(run.status == 65 && run.output.isEmpty, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("`calgw move --in p/work review p/private`"), "\(run.errors)")
    }
    #expect(writes == ["MOVE"])
    try await expectMoved()

    let back = try await calgw("move", "--in", "p/work", "review", "p/private")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try await calgw("sync").status == 0)
    #expect(writes == ["MOVE", "MOVE"] && pair.counts("private", "work") == [2, 1])
    let run = try await calgw("restore", String(id))
    #expect(run.status == 0, "it is where it was: \(run.errors)")
  }

  /// Another program moved the file: the log alone of the server tells of a move.
  @Test func `and neither is what was replaced before`() async throws {
    try calgw.write("calendars/private/review.ics", event("review", "Review"))
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    try calgw.write("calendars/private/review.ics", event("review", "Second review"))
    #expect(try await calgw("sync").status == 0)
    try pair.move("review", from: "private", to: "work")
    #expect(try await calgw("sync").status == 0)
    let log = try await calgw("log", "review", "--json")
    let line = try #require(
      log.output.split(separator: "\n").first { $0.contains("\"action\":\"replaced\"") })
    let id = try #require(line.firstMatch(of: /"id":"(p\/[0-9]+)"/)).1
    let run = try await calgw("restore", String(id))
    #expect(run.status == 65 && run.output.isEmpty, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("then `calgw restore \(id)` works"), "\(run.errors)")
    try await expectMoved()
  }

  /// What both sides shared goes along: the server has never had one of the file's lines, and that
  /// is no edit of anybody's.
  @Test func `with an edit of the same hour, which goes as an edit`() async throws {
    let text = event("review", "Review").replacing("END:VEVENT", with: "X-KEEP:1\r\nEND:VEVENT")
    try await fill(text) { $0.dropsExtensions = true }
    let file = "calendars/work/review.ics"
    try calgw.write(file, text.replacing("SUMMARY:Review", with: "SUMMARY:Second review"))
    let plan = try await calgw("sync", "--dry-run")
    #expect(plan.output.contains("p/work: up: 1 new (dry run"), "\(plan.output)")
    let run = try await calgw("sync", "--verbose")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("p/work: up: 1 new\n"), "\(run.output)")
    #expect(run.output.contains(": moved from p/private; changed here\n"), "\(run.output)")
    #expect(!run.output.contains("change on the remote side"), "\(run.output)")
    #expect(writes == ["MOVE", "PUT"])
    try await expectMoved()
    let there = model.items(in: ModelServer.homePath + "work/").values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(there.contains { $0.contains("SUMMARY:Second review") }, "\(there)")
    let here = try String(contentsOfFile: calgw.home + "/" + file, encoding: .utf8)
    #expect(here.contains("X-KEEP:1"))
  }

  /// What both sides shared is taken over by the next run then.
  @Test func `also where the run ends right after it`() async throws {
    let text = event("review", "Review").replacing("END:VEVENT", with: "X-KEEP:1\r\nEND:VEVENT")
    try await fill(text) { $0.dropsExtensions = true }
    let file = "calendars/work/review.ics"
    try calgw.write(file, text.replacing("SUMMARY:Review", with: "SUMMARY:Second review"))
    let isMoved = Mutex(false)
    model.interfere { request in
      isMoved.withLock { isMoved in
        defer { if request.method == "MOVE" { isMoved = true } }
        return isMoved ? .answer(500) : nil
      }
    }
    #expect(try await calgw("sync").status != 0)
    #expect(writes == ["MOVE"])
    model.interfere(nil)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE", "PUT"])
    try await expectMoved()
    #expect(writes == ["MOVE", "PUT"])
    let there = model.items(in: ModelServer.homePath + "work/").values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(there.contains { $0.contains("SUMMARY:Second review") }, "\(there)")
    let here = try String(contentsOfFile: calgw.home + "/" + file, encoding: .utf8)
    #expect(here.contains("X-KEEP:1") && here.contains("SUMMARY:Second review"))
  }

  /// The one is moved there, and the other one is a new item.
  @Test func `into one of two folders, and sent to the other one`() async throws {
    model.makeCalendar("archive")
    try await fill(event("review", "Review"))
    try calgw.write("calendars/archive/review.ics", event("review", "Review"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE", "PUT"])
    #expect(pair.counts("archive", "private", "work") == [1, 1, 2])
    let quiet = try await calgw("sync")
    #expect(quiet.status == 0 && writes == ["MOVE", "PUT"], "\(quiet.output) \(quiet.errors)")
  }

  /// The one is moved, and the other one is deleted where it was.
  @Test func `out of one of two folders, and deleted in the other one`() async throws {
    model.makeCalendar("archive")
    try await fill(event("review", "Review"))
    try calgw.write("calendars/archive/review.ics", event("review", "Review"))
    #expect(try await calgw("sync").status == 0)
    try calgw.write("calendars/private/review.ics", event("review", "Review"))
    for name in ["archive", "work"] {
      try FileManager.default.removeItem(atPath: calgw.home + "/calendars/\(name)/review.ics")
    }
    model.forgetRequests()
    _ = try await calgw("sync", "--allow-mass-delete")
    #expect(writes.filter { $0 == "MOVE" }.count == 1, "\(writes)")
    _ = try await calgw("sync", "--allow-mass-delete")
    #expect(writes == ["MOVE", "DELETE"])
    #expect(pair.counts("archive", "private", "work") == [0, 2, 1])
  }

  /// One of the two calendars alone: sent as a new item, it would be on the server twice.
  @Test func `by a run over both calendars, and told by one over the new one alone`()
    async throws
  {
    try await fill(event("review", "Review"))
    for arguments in [["sync", "p/work"], ["sync", "p/work", "--dry-run"], ["push", "p/work"]] {
      let alone = try await calgw.run(arguments)
      #expect(alone.status == 1, "\(alone.output) \(alone.errors)")
      #expect(alone.errors.contains("it was moved here from p/private"), "\(alone.errors)")
      #expect(alone.errors.contains("`calgw sync p`"), "\(alone.errors)")
      #expect(writes.isEmpty)
    }
    let run = try await calgw("sync", "p")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE"])
    try await expectMoved()
  }

  /// Its file is where it was as well.
  @Test func `but not a copy, which is sent`() async throws {
    try await fill(event("review", "Review"))
    #expect(try await calgw("sync").status == 0)
    try calgw.write("calendars/work/gym.ics", event("gym", "Gym"))
    let run = try await calgw("sync", "p/work")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE", "PUT"])
  }

  @Test(arguments: ["never", "server"])
  func `and a meeting is not called off`(invitations: String) async throws {
    let meeting = event("review", "Review").replacing(
      "END:VEVENT",
      with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT")
    try await fill(meeting, keys: "invitations = \"\(invitations)\"\n") {
      $0.givesScheduleTags = true
    }
    let mails = model.mails
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(model.mails == mails && writes == ["MOVE"])
    try await expectMoved()
    // What calgw told the server of it is no edit that comes with it.
    let file = calgw.home + "/calendars/work/review.ics"
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("SCHEDULE-AGENT"))
  }

  /// What the answer does not tell, a look does: it is there no more, or it still is.
  @Test func `whatever the answer says, where it is moved`() async throws {
    try await fill(event("review", "Review"))
    model.plan(.actThenAnswer(500), for: "MOVE")
    var run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE"])
    try await expectMoved()

    let back = try await calgw("move", "review", "p/private")
    #expect(back.status == 0, "\(back.errors)")
    model.forgetRequests()
    model.plan(.answer(500), for: "MOVE")
    run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE", "PUT", "DELETE"])
  }
}
