import Foundation
import Glibc
import TestSupport
import Testing

/// `list`, `list --month` and `expand` by the real program.
@Suite struct AgendaCommandTests {
  /// As `show` and `edit` call it: the folder's own path, and the name.
  @Test(arguments: ["sl/work/a.ics", "x/../sl/work/a.ics", "x/../sl/work", "sl"])
  func `a file is called the same by all commands`(named: String) async throws {
    let calgw = try CommandLine()
    let odd = event("b", "B").replacing("SUMMARY:B", with: "RRULE:FREQ=NIX\r\nSUMMARY:B")
    try calgw.write("cal/work/a.ics", event("a", "A"))
    try calgw.write("cal/work/b.ics", odd)
    try calgw.write("x/notes", "")
    symlink(calgw.home + "/cal", calgw.home + "/sl")
    let times = ["--from", "2026-01-01", "--to", "2026-02-01"]
    let file = "\"file\":\"\(calgw.home)/cal/work/"
    for command in [["list", named] + times, ["expand", named] + times] {
      let run = try await calgw.run(command + ["--json"])
      #expect(run.output.contains(file + "a.ics\""), "\(command): \(run.output)\(run.errors)")
    }
    let broken = named.replacing("a.ics", with: "b.ics")
    let check = try await calgw("check", broken, "--json")
    #expect(check.output.contains(file + "b.ics\""), "\(check.output)\(check.errors)")
    let show = try await calgw("show", "sl/work/a.ics", "--json")
    #expect(show.output.contains(file + "a.ics\""), "\(show.output)\(show.errors)")
  }

  /// Two calendars of March 2019 with titles of many scripts.
  private func calendars() throws -> CommandLine {
    let calgw = try CommandLine()
    for name in ["work/standup.ics", "work/review.ics", "work/trip.ics", "home/family.ics"] {
      try calgw.write("cal/" + name, try Project.text("Fixtures/snapshots/" + name))
    }
    try calgw.write("cal/home/displayname", "Zuhause\n")
    try calgw.write("cal/home/color", "#ff8800\n")
    return calgw
  }

  private static let march = [
    "--tz", "Europe/Vienna", "--from", "2019-03-04", "--to", "2019-03-09",
  ]

