import Foundation
import Glibc
import TestSupport
import Testing

/// What the program asks a person, and how it looks, on a real terminal.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
struct TerminalTests {
  private static let choice = "or leave it (Enter)? "

  /// Both sides moved the dentist.
  private func conflict(_ title: String = "dentist", keys: String = "") async throws
    -> TwoFolders
  {
    let folders = try TwoFolders(keys)
    try folders.write("one", "dentist", at: 10, title)
    #expect(try await folders.calgw("sync").status == 0)
    try folders.write("one", "dentist", at: 11, title)
    try folders.write("two", "dentist", at: 12, title)
    return folders
  }

  @Test(
    arguments: [
      (["l"], ["dentist 11"], 0), (["remote"], ["dentist 12"], 0),
      (["b"], ["dentist 11", "dentist 12"], 0), (["what?", "x", "r"], ["dentist 12"], 0),
    ] as [([String], [String], Int32)])
  func `a sync shows a conflict and asks, until the answer is one`(
    answers: [String], left: [String], status: Int32
  ) async throws {
    let folders = try await conflict()
    let run = try await folders.calgw.onTerminal(
      ["sync"], answers: answers.map { (Self.choice, $0) })
    #expect(run.status == status, "\(run.screen)")
    #expect(run.screen.contains("11:00") && run.screen.contains("12:00"), "\(run.screen)")
    for side in ["local:  Monday 5 January 2026, 11:00", "remote: Monday 5 January 2026, 12:00"] {
      #expect(run.screen.contains(side), "\(run.screen)")
    }
    #expect(try folders.items("one") == left)
    #expect(try folders.items("two") == left)
  }

