import Foundation
import TestSupport
import Testing

/// `new`, `edit` and `delete` by the real program.
@Suite struct EditCommandTests {
  private func calendar() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.write("work/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("work/standup.ics", EventCommandTests.series)
    return calgw
  }

  private func text(_ calgw: CommandLine, _ name: String = "work/standup.ics") throws -> String {
    try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
  }

  /// What was replaced stays beside it as long as a program has it open, and another test's child
  /// may have it so until its exec.
  private func names(_ calgw: CommandLine) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/work")
      .filter { !$0.hasPrefix(".calgw-x") }.sorted()
  }

  // MARK: New

  @Test func `a new event is one file with its time zone, and its name is printed`() async throws {
    let calgw = try calendar()
    let made = try await calgw.run(
      [
        "new", "--summary", "Lunch; with Ann", "--start", "2026-07-01 12:00", "--duration", "90m",
        "--tz", "Europe/Vienna", "--rrule", "FREQ=WEEKLY;COUNT=3", "--location", "Café",
        "--in", "work",
      ])
    #expect(made.status == 0, "\(made.errors)")
    let lines = made.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    let file = try String(contentsOfFile: lines[1], encoding: .utf8)
    for part in [
      "UID:\(lines[0])\r\n", "BEGIN:VTIMEZONE\r\nTZID:Europe/Vienna\r\n",
      "DTSTART;TZID=Europe/Vienna:20260701T120000\r\n", "SUMMARY:Lunch\\; with Ann\r\n",
      "RRULE:FREQ=WEEKLY;COUNT=3\r\n", "LOCATION:Café\r\n",
    ] {
      #expect(file.contains(part), "\(part) in \(file)")
    }
    let shown = try await calgw("show", lines[0], "--in", "work")
    #expect(shown.output.contains("12:00 to 13:30 (Europe/Vienna)"), "\(shown.output)")
  }

  @Test func `a day alone makes a day, an hour is the usual length`() async throws {
    let calgw = try calendar()
    let day = try await calgw(
      "new", "--summary", "Holiday", "--start", "2026-08-03", "--in", "work", "--json")
    #expect(day.status == 0, "\(day.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(day.output.utf8)) as? [String: Any])
    let uid = try #require(object["uid"] as? String)
    let shown = try await calgw("show", uid, "--in", "work", "--json")
    #expect(
      shown.output.contains("\"start\":\"2026-08-03\",\"end\":\"2026-08-04\",\"allDay\":true"))
    let hour = try await calgw(
      "new", "--summary", "Call", "--start", "2026-08-03T09:00", "--tz", "UTC", "--in", "work")
    let name = try #require(hour.output.split(separator: "\n").first)
    let call = try await calgw("show", String(name), "--in", "work")
    #expect(call.output.contains("09:00 to 10:00"), "\(call.output)")
  }

  @Test(arguments: [
    ["--start", "someday"], ["--start", "2026-02-30"],
    ["--start", "2026-08-03T09:00", "--end", "x"],
    ["--start", "2026-08-03T09:00", "--end", "2026-08-03T08:00"],
    ["--start", "2026-08-03T09:00", "--duration", "soon"],
    ["--start", "2026-08-03T09:00", "--rrule", "FREQ=OFTEN"],
    ["--start", "2026-08-03T09:00", "--tz", "Mars/Base"],
    ["--start", "2026-08-03", "--end", "2026-08-04", "--duration", "1d"],
  ])
  func `what cannot be is refused before anything is written`(arguments: [String]) async throws {
    let calgw = try calendar()
    let made = try await calgw.run(["new", "--summary", "X", "--in", "work"] + arguments)
    #expect(made.status == 64, "\(made.errors)")
    #expect(!made.errors.isEmpty)
    #expect(try names(calgw) == ["dentist.ics", "standup.ics"])
  }

  // MARK: Edit and delete

  @Test func `an edit touches what is named, and is in the log`() async throws {
    let calgw = try calendar()
    let dry = try await calgw(
      "edit", "work/dentist.ics", "--summary", "Doctor", "--dry-run")
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(dry.output.contains("- SUMMARY:Dentist"))
    #expect(dry.output.contains("+ SUMMARY:Doctor"))
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
    let done = try await calgw(
      "edit", "dentist", "--in", "work", "--summary", "Doctor", "--set", "STATUS=TENTATIVE",
      "--json")
    #expect(done.status == 0, "\(done.errors)")
    #expect(done.output.contains("\"action\":\"update\""))
    #expect(try text(calgw, "work/dentist.ics").contains("STATUS:TENTATIVE"))
    #expect(try names(calgw) == ["dentist.ics", "standup.ics"])
    #expect(try await calgw("log", "dentist").output.contains("edit-1"))
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
  }

  @Test(arguments: [
    (["edit", "standup", "--summary", "x"], 64, "--span"),
    (["delete", "standup"], 64, "--span"),
    (["edit", "standup", "--summary", "x", "--span", "this"], 64, "--occurrence"),
    (["delete", "standup", "--span", "future"], 64, "--occurrence"),
    (["edit", "standup", "--span", "this"], 64, "what to change"),
    (["edit", "standup", "--summary", "x", "--span", "some"], 64, "some"),
    (
      ["delete", "standup", "--span", "this", "--occurrence", "2026-01-06T09:00"], 65,
      "no occurrence"
    ),
    (["delete", "standup", "--span", "this", "--occurrence", "soonish"], 64, "soonish"),
    (["edit", "standup", "--span", "all", "--rrule", "FREQ=OFTEN"], 64, "rule"),
    (["edit", "standup", "--span", "all", "--start", "whenever"], 64, "whenever"),
    (["edit", "dentist", "--set", "UID=other"], 64, "UID"),
    (["edit", "dentist", "--set", "nonsense"], 64, "NAME=VALUE"),
    (["edit", "dentist", "--end", "2026-01-05T09:00"], 64, "end"),
    (["edit", "dentist", "--start", "2026-01-05", "--duration", "0d"], 64, "not after the start"),
  ])
  func `what is missing or wrong is told, and nothing changes`(
    arguments: [String], status: Int32, words: String
  ) async throws {
    let calgw = try calendar()
    let done = try await calgw.run(arguments + ["--in", "work"])
    #expect(done.status == status, "\(done.errors)")
    #expect(done.errors.contains(words), "\(done.errors)")
    #expect(try text(calgw) == EventCommandTests.series)
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
    #expect(!calgw.exists("state/calgw/edits/history.sqlite"))
  }

  @Test func `one occurrence changed, one deleted, the series as it was`() async throws {
    let calgw = try calendar()
    let changed = try await calgw(
      "edit", "standup", "--in", "work", "--span", "this", "--occurrence", "2026-01-12T09:00:00Z",
      "--summary", "Later")
    #expect(changed.status == 0, "\(changed.errors)")
    let deleted = try await calgw(
      "delete", "standup", "--in", "work", "--span", "this", "--occurrence", "20260119T090000Z")
    #expect(deleted.status == 0, "\(deleted.errors)")
    let shown = try await calgw("show", "standup", "--in", "work")
    #expect(shown.output.contains("Monday 12 January 2026, 09:00: \"Later\""), "\(shown.output)")
    #expect(shown.output.contains("except"))
    let one = try await calgw(
      "show", "standup", "--in", "work", "--occurrence", "2026-01-12T09:00", "--json")
    #expect(
      one.output.contains(
        "\"recurrenceId\":\"2026-01-12T09:00:00Z\",\"rrule\":null,\"summary\":\"Later\""),
      "\(one.output)")
    let plain = try await calgw(
      "show", "standup", "--in", "work", "--occurrence", "2026-01-26T09:00")
    #expect(plain.output.contains("Monday 26 January 2026, 09:00 to 09:15"), "\(plain.output)")
    let gone = try await calgw(
      "show", "standup", "--in", "work", "--occurrence", "2026-01-19T09:00")
    #expect(gone.status == 65)
    #expect(shown.output.contains("Monday 19 January 2026, 09:00"))
  }

  @Test func `a split leaves the old series in its file, and makes a second one`() async throws {
    let calgw = try calendar()
    let split = try await calgw(
      "edit", "standup", "--in", "work", "--span", "future", "--occurrence", "2026-01-19T09:00Z",
      "--summary", "New", "--json")
    #expect(split.status == 0, "\(split.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(split.output.utf8)) as? [String: Any])
    let created = try #require(object["created"] as? [String: Any])
    let file = try #require(created["file"] as? String)
    #expect(try names(calgw).count == 3)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("SUMMARY:New"))
    #expect(try text(calgw).contains("SUMMARY:Stand-up"))
    let all = try await calgw(
      "expand", "work", "--from", "2026-01-01", "--to", "2027-01-01", "--json")
    let standups = all.output.split(separator: "\n").filter { !$0.contains("Dentist") }
    #expect(standups.count == 4, "\(all.output)")
  }

  @Test func `a series from before a split comes with a word about its other part`() async throws {
    let calgw = try calendar()
    let split = try await calgw(
      "edit", "standup", "--in", "work", "--span", "future", "--occurrence", "2026-01-19T09:00Z",
      "--summary", "New")
    #expect(split.status == 0, "\(split.errors)")
    let other = try #require(
      try names(calgw).first { !["dentist.ics", "standup.ics"].contains($0) })
    for arguments in [["--dry-run"], []] {
      let restored = try await calgw.run(["restore", "edit-1"] + arguments)
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(restored.errors.contains("has of it is there twice"), "\(restored.errors)")
      #expect(restored.errors.contains("calgw delete --span all "), "\(restored.errors)")
      #expect(restored.errors.contains("/work/\(other)"), "\(restored.errors)")
    }
    #expect(try text(calgw) == EventCommandTests.series)
    #expect(try await calgw("delete", "--span", "all", "work/\(other)").status == 0)
    #expect(try names(calgw) == ["dentist.ics", "standup.ics"])
    let again = try await calgw("restore", "edit-1")
    #expect(again.status == 0 && !again.errors.contains("there twice"), "\(again.errors)")
  }

  @Test func `a whole event is deleted and comes back from the log`() async throws {
    let calgw = try calendar()
    #expect(try await calgw("delete", "dentist", "--in", "work", "--dry-run").status == 0)
    #expect(try names(calgw).count == 2)
    let deleted = try await calgw("delete", "dentist", "--in", "work")
    #expect(deleted.output == "\"Dentist\": deleted\n")
    #expect(try names(calgw) == ["standup.ics"])
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
  }

  @Test func `the mode of a file is kept`() async throws {
    let calgw = try calendar()
    let path = calgw.home + "/work/dentist.ics"
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(try await calgw("edit", path, "--summary", "Doctor").status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `a dry run says that the folder may not be written, as the edit does`() async throws {
    let calgw = try calendar()
    let work = calgw.home + "/work"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: work)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: work) }
    for options in [["--dry-run"], []] {
      for (edit, status) in [
        (["edit", "dentist", "--summary", "Doctor"], 73), (["delete", "dentist"], 74),
        (["edit", "dentist", "--summary", "Dentist"], 0),
      ] as [([String], Int32)] {
        let run = try await calgw.run(
          edit + ["--in", "work"] + options, within: MoveOutTests.plainly)
        #expect(run.status == status, "\(edit) \(options): \(run.errors)")
        #expect(run.errors.contains("dentist.ics cannot be written") == (status != 0))
      }
    }
  }

  // MARK: The editor

  /// An editor that runs a shell's command on the file. Not a program of its own: a file that this
  /// process has just written is busy while another test starts a program.
  private func editor(_ calgw: CommandLine, _ command: String) throws -> [String: String] {
    try calgw.write("editor", command + "\n")
    return ["EDITOR": "/bin/sh \(calgw.home)/editor"]
  }

  @Test func `an editor changes the text, and its copy goes`() async throws {
    let calgw = try calendar()
    let done = try await calgw(
      "edit", "dentist", "--in", "work",
      environment: try editor(calgw, "sed -i s/Dentist/Doctor/ \"$1\""))
    #expect(done.status == 0, "\(done.errors)")
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Doctor"))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: calgw.home + "/state/calgw/edits")
    #expect(!left.contains { $0.hasPrefix("open-") })
  }

  @Test func `what an editor prints is none of the results`() async throws {
    let calgw = try calendar()
    let command = "echo noise; sed -i s/Dentist/Doctor/ \"$1\""
    let done = try await calgw(
      "edit", "dentist", "--in", "work", "--json", environment: try editor(calgw, command))
    #expect(done.status == 0 && done.errors.contains("noise"), "\(done.errors)")
    #expect(done.output.hasPrefix("{") && !done.output.contains("noise"), "\(done.output)")
  }

  @Test(arguments: ["true", ": > \"$1\"", "rm \"$1\""])
  func `a text that is unchanged, empty or gone changes nothing`(command: String) async throws {
    let calgw = try calendar()
    let done = try await calgw(
      "edit", "dentist", "--in", "work", environment: try editor(calgw, command))
    #expect(done.status == 0)
    #expect(done.errors == "nothing was changed\n")
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
    #expect(!calgw.exists("state/calgw/edits/history.sqlite"))
  }

  @Test func `a text with a mistake is not put in place, and kept`() async throws {
    let calgw = try calendar()
    let done = try await calgw(
      "edit", "dentist", "--in", "work",
      environment: try editor(calgw, "sed -i 's/^DTSTART:.*/DTSTART:tomorrow/' \"$1\""))
    #expect(done.status == 65)
    #expect(done.errors.contains("line 7"), "\(done.errors)")
    let words = done.errors.split { $0 == " " || $0 == "\n" }
    let path = try #require(words.last { $0.hasSuffix(".ics") })
    #expect(try String(contentsOfFile: String(path), encoding: .utf8).contains("DTSTART:tomorrow"))
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))
  }

  @Test func `a file that changes meanwhile is not overwritten, and the text is kept`() async throws
  {
    let calgw = try calendar()
    let file = calgw.home + "/work/dentist.ics"
    let done = try await calgw(
      "edit", "dentist", "--in", "work",
      environment: try editor(
        calgw, "sed -i s/Dentist/Doctor/ \"$1\"; sed -i s/Dentist/Friend/ '\(file)'"))
    #expect(done.status == 75)
    #expect(done.errors.contains("Your text is kept in"))
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Friend"))
  }

  @Test func `a text that was left when calgw was killed is named by the next edit of that item`()
    async throws
  {
    let calgw = try calendar()
    let killed = try await calgw(
      "edit", "dentist", "--in", "work",
      environment: try editor(calgw, "sed -i s/Dentist/Doctor/ \"$1\"; kill -9 $PPID"))
    #expect(killed.status == 128 + 9)
    let words = "note: an earlier edit of its UID was not taken over"
    let next = try await calgw("edit", "dentist", "--in", "work", "--location", "Here")
    #expect(next.status == 0 && next.errors.contains(words), "\(next.errors)")
    let path = try #require(
      next.errors.split { " \n,".contains($0) }.first { $0.hasSuffix(".ics") })
    #expect(try String(contentsOfFile: String(path), encoding: .utf8).contains("Doctor"))
    let other = try await calgw(
      "edit", "standup", "--in", "work", "--location", "Here", "--span", "all")
    #expect(other.status == 0 && !other.errors.contains(words), "\(other.errors)")
  }

  @Test func `an editor that fails or is missing changes nothing`() async throws {
    let calgw = try calendar()
    let failed = try await calgw(
      "edit", "dentist", "--in", "work", environment: try editor(calgw, "exit 3"))
    #expect(failed.status == 74)
    #expect(failed.errors.contains("status 3"))
    let missing = try await calgw(
      "edit", "dentist", "--in", "work", environment: ["VISUAL": "/no/such/editor"])
    #expect(missing.status == 74)
    #expect(missing.errors.contains("$VISUAL"))
  }

  /// SIGINT from a terminal is the editor's own: it goes to both.
  @Test(arguments: [("TERM", 143), ("HUP", 129)] as [(String, Int32)])
  func `a signal ends an open editor, and what it saved is kept`(signal: String, status: Int32)
    async throws
  {
    let calgw = try calendar()
    let end = "kill -\(signal) $PPID; exec sleep 600"
    let ended = try await calgw(
      "edit", "dentist", "--in", "work",
      environment: try editor(calgw, "sed -i s/Dentist/Doctor/ \"$1\"; \(end)"))
    #expect(ended.status == status, "\(ended.errors)")
    #expect(ended.errors.contains("Your text is kept in"), "\(ended.errors)")
    let path = try #require(
      ended.errors.split { " \n,".contains($0) }.last { $0.hasSuffix(".ics") })
    #expect(try String(contentsOfFile: String(path), encoding: .utf8).contains("Doctor"))
    #expect(try text(calgw, "work/dentist.ics") == event("dentist", "Dentist"))

    let beside = try await calgw(
      "edit", "standup", "--in", "work",
      environment: try editor(calgw, "echo unsaved > \"$1.swp\"; \(end)"))
    #expect(beside.status == status, "\(beside.errors)")
    #expect(beside.errors.contains("What the editor kept is beside"), "\(beside.errors)")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal ends an import that waits for its text`(signal: Int32, status: Int32) async throws
  {
    let calgw = try calendar()
    let pipe = calgw.home + "/text"
    mkfifo(pipe, 0o600)
    // Open at both ends, so that reading never ends.
    let end = open(pipe, O_RDWR)
    defer { close(end) }
    let program = try calgw.start(["import", "-", "--in", "work"], from: pipe)
    let half = Array(event("half", "Half").utf8.dropLast(20))
    #expect(write(end, half, half.count) == half.count)
    // Once it has taken what there is, it waits for more, and has taken over the signals.
    await onOwnThread { while hasBytes(end) { sched_yield() } }
    program.send(signal)
    let run = await onOwnThread { program.finish() }
    #expect(run.status == status, "\(run.errors)")
    #expect(!calgw.exists("work/half.ics"))
  }
}

/// Somebody has yet to read from a pipe.
private func hasBytes(_ pipe: Int32) -> Bool {
  var waiting: Int32 = 0
  return ioctl(pipe, UInt(FIONREAD), &waiting) == 0 && waiting > 0
}
