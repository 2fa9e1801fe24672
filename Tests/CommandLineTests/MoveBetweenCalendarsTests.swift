import Foundation
import TestSupport
import Testing

/// A person moves a file from the folder of one calendar into that of another.
@Suite struct MoveBetweenCalendarsTests {
  private let calgw: CommandLine

  init() throws { calgw = try CommandLine() }

  /// As iCloud and Cyrus do: no two items of an account have one UID. The calendar that the event
  /// goes to may come first or last, and the server may know nothing of moves.
  @Test(arguments: [("private", "work"), ("work", "private")], [nil, 403, 405, 501])
  func `arrives in the same run where UIDs are unique in an account`(
    way: (from: String, to: String), refusal: Int?
  ) async throws {
    let (from, to) = way
    let pair = try TwoCalendars { switches in
      switches.moveRefusal = refusal
      switches.uidConflictStatus = 403
      switches.uidsSpanCalendars = true
    }
    let calgw = pair.calgw
    try calgw.write("calendars/\(from)/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("calendars/\(to)/gym.ics", event("gym", "Gym"))
    #expect(try await calgw("sync").status == 0)
    try pair.move("dentist", from: from, to: to)
    let run = try await calgw("sync", "--allow-mass-delete", "--json")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("\"pushed\":{\"created\":1,\"updated\":0,\"deleted\":0}"))
    #expect(run.output.contains("\"pushed\":{\"created\":0,\"updated\":0,\"deleted\":1}"))
    let quiet = try await calgw("sync", "--json")
    #expect(quiet.status == 0)
    #expect(!quiet.output.contains("\"created\":1"))
    #expect(pair.counts(from, to) == [0, 2])
    #expect(pair.server.requests.contains { $0.method == "DELETE" } == (refusal != nil))
  }

