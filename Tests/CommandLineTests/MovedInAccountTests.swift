import Foundation
import TestSupport
import Testing

/// A pair of two servers has no folders to look into: what somebody moves to another calendar of
/// the local one is moved on the remote one all the same, whichever of the two comes first.
@Suite struct MovedInAccountTests {
  /// The calendars, in the order of the run.
  enum Calendar: String, CaseIterable, Sendable {
    case alpha, beta

    var path: String { ModelServer.homePath + rawValue + "/" }
    var other: Calendar { self == .alpha ? .beta : .alpha }
    /// The first is a meeting.
    var uids: [String] { (1...3).map { "\(rawValue)\($0)" } }
  }

  private let pair: TwoServers
  private var here: ModelServer { pair.here }
  private var there: ModelServer { pair.there }
  private var calgw: CommandLine { pair.calgw }

  /// Both have both calendars, in step.
  init() async throws {
    func model() -> ModelServer {
      var switches = ModelSwitches()
      switches.givesScheduleTags = true
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      for calendar in Calendar.allCases {
        model.makeCalendar(calendar.rawValue)
        for (index, uid) in calendar.uids.enumerated() {
          model.put(
            "\(uid).ics", index == 0 ? Self.meeting(uid) : event(uid, "Title"), in: calendar.path)
        }
      }
      return model
    }
    pair = try TwoServers([model(), model()])
    #expect(try await calgw("sync").status == 0)
    for model in pair.models { model.forgetRequests() }
  }

  private static func meeting(_ uid: String) -> String {
    event(uid, "Title").replacing(
      "END:VEVENT",
      with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:bernd@example.org\r\nEND:VEVENT")
  }

  private func remove(_ uid: String, from calendar: Calendar) {
    here.remove(Array("\(uid).ics".utf8), in: calendar.path)
  }

  private func move(_ uid: String, from calendar: Calendar) throws {
    let name = Array("\(uid).ics".utf8)
    let text = try #require(here.data(name, in: calendar.path))
    here.remove(name, in: calendar.path)
    here.put(name, text, in: calendar.other.path)
  }

  private func writes(_ model: ModelServer) -> [String] {
    model.requests.map(\.method).filter { ["PUT", "DELETE", "MOVE"].contains($0) }
  }

  /// How many items each server has in a calendar and in the other one.
  private func counts(_ calendar: Calendar) -> [[Int]] {
    pair.models.map { model in
      [calendar, calendar.other].map { model.items(in: $0.path).count }
    }
  }

  private func expectQuiet(at place: SourceLocation = #_sourceLocation) async throws {
    for model in pair.models { model.forgetRequests() }
    let run = try await calgw("sync")
    for calendar in Calendar.allCases {
      #expect(
        run.output.contains("p/\(calendar): nothing to do"), "\(run.output) \(run.errors)",
        sourceLocation: place)
    }
    #expect(writes(here).isEmpty && writes(there).isEmpty, sourceLocation: place)
  }

