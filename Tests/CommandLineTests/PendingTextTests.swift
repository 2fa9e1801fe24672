import Foundation
import Testing

/// What people are told of what is not in step, and the commands that they are to paste.
@Suite struct PendingTextTests {
  /// An item on both sides that was edited here and must not go there.
  private func kept() async throws -> TwoFolders {
    let folders = try TwoFolders()
    try folders.write("one", "dentist", at: 10, "Dentist")
    #expect(try await folders.calgw("sync").status == 0)
    try configure(folders, "read_only = true")
    try folders.write("one", "dentist", at: 10, "Doctor")
    return folders
  }

  private func configure(_ folders: TwoFolders, _ key: String) throws {
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\n\(key)\n")
  }

  @Test func `status and diff say what changed, what is in its way and what to do`() async throws {
    let folders = try await kept()
    let status = try await folders.calgw("status").output
    let change = "title \"Dentist\" → \"Doctor\"\n"
    #expect(
      status.contains("problem  \"Doctor\" (dentist.ics): updated on the local side; the remote"))
    #expect(status.contains("[read-only]\n    local: \(change)           do: "), "\(status)")
    let diff = try await folders.calgw("diff").output
    #expect(diff.contains("  \"Doctor\" (dentist.ics)\n    \(change)    problem the remote"))
    #expect(diff.contains("[read-only]\n      do: "), "\(diff)")
  }

  @Test func `a problem of a whole collection is told once`() async throws {
    let folders = try TwoFolders()
    for uid in ["a", "b", "c", "d", "e"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    for uid in ["a", "b", "c", "d", "e"] {
      try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/\(uid).ics")
    }
    let words = "this would delete 5 of 5 items"
    for command in ["status", "diff"] {
      let output = try await folders.calgw(command).output
      #expect(output.components(separatedBy: words).count == 2, "\(output)")
    }
    let run = try await folders.calgw("sync")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("and `calgw forget p/work` with a sync all of them"), "\(run.errors)")
    #expect(try await folders.calgw("forget", "p/work").status == 0)
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try folders.items("one") == ["a 10", "b 10", "c 10", "d 10", "e 10"])
  }

  @Test(arguments: [
    ("dentist", "dentist"), ("ü$(touch pwned)", "'ü$(touch pwned)'"),
    ("it's", #"'it'\''s'"#),
  ])
  func `a command to paste holds a UID that no shell takes for more`(uid: String, word: String)
    async throws
  {
    let folders = try TwoFolders("conflict = \"ask\"")
    for (side, title) in [("one", "Here"), ("two", "There")] {
      try folders.calgw.write("\(side)/work/x.ics", event(uid, title))
    }
    let run = try await folders.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("run `calgw resolve \(word)`, on a terminal"), "\(run.errors)")
    let status = try await folders.calgw("status").output
    #expect(status.contains("do: calgw resolve \(word)\n"), "\(status)")

    let own = "my config.toml"
    let written = try String(
      contentsOfFile: folders.calgw.home + "/config/calgw/config.toml", encoding: .utf8)
    try folders.calgw.write(own, written)
    let other = try await folders.calgw("status", "--config", own).output
    #expect(other.contains("do: calgw resolve --config '\(own)' \(word)\n"), "\(other)")
  }

  @Test(arguments: ["--take", "-rf", "a\\nb"])
  func `of a UID that is hard to type a command to paste names the file`(uid: String) async throws {
    let folders = try TwoFolders("conflict = \"ask\"")
    for (side, title) in [("one", "Here"), ("two", "There")] {
      try folders.calgw.write("\(side)/work/x.ics", event(uid, title))
    }
    let run = try await folders.calgw("sync")
    #expect(run.status == 1)
    let file = "\(folders.calgw.home)/one/work/x.ics"
    #expect(run.errors.contains("run `calgw resolve \(file)`, on a terminal"), "\(run.errors)")
    #expect(try await folders.calgw("resolve", file, "--take", "local").status == 0)
    #expect(try await folders.calgw("status", "--exit-code").status == 0)
  }

  @Test func `the log names titles and the time here, and takes a file`() async throws {
    let folders = try TwoFolders()
    for title in ["Dentist", "Doctor"] {
      try folders.write("one", "dentist", at: 10, title)
      try folders.write("one", "gym", at: 10, "Gym of \(title)")
      #expect(try await folders.calgw("sync").status == 0)
    }
    #expect(try await folders.calgw("log").output.split(separator: "\n").count == 2)
    let log = try await folders.calgw("log", "one/work/dentist.ics", environment: ["TZ": "UTC"])
    #expect(log.status == 0)
    #expect(log.output.contains("  replaced  \"Dentist\" (dentist): "), "\(log.output)")
    #expect(!log.output.contains("Gym"), "\(log.output)")
    let day = /[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\s\sp\/work/
    #expect(log.output.contains(day), "\(log.output)")
    let json = try await folders.calgw("log", "one/work/dentist.ics", "--json").output
    #expect(json.contains("\"uid\":\"dentist\"") && !json.contains("Dentist"), "\(json)")

    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/gym.ics")
    #expect(try await folders.calgw("sync").status == 0)
    let gone = try await folders.calgw("log", "one/work/gym.ics")
    #expect(gone.output.contains("\"Gym of Doctor\" (gym)"), "\(gone.output)")
    #expect(try await folders.calgw("log", "one/work/none.ics").status == 66)
  }

  @Test func `a dry restore says what the restore will`() async throws {
    let folders = try TwoFolders()
    for title in ["Dentist", "Doctor"] {
      try folders.write("one", "dentist", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    let words = "p/work: down: 1 changed; up: 1 changed"
    let dry = try await folders.calgw("restore", "p/1", "--dry-run").output
    #expect(dry.hasPrefix("\(words) (dry run: nothing was changed)\n"), "\(dry)")
    #expect(dry.contains("change on the remote side: \"Dentist\""), "\(dry)")
    #expect(try await folders.calgw("restore", "p/1").output == words + "\n")
  }
}