  @Test func `an agenda`() async throws {
    let calgw = try calendars()
    let run = try await calgw.run(["list", "cal"] + Self.march)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == (try Project.text("Fixtures/snapshots/agenda.txt")))
  }

  @Test(arguments: [["--month", "2019-03"], ["--month=2019-03"]])
  func `a month`(option: [String]) async throws {
    let calgw = try calendars()
    let run = try await calgw.run(["list"] + option + ["cal", "--tz", "Europe/Vienna"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == (try Project.text("Fixtures/snapshots/month.txt")))
  }

  @Test func `colours are the calendars' own, and only where they are wanted`() async throws {
    let calgw = try calendars()
    let colored = try await calgw.run(["list", "cal", "--color", "always"] + Self.march)
    #expect(colored.output.contains("\u{1B}[38;2;255;136;0m●\u{1B}[0m"))
    #expect(colored.output.contains("\u{1B}[1mMonday, 2019-03-04\u{1B}[0m"))
    let plain = try await calgw.run(["list", "cal"] + Self.march)
    #expect(!plain.output.contains("\u{1B}"))
  }

  @Test func `JSON has an object a line, with absolute files`() async throws {
    let calgw = try calendars()
    let run = try await calgw.run(["list", "cal", "--json"] + Self.march)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 9)
    for line in lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect((object["file"] as? String)?.hasPrefix("/") == true)
      #expect(["work", "home"].contains(object["calendar"] as? String))
    }
  }

  @Test func `the zone of the terminal is TZ's`() async throws {
    let calgw = try calendars()
    let run = try await calgw(
      "list", "cal/work/standup.ics", "--from", "2019-03-05", "--to", "2019-03-06",
      environment: ["TZ": "Asia/Tokyo"])
    #expect(run.output == "Tuesday, 2019-03-05\n  17:00-17:15  ● Standup 会議 · Raum 1, Stock 2\n")
  }

  @Test func `hostile titles neither steer the terminal nor hide on it`() async throws {
    let calgw = try CommandLine()
    let title = "\u{1B}[2J\u{1B}]52;c;eA==\u{7}\u{202E}evil\u{9B}31m\u{200B}\u{2066}"
    try calgw.write("cal/a.ics", event("a\u{1B}[31m", title))
    try calgw.write("cal/\u{1B}[31m.ics", "")
    for arguments in [
      ["list", "cal", "--from", "2026-01-05"], ["list", "--month", "2026-01", "cal"],
      ["list", "cal", "--from", "2026-01-05", "--json"], ["expand", "cal/a.ics"],
      ["check", "cal"], ["check", "cal", "--json"],
    ] {
      let run = try await calgw.run(arguments)
      // The cells of a month have no room for it.
      let isShown = arguments[0] != "check" && !arguments.contains("--month")
      #expect(run.output.contains("evil") == isShown, "\(arguments)")
      for scalar in (run.output + run.errors).unicodeScalars where scalar != "\n" {
        let isHostile =
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || [0x202E, 0x200B, 0x2066].contains(scalar.value)
        #expect(!isHostile, "\(arguments) \(scalar.value)")
      }
    }
  }

  @Test func `what is not there is status 66, no calendar 65, and the rest is printed`()
    async throws
  {
    let calgw = try calendars()
    try calgw.write("text.ics", "hello\n")
    let missing = try await calgw.run(["expand", "cal/work/review.ics", "none.ics"])
    #expect(missing.status == 66)
    #expect(missing.output.contains("Review"))
    #expect(missing.errors.contains("none.ics"))
    let text = try await calgw.run(["expand", "text.ics", "cal/work/review.ics"])
    #expect(text.status == 65)
    #expect(text.output.contains("Review"))
    mkfifo(calgw.home + "/cal/work/pipe.ics", 0o600)
    symlink("/etc/passwd", calgw.home + "/cal/work/link.ics")
    let odd = try await calgw.run(["list", "cal", "--json"] + Self.march)
    #expect(odd.status == 1)
    #expect(odd.output.split(separator: "\n").count == 9)
    #expect(odd.errors.contains("pipe.ics"))
    #expect(odd.errors.contains("link.ics"))
    #expect(try await calgw.run(["expand", "cal/work/pipe.ics"]).status == 1)
    #expect(try await calgw.run(["list"]).status == 64)
  }

  @Test func `a name that is not UTF-8 is encoded in JSON`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/a.ics", event("a", "x"))
    let name = Array("\(calgw.home)/cal/caf".utf8) + [0xE9] + Array(".ics".utf8) + [0]
    #expect(rename(calgw.home + "/cal/a.ics", name.map { CChar(bitPattern: $0) }) == 0)
    let run = try await calgw.run(["list", "cal", "--from", "2026-01-05", "--json"])
    #expect(run.output.contains("/cal/caf%E9.ics\",\"fileEncoded\":true,\"calendar\":\"cal\"}"))
    for words in [["show", "a"], ["edit", "a", "--dry-run", "--location", "Office"]] {
      let run = try await calgw.run(words + ["--in", "cal", "--json"])
      #expect(run.output.contains("/cal/caf%E9.ics\",\"fileEncoded\":true"), "\(run.output)")
    }
  }

  @Test func `a batch answers line for line, to the end`() async throws {
    let calgw = try CommandLine()
    let ics = event("a", "x").replacing("\r\n", with: "\\n")
    let good = "{\"id\":%,\"ics\":\"\(ics)\",\"from\":\"2026-01-05\",\"to\":\"2026-01-06\"}"
    let lines = [
      good.replacing("%", with: "1"), "garbage", "", "{\"id\":2}",
      good.replacing("%", with: "\"z\""),
    ]
    let run = try await calgw.run(["expand", "--batch"], input: lines.joined(separator: "\n"))
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let answers = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(answers.count == 5)
    let instance =
      "\"instances\":[{\"uid\":\"a\",\"start\":\"2026-01-05T10:00:00Z\","
      + "\"end\":\"2026-01-05T10:00:00Z\",\"recurrenceId\":null,\"summary\":\"x\"}]}"
    #expect(answers.first == "{\"id\":1,\(instance)")
    #expect(answers.dropFirst().prefix(2).allSatisfy { $0.hasPrefix("{\"id\":null,\"error\":") })
    #expect(answers.dropFirst(3).first?.hasPrefix("{\"id\":2,\"error\":") == true)
    #expect(answers.last == "{\"id\":\"z\",\(instance)")
  }

  @Test(arguments: [
    ["expand"], ["expand", "--batch", "a.ics"], ["expand", "--batch", "--from", "today"],
    ["list", "--month", "--from", "today"], ["list", "--tz", "Nowhere/Land", "."],
    ["list", ".", "--from", "soon"], ["list", ".", "--from", "2026-01-02", "--to", "2026-01-01"],
    ["check", "--bogus"], ["list", ""], ["expand", ".", ""], ["check", "--fix", ""],
  ])
  func `a usage error is status 64`(arguments: [String]) async throws {
    let run = try await CommandLine().run(arguments)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `a signal ends a batch that waits for input`() async throws {
    let calgw = try CommandLine()
    let pipe = calgw.home + "/lines"
    mkfifo(pipe, 0o600)
    // Open at both ends, so that opening waits for nobody and reading never ends.
    let end = open(pipe, O_RDWR)
    defer { close(end) }
    let program = try calgw.start(["expand", "--batch"], from: pipe)
    let line = Array("garbage\n".utf8)
    #expect(write(end, line, line.count) == line.count)
    // Its answer says that it runs and has taken over the signals.
    let answer = await onOwnThread { program.output.readSome() }
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("{\"id\":null"))
    program.send(SIGINT)
    #expect(await onOwnThread { program.finish() }.status == 130)
  }

  /// A sync of a folder that is gone with its disk would not bring it back.
  @Test func `a pair's folder that is not there is one to mount, or to have made`() async throws {
    let folders = try TwoFolders()
    let run = try await folders.calgw("list", "p")
    #expect(run.status == 1, "\(run.errors)")
    for words in ["mount its disk", "where it never was, run `calgw sync p`"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }
}