  /// The first step is drawn at once, the others ten times a second at the most.
  @Test(
    arguments: [([], true), (["--no-progress"], false), (["--quiet"], false)] as [([String], Bool)])
  func `a run says how far it is, and leaves nothing of that behind`(
    options: [String], isShown: Bool
  ) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "dentist")
    let run = try await folders.calgw.onTerminal(["sync"] + options)
    #expect(run.status == 0, "\(run.screen)")
    let step = "p: looking at both sides"
    #expect(run.screen.contains(step) == isShown, "\(run.screen)")
    if let shown = run.screen.range(of: step) {
      #expect(
        run.screen[shown.upperBound...].contains("\r\u{1B}[K"), "\(run.screen.debugDescription)")
    }
  }

  /// Each answer takes longer than the time between two lines, so that the step after it is drawn.
  @Test func `what is read from one server and written to another is counted`() async throws {
    let models = TwoServers.plain()
    for model in models { model.makeCalendar("work") }
    for uid in ["dentist", "gym"] {
      models[0].put("\(uid).ics", event(uid, uid), in: ModelServer.homePath + "work/")
    }
    let pair = try TwoServers(models) { _, request, steps in
      ["REPORT", "GET", "PUT"].contains(request.method) ? Self.slowly(steps()) : steps()
    }
    let run = try await pair.calgw.onTerminal(["sync"])
    withExtendedLifetime(pair) {}
    #expect(run.status == 0, "\(run.screen)")
    #expect(pair.there.items(in: ModelServer.homePath + "work/").count == 2)
    for step in ["reading 2/2 from the local side", "writing 2/2 to the remote side"] {
      let shown = try #require(run.screen.range(of: "p/work: \(step)"), "\(run.screen)")
      #expect(
        run.screen[shown.upperBound...].contains("\r\u{1B}[K"), "\(run.screen.debugDescription)")
    }
  }

  /// The same answers, which need 300 milliseconds each.
  private static func slowly(_ steps: [ServerStep]) -> [ServerStep] {
    steps.flatMap { step -> [ServerStep] in
      guard case .send(let bytes) = step else { return [step] }
      return [
        .trickle(Array(bytes.prefix(6)), every: .milliseconds(50)),
        .send(Array(bytes.dropFirst(6))),
      ]
    }
  }

  @Test func `an empty answer leaves a conflict as it is`() async throws {
    let folders = try await conflict()
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "")])
    #expect(run.status == 1, "\(run.screen)")
    #expect(try folders.items("one") == ["dentist 11"])
    #expect(try folders.items("two") == ["dentist 12"])
    let later = try await folders.calgw.onTerminal(
      ["resolve", "dentist"], answers: [(Self.choice, "l")])
    #expect(later.status == 0, "\(later.screen)")
    #expect(try folders.items("two") == ["dentist 11"])
  }

  @Test func `hooks come after the answers and are told of no conflict that these settled`()
    async throws
  {
    let folders = try await conflict(
      keys: """
        after_sync = ["sh", "-c", "cat > ~/after"]
        on_conflict = ["sh", "-c", "cat >> ~/told"]
        """)
    let run = try await folders.calgw.onTerminal(["sync"], answers: [(Self.choice, "l")])
    #expect(run.status == 0, "\(run.screen)")
    #expect(!folders.calgw.exists("told"))
    let after = try String(contentsOfFile: folders.calgw.home + "/after", encoding: .utf8)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(after.utf8)) as? [String: Any])
    let collection = try #require((report["collections"] as? [[String: Any]])?.first)
    #expect(report["status"] as? Int == 0)
    #expect((collection["conflicts"] as? [Any])?.isEmpty == true)
    #expect((collection["pushed"] as? [String: Int])?["updated"] == 1)
  }

  @Test func `who reads JSON is asked nothing`() async throws {
    let conflicts = try await conflict()
    let run = try await conflicts.calgw.onTerminal(["sync", "--json"])
    #expect(run.status == 1, "\(run.screen)")
    #expect(!run.screen.contains(Self.choice))
    #expect(run.screen.components(separatedBy: "{\"pair\"").count == 2, "\(run.screen)")

    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    let deletion = try await folders.calgw.onTerminal(["sync", "--json"])
    #expect(deletion.status == 1, "\(deletion.screen)")
    #expect(!deletion.screen.contains("[y/N]"))
    #expect(try folders.items("two").count == 2)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal during a question ends the run with its status`(signal: Int32) async throws {
    let conflicts = try await conflict()
    let asked = try await conflicts.calgw.onTerminal(["sync"], signal: (Self.choice, signal))
    #expect(asked.status == 128 + signal, "\(asked.screen)")
    let words = signal == SIGINT ? "interrupted" : "told to end"
    // By whoever meets it first: the question, or the run that has just asked it.
    #expect(asked.screen.contains(" \(words); what was done is recorded\r\n"), "\(asked.screen)")
    #expect(try conflicts.items("one") == ["dentist 11"])
    #expect(try conflicts.items("two") == ["dentist 12"])

    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    let run = try await folders.calgw.onTerminal(["sync"], signal: ("too? [y/N] ", signal))
    #expect(run.status == 128 + signal, "\(run.screen)")
    #expect(try folders.items("two").count == 2)
  }

  @Test func `who breaks an edit off is told where the text is`() async throws {
    let calgw = try CommandLine()
    try calgw.write("work/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("editor", "sed -i 's/^DTSTART:.*/DTSTART:tomorrow/' \"$1\"\n")
    let edit = try await calgw.onTerminal(
      ["edit", "dentist", "--in", "work"], signal: ("Edit again? [Y/n] ", SIGINT),
      environment: ["VISUAL": "/bin/sh \(calgw.home)/editor"])
    #expect(edit.status == 130, "\(edit.screen)")
    let kept = try #require(edit.screen.components(separatedBy: "Your text is kept in ").last)
    let path = try #require(kept.components(separatedBy: "\r\n").first)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("DTSTART:tomorrow"))
  }

  /// At the beginning of a line, and within one, where the first Ctrl-D only hands it over.
  @Test(arguments: ["", "\u{4}"])
  func `who ends the input says no, and what comes next has a line of its own`(
    handingOver: String
  ) async throws {
    func leaving(_ typed: String) -> String {
      handingOver.isEmpty ? CommandLine.endOfInput : typed + handingOver + CommandLine.endOfInput
    }
    func shown(_ typed: String) -> String { handingOver.isEmpty ? "" : typed }
    let conflicts = try await conflict()
    let left = try await conflicts.calgw.onTerminal(
      ["sync"], answers: [(Self.choice, leaving("l"))])
    #expect(left.status == 1, "\(left.screen)")
    #expect(left.screen.contains(Self.choice + shown("l") + "\r\n"), "\(left.screen)")
    #expect(try conflicts.items("two") == ["dentist 12"])

    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    let question = "too? [y/N] "
    let run = try await folders.calgw.onTerminal(
      ["sync", "--no-progress"], answers: [(question, leaving("y"))])
    #expect(run.status == 1, "\(run.screen)")
    #expect(run.screen.contains(question + shown("y") + "\r\n"), "\(run.screen)")
    #expect(try folders.items("two").count == 2)
  }

  @Test func `which occurrence of a series is asked, with the days on which they are`() async throws
  {
    let calgw = try CommandLine()
    try calgw.write(
      "work/trip.ics",
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//calgw//test//EN
      BEGIN:VEVENT
      UID:trip
      DTSTAMP:20260101T000000Z
      DTSTART;VALUE=DATE:20970101
      DTEND;VALUE=DATE:20970102
      RRULE:FREQ=WEEKLY;COUNT=3
      SUMMARY:Trip
      END:VEVENT
      BEGIN:VEVENT
      UID:trip
      DTSTAMP:20260101T000000Z
      RECURRENCE-ID;VALUE=DATE:20970108
      DTSTART;TZID=Europe/Vienna:20970109T100000
      DTEND;TZID=Europe/Vienna:20970109T110000
      SUMMARY:Trip
      END:VEVENT
      END:VCALENDAR

      """)
    let run = try await calgw.onTerminal(
      ["delete", "trip", "--in", "work"],
      answers: [("[t/f/a, empty: nothing]: ", "t"), ("as 2026-01-05 09:00)? ", "2")],
      environment: ["TZ": "Europe/Vienna"])
    #expect(run.status == 0, "\(run.screen)")
    for line in [
      "  1  Tuesday 1 January 2097, all day",
      "  2  Wednesday 9 January 2097, 10:00 to 11:00 (moved from Tuesday 8 January 2097)",
      "  3  Tuesday 15 January 2097, all day",
    ] {
      #expect(run.screen.contains(line + "\r\n"), "\(run.screen)")
    }
    let left = try String(contentsOfFile: calgw.home + "/work/trip.ics", encoding: .utf8)
    #expect(left.contains("EXDATE;VALUE=DATE:20970108"), "\(left)")
    #expect(!left.contains("RECURRENCE-ID"), "\(left)")
  }

  @Test func `a title neither moves the cursor nor looks like a question of ours`() async throws {
    let title = "\u{1B}[2J\u{1B}]52;c;x\u{7}Keep? [Y/n]\u{202E}"
    let folders = try await conflict(title)
    let run = try await folders.calgw.onTerminal(
      ["sync", "--color", "never", "--no-progress"], answers: [(Self.choice, "")])
    #expect(run.status == 1, "\(run.screen)")
    #expect(!run.screen.contains("\u{1B}") && !run.screen.contains("\u{202E}"))
    #expect(!run.screen.contains("\nKeep?"))
  }

  @Test func `a first sync asks before it sends meetings to a server`() async throws {
    let model = ModelServer(ModelSwitches(), surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [account.home]
      url = "\(server.url)"
      username = "alice"
      password = { file = "~/secret" }
      [pair.p]
      local = "~/calendars"
      remote = "home"
      """)
    try calgw.write("secret", "x")
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    try calgw.write(
      "calendars/work/a.ics",
      event("a", "Meeting").replacingOccurrences(of: "END:VEVENT", with: people + "END:VEVENT"))
    let question = "Upload? [y/N] "
    let refused = try await calgw.onTerminal(["sync"], answers: [(question, "n")])
    #expect(refused.status == 1, "\(refused.screen)")
    #expect(refused.screen.contains("1 item with attendees is new to the server of p/work"))
    #expect(model.items(in: "/calendars/alice/work/").isEmpty)
    #expect(try await calgw("sync").status == 1, "a timer asks nobody, and sends nothing")
    #expect(model.items(in: "/calendars/alice/work/").isEmpty)
    let sent = try await calgw.onTerminal(["sync"], answers: [(question, "y")])
    #expect(sent.status == 0, "\(sent.screen)")
    #expect(sent.screen.contains("invitations or updates for 1 item"))
    #expect(model.items(in: "/calendars/alice/work/").count == 1)
  }

  @Test func `a terminal that is closed during a question ends the run as its signal does`()
    async throws
  {
    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    let run = try await folders.calgw.onTerminal(["sync"], closingAt: "too? [y/N] ")
    #expect(run.status == 128 + SIGHUP, "\(run.screen)")
    #expect(try folders.items("two").count == 2)
  }

  @Test(arguments: [("n", 1), ("", 1), ("y", 0)])
  func `a deletion is asked about where confirm_delete says so`(answer: String, left: Int)
    async throws
  {
    let folders = try TwoFolders("confirm_delete = \"always\"")
    for uid in ["dentist", "gym", "choir", "lunch"] {
      try folders.write("one", uid, at: 10, uid)
    }
    #expect(try await folders.calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: folders.calgw.home + "/one/work/gym.ics")
    let run = try await folders.calgw.onTerminal(
      ["sync"], answers: [("on the remote side, too? [y/N] ", answer)])
    #expect(run.screen.contains("\"gym\" (gym.ics)"), "\(run.screen)")
    #expect(try folders.items("two").count == 3 + left, "\(run.screen)")
    #expect(try folders.items("two").contains("gym 10") == (left == 1))
  }

  @Test(
    arguments: [
      ([], [:], true), (["--color", "never"], [:], false), (["--color", "always"], [:], true),
      ([], ["NO_COLOR": "1"], false), ([], ["NO_COLOR": ""], true), ([], ["TERM": "dumb"], false),
      (["--color", "always"], ["NO_COLOR": "1"], true),
    ] as [([String], [String: String], Bool)])
  func `colours are shown on a terminal, unless somebody says no`(
    options: [String], variables: [String: String], isColored: Bool
  ) async throws {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "dentist")
    let run = try await folders.calgw.onTerminal(
      ["sync", "--no-progress"] + options, environment: variables)
    #expect(run.status == 0)
    #expect(run.screen.contains("\u{1B}[1m") == isColored, "\(run.screen)")
  }

  @Test func `elsewhere than on a terminal there are colours only where they are asked for`()
    async throws
  {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "dentist")
    #expect(try await !folders.calgw("sync").output.contains("\u{1B}"))
    #expect(try await folders.calgw("sync", "--color", "always").output.contains("\u{1B}[1m"))
  }

  @Test func `init asks for what it needs, and shows no password`() async throws {
    var switches = ModelSwitches()
    switches.authentication = .basic
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try CommandLine()
    let run = try await calgw.onTerminal(
      ["init"],
      answers: [
        ("server's URL: ", server.url), ("user name there", "alice"),
        ("A command that prints the password", ""), ("Password: ", "secret"),
        ("directory for the calendars", ""),
      ])
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.screen.contains("Work"))
    #expect(!run.screen.contains("secret"))
    #expect(try await calgw("sync").status == 0)
    var status = stat()
    #expect(stat(calgw.home + "/config/calgw/config.toml", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }
}