  @Test(arguments: Calendar.allCases)
  func `in one request, and no meeting is called off`(calendar: Calendar) async throws {
    let mails = there.mails
    try move(calendar.uids[0], from: calendar)
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["sync"] + options)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output.contains("p/\(calendar): up: 1 deleted"), "\(run.output)")
      #expect(run.output.contains("p/\(calendar.other): up: 1 new"), "\(run.output)")
      #expect(run.output.firstMatch(of: /p\/(alpha|beta)/)?.1 == "alpha", "\(run.output)")
      #expect(!run.errors.contains("cancellations"), "\(run.errors)")
      #expect(writes(there) == (options.isEmpty ? ["MOVE"] : []))
    }
    #expect(there.mails == mails && writes(here).isEmpty)
    #expect(counts(calendar) == [[2, 4], [2, 4]])
    try await expectQuiet()
  }

  /// It would come back to its old calendar as well.
  @Test(arguments: Calendar.allCases)
  func `with what was edited on the other server meanwhile`(calendar: Calendar) async throws {
    let name = "\(calendar.uids[1]).ics"
    try move(calendar.uids[1], from: calendar)
    there.put(name, event(calendar.uids[1], "Another title"), in: calendar.path)
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes(there) == ["MOVE"] && writes(here) == ["PUT"])
    #expect(counts(calendar) == [[2, 4], [2, 4]])
    let text = try #require(here.data(Array(name.utf8), in: calendar.other.path))
    #expect(String(decoding: text, as: UTF8.self).contains("SUMMARY:Another title"))
    try await expectQuiet()
  }

  /// Each of the two waits to hear what is new to the other one.
  @Test func `also where another one goes the other way`() async throws {
    for calendar in Calendar.allCases { try move(calendar.uids[0], from: calendar) }
    let mails = there.mails
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes(there) == ["MOVE", "MOVE"] && there.mails == mails)
    #expect(counts(.alpha) == [[3, 3], [3, 3]])
    try await expectQuiet()
  }

  @Test(arguments: Calendar.allCases)
  func `and all that a calendar has is no mass deletion`(calendar: Calendar) async throws {
    for uid in calendar.uids { try move(uid, from: calendar) }
    let status = try await calgw("status")
    #expect(!status.output.contains("would delete"), "\(status.output)")
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["sync"] + options)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output.contains("p/\(calendar): up: 3 deleted"), "\(run.output)")
      #expect(run.output.contains("p/\(calendar.other): up: 3 new"), "\(run.output)")
    }
    #expect(writes(there) == ["MOVE", "MOVE", "MOVE"])
    #expect(counts(calendar) == [[0, 6], [0, 6]])
    try await expectQuiet()
  }

  @Test(arguments: Calendar.allCases)
  func `what is in no other calendar was deleted, and goes`(calendar: Calendar) async throws {
    remove(calendar.uids[1], from: calendar)
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["sync"] + options)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output.contains("p/\(calendar): up: 1 deleted"), "\(run.output)")
      #expect(writes(there) == (options.isEmpty ? ["DELETE"] : []))
    }
    #expect(counts(calendar) == [[2, 3], [2, 3]])
    try await expectQuiet()
  }

  /// Also what is new in it waits for a person.
  @Test(arguments: Calendar.allCases)
  func `a calendar that was emptied is left alone whole`(calendar: Calendar) async throws {
    for uid in calendar.uids { remove(uid, from: calendar) }
    here.put("new.ics", event("new", "New"), in: calendar.path)
    let figure = "this would delete 3 of 3 items"
    let status = try await calgw("status")
    #expect(status.output.contains(figure), "\(status.output)")
    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["sync"] + options)
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.components(separatedBy: figure).count == 2, "\(run.errors)")
      #expect(writes(there).isEmpty)
    }
    let run = try await calgw("sync", "--allow-mass-delete")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes(there).sorted() == ["DELETE", "DELETE", "DELETE", "PUT"])
    #expect(counts(calendar) == [[1, 3], [1, 3]])
  }

  @Test(arguments: Calendar.allCases)
  func `a person is asked of what was deleted, and not of what was moved`(
    calendar: Calendar
  ) async throws {
    try pair.configure("\(TwoServers.everything)\nconfirm_delete = \"always\"")
    try move(calendar.uids[0], from: calendar)
    remove(calendar.uids[1], from: calendar)
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(
      run.errors.components(separatedBy: "nobody said yet that it goes").count == 2,
      "\(run.errors)")
    #expect(writes(there) == ["MOVE"])
    #expect(counts(calendar) == [[1, 4], [2, 4]])
  }

  @Test func `a pull sends neither half`() async throws {
    for calendar in Calendar.allCases { try move(calendar.uids[0], from: calendar) }
    #expect(try await calgw("pull").status == 0)
    #expect(writes(there).isEmpty && writes(here).isEmpty)
    #expect(try await calgw("sync").status == 0)
    #expect(writes(there) == ["MOVE", "MOVE"])
  }
}