  /// As iCloud does with 412. Nothing but the status says that the UID is why; whether it is, shows
  /// once the event has left the old calendar.
  @Test(arguments: [("private", "work"), ("work", "private")], [400, 403, 409, 412])
  func `arrives also where a second one of its UID is refused without a word of why`(
    way: (from: String, to: String), status: Int
  ) async throws {
    let pair = try refusingUIDs(with: status)
    try await fill(pair, way, event("dentist", "Dentist"))
    let run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("p/\(way.to): up: 1 new"), "\(run.output)")
    #expect(run.output.contains("p/\(way.from): up: 1 deleted"), "\(run.output)")
    #expect(pair.counts(way.from, way.to) == [1, 2])
    let log = try await pair.calgw("log", "dentist", "--json", "--content")
    let line = log.output.split(separator: "\n").first { $0.contains("\"action\":\"deleted\"") }
    #expect(line?.contains("\"reason\":\"moved to p/\(way.to)\"") == true, "\(log.output)")
    #expect(line?.contains("SUMMARY:Dentist") == true, "\(log.output)")
    pair.model.forgetRequests()
    let quiet = try await pair.calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.output) \(quiet.errors)")
    #expect(pair.model.count("PUT") == 0 && pair.model.count("DELETE") == 0)
    #expect(pair.counts(way.from, way.to) == [1, 2])
  }

  /// To delete it for a guess would call it off.
  @Test func `but a meeting stays where it was then`() async throws {
    let pair = try refusingUIDs(with: 412)
    let meeting = event("dentist", "Dentist").replacing(
      "END:VEVENT",
      with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT")
    try await fill(pair, ("private", "work"), meeting)
    let run = try await pair.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("was moved out of p/private, and stays there"), "\(run.errors)")
    #expect(run.errors.contains("move its file back to p/private"), "\(run.errors)")
    #expect(run.errors.contains("it may take no second one of a UID"), "\(run.errors)")
    #expect(pair.counts("private", "work") == [2, 1] && pair.model.count("DELETE") == 0)
    try pair.move("dentist", from: "work", to: "private")
    let back = try await pair.calgw("sync")
    #expect(back.status == 0 && back.errors.isEmpty, "\(back.output) \(back.errors)")
    #expect(pair.counts("private", "work") == [2, 1] && pair.model.count("DELETE") == 0)
  }

  private func refusingUIDs(with status: Int) throws -> TwoCalendars {
    try TwoCalendars(keys: "invitations = \"server\"\n") { switches in
      switches.moveRefusal = 405
      switches.uidConflictStatus = status
      switches.uidConflictElement = nil
      switches.uidsSpanCalendars = true
    }
  }

  /// Moves one of two events to a calendar that has another one.
  private func fill(
    _ pair: TwoCalendars, _ way: (from: String, to: String), _ text: String
  ) async throws {
    try pair.calgw.write("calendars/\(way.from)/dentist.ics", text)
    try pair.calgw.write("calendars/\(way.from)/gym.ics", event("gym", "Gym"))
    try pair.calgw.write("calendars/\(way.to)/choir.ics", event("choir", "Choir"))
    #expect(try await pair.calgw("sync").status == 0)
    try pair.move("dentist", from: way.from, to: way.to)
    pair.model.forgetRequests()
  }

  /// The server moves it, or it goes the long way.
  @Test(arguments: [nil, 405], [[], ["--dry-run"]])
  func `what is moved away is not counted as unchanged`(
    refusal: Int?, arguments: [String]
  ) async throws {
    let pair = try TwoCalendars { $0.moveRefusal = refusal }
    for uid in ["dentist", "gym", "swim"] {
      try pair.calgw.write("calendars/work/\(uid).ics", event(uid, uid))
    }
    try pair.calgw.write("calendars/private/party.ics", event("party", "Party"))
    #expect(try await pair.calgw("sync").status == 0)
    try pair.move("dentist", from: "work", to: "private")
    let run = try await pair.calgw.run(["sync", "--json"] + arguments)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try unchanged(run.output) == ["private": 1, "work": 2], "\(run.output)")
    if !arguments.isEmpty { return }
    let quiet = try await pair.calgw("sync", "--json")
    #expect(try unchanged(quiet.output) == ["private": 2, "work": 2], "\(quiet.output)")
  }

  @Test func `what stays on the server alone is not counted as unchanged`() async throws {
    let refuses = Switch()
    let pair = try TwoCalendars {
      $0.moveRefusal = 405
    } answer: { request, steps in
      request.method == "PUT" && refuses.isOn ? [.answer(403)] : steps()
    }
    for uid in ["dentist", "gym"] {
      try pair.calgw.write("calendars/work/\(uid).ics", event(uid, uid))
    }
    #expect(try await pair.calgw("sync").status == 0)
    refuses.turn(true)
    try pair.move("dentist", from: "work", to: "private")
    let run = try await pair.calgw("sync", "--json")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(try unchanged(run.output) == ["private": 0, "work": 1], "\(run.output)")
  }

  /// Of each collection, how many items a report counts so.
  private func unchanged(_ report: String) throws -> [String: Int] {
    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let collections = try #require(object?["collections"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: collections.map { collection in
        (
          try #require(collection["name"] as? String),
          try #require(collection["unchanged"] as? Int)
        )
      })
  }

  /// Offline the last run's knowledge of the calendar tells it.
  @Test func `a task that goes where events alone are taken is told at once`() async throws {
    let model = ModelServer(ModelSwitches(), surroundings: ModelClock().surroundings)
    model.makeCalendar("work", components: ["VEVENT"])
    model.makeCalendar("tasks", components: ["VTODO"])
    let server = try ScriptedServer { model.steps(for: $0) }
    try calgw.configure(server: server.url)
    let task = event("task", "Pay").replacing("VEVENT", with: "VTODO")
    try calgw.write("calendars/tasks/task.ics", task)
    try calgw.write("other.ics", task.replacing("UID:task", with: "UID:other"))
    #expect(try await calgw("sync").status == 0)
    let requests = server.requests.count
    let words = "the calendar of p/work takes VEVENT alone, so VTODO stays in the folder"
    let move = try await calgw("move", "task", "p/work")
    #expect(move.status == 0, "\(move.errors)")
    #expect(move.errors.contains(words), "\(move.errors)")
    let put = try await calgw("import", "other.ics", "--in", "p/work")
    #expect(put.status == 0, "\(put.errors)")
    #expect(put.errors.contains(words), "\(put.errors)")
    let back = try await calgw("move", "task", "p/tasks")
    #expect(!back.errors.contains("takes"), "\(back.errors)")
    #expect(server.requests.count == requests)
  }

  /// The folder that it goes to is new, and so the calendar is made in the run.
  @Test(arguments: [nil, 405]) func `arrives in a calendar that is new, too`(
    refusal: Int?
  ) async throws {
    var switches = ModelSwitches()
    switches.moveRefusal = refusal
    switches.uidConflictStatus = 409
    switches.uidsSpanCalendars = true
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try calgw.configure(server: server.url)
    for uid in ["dentist", "gym"] { try calgw.write("calendars/work/\(uid).ics", event(uid, uid)) }
    #expect(try await calgw("sync").status == 0)
    let folders = calgw.home + "/calendars"
    try FileManager.default.createDirectory(
      atPath: "\(folders)/archive", withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      atPath: "\(folders)/work/dentist.ics", toPath: "\(folders)/archive/dentist.ics")
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    let items = ["archive", "work"].map { model.items(in: ModelServer.homePath + "\($0)/") }
    #expect(items.map(\.count) == [1, 1])
  }

  /// The server keeps its only copy where it was, whatever the other calendar has against it, and
  /// whichever comes first.
  @Test(
    arguments: [("private", "work"), ("work", "private")], [403, 404, 409, 412, 413, 415, 500, 507])
  func `stays where it was as long as the other calendar does not take it`(
    way: (from: String, to: String), status: Int
  ) async throws {
    let refuses = Switch()
    refuses.turn(true)
    let pair = try TwoCalendars {
      $0.moveRefusal = status
    } answer: { request, steps in
      let isRefused =
        request.method == "PUT" && request.target.contains("/\(way.to)/") && refuses.isOn
      return isRefused ? [.answer(status)] : steps()
    }
    let calgw = pair.calgw
    for uid in ["dentist", "gym"] {
      try calgw.write("calendars/\(way.from)/\(uid).ics", event(uid, uid))
    }
    #expect(try await calgw("sync").status == 0)
    try pair.move("dentist", from: way.from, to: way.to)
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("was moved out of p/\(way.from), and stays there"))
      #expect(pair.counts(way.from, way.to) == [2, 0])
    }
    refuses.turn(false)
    let file = "\(calgw.home)/calendars/\(way.to)/dentist.ics"
    let last = try await calgw("resolve", file, "--take", "local")
    #expect(last.status == 0, "\(last.output) \(last.errors)")
    #expect(try await calgw("sync").status == 0)
    #expect(pair.counts(way.from, way.to) == [1, 1])
  }

  @Test func `a dry run and status say what stays, and a dry run what goes`() async throws {
    let refuses = Switch()
    let pair = try TwoCalendars {
      $0.moveRefusal = 405
    } answer: { request, steps in
      request.method == "PUT" && refuses.isOn ? [.answer(403)] : steps()
    }
    let calgw = pair.calgw
    for uid in ["dentist", "gym"] { try calgw.write("calendars/work/\(uid).ics", event(uid, uid)) }
    #expect(try await calgw("sync").status == 0)
    try pair.move("dentist", from: "work", to: "private")
    let going = try await calgw("sync", "--dry-run")
    #expect(going.status == 0 && going.errors.isEmpty, "\(going.errors)")
    #expect(going.output.contains("p/private: up: 1 new"), "\(going.output)")
    #expect(going.output.contains("p/work: up: 1 deleted"), "\(going.output)")
    #expect(going.output.contains(": moved, and goes once the other calendar has it"))
    #expect(try await calgw("status").errors.isEmpty)
    #expect(!pair.server.requests.contains { $0.method == "DELETE" })
    refuses.turn(true)
    #expect(try await calgw("sync").status == 1)
    let staying = try await calgw("sync", "--dry-run")
    #expect(staying.status == 1)
    #expect(staying.output.contains("p/work: nothing to do"), "\(staying.output)")
    let words = "note: \"dentist\" was moved out of p/work, and"
    #expect(staying.errors.contains("\(words) would stay there"), "\(staying.errors)")
    let status = try await calgw("status")
    #expect(status.errors.contains("\(words) stays there"), "\(status.output) \(status.errors)")
    #expect(pair.counts("work") == [2])
  }

  /// Nothing is lost by it, so nobody is asked; and who is invited declines nothing that stands in
  /// the other calendar (RFC 6638 §8.1).
  @Test(arguments: [("private", "work"), ("work", "private")], [nil, 501])
  func `most of a calendar goes at once, and no invitation is declined`(
    way: (from: String, to: String), refusal: Int?
  ) async throws {
    let (from, to) = way
    let pair = try TwoCalendars(keys: "invitations = \"server\"\n") { $0.moveRefusal = refusal }
    let calgw = pair.calgw
    let uids = (1...10).map { "e\($0)" }
    for uid in uids { try calgw.write("calendars/\(from)/\(uid).ics", event(uid, uid)) }
    #expect(try await calgw("sync").status == 0)
    for uid in uids.dropLast() { try pair.move(uid, from: from, to: to) }
    let dry = try await calgw("sync", "--dry-run")
    #expect(dry.status == 0 && dry.errors.isEmpty, "\(dry.errors)")
    #expect(dry.output.contains("up: 9 new") && dry.output.contains("up: 9 deleted"))
    for arguments in [["status"], ["status", "--offline"]] {
      let status = try await calgw.run(arguments)
      #expect(status.status == 0 && !status.output.contains("would delete"), "\(status.output)")
      #expect(!status.errors.contains("would delete"), "\(status.errors)")
    }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(pair.counts(from, to) == [1, 9])
    let deletions = pair.server.requests.filter { $0.method == "DELETE" }
    #expect(deletions.count == (refusal == nil ? 0 : 9))
    #expect(deletions.allSatisfy { $0.header("Schedule-Reply") == "F" })
  }

  /// The other calendar is one of another pair.
  @Test func `into a calendar of another pair is named, too, where it was edited meanwhile`()
    async throws
  {
    let pairs = ["a", "b"].map { name in
      "[pair.\(name)]\nlocal = \"~/\(name)\"\nremote = { local = \"~/there-\(name)\" }\n"
    }
    try calgw.configure(pairs.joined())
    for uid in ["dentist", "gym"] { try calgw.write("a/work/\(uid).ics", event(uid, uid)) }
    try calgw.write("b/home/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "dentist", "b/home").status == 0)
    try calgw.write("there-a/work/dentist.ics", event("dentist", "Dentist, with X-rays"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("with that edit; it is in b/home, too, without it\n"), "\(run.errors)")
    #expect(
      run.errors.contains("`calgw delete --span all \(calgw.home)/a/work/dentist.ics`"),
      "\(run.errors)")
  }

  /// Another machine moves it, while it is edited here where it was: an edit outlives a deletion.
  @Test(arguments: [("private", "work"), ("work", "private")])
  func `is named where it was edited meanwhile, since both calendars have it then`(
    from: String, to: String
  ) async throws {
    let pair = try TwoCalendars()
    let (calgw, model) = (pair.calgw, pair.model)
    try calgw.write("calendars/\(from)/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("calendars/\(from)/gym.ics", event("gym", "Gym"))
    #expect(try await calgw("sync").status == 0)
    let path = ModelServer.homePath + from + "/"
    let there = try #require(
      model.items(in: path).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:dentist")
      })
    model.remove(there.key, in: path)
    model.put(there.key, there.value, in: ModelServer.homePath + to + "/")
    try calgw.write("calendars/\(from)/dentist.ics", event("dentist", "Dentist, with X-rays"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("it is in p/\(to), too")
        && run.errors.contains(
          "`calgw delete --span all \(calgw.home)/calendars/\(from)/dentist.ics`"),
      "\(run.output) \(run.errors)")
    let again = try await calgw("sync")
    #expect(again.errors.isEmpty, "\(again.errors)")
  }
}
