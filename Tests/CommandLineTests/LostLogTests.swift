import Foundation
import TestSupport
import Testing

/// The log after a journal was damaged: it begins anew, and says so.
@Suite struct LostLogTests {
  @Test func `a log that went with a damaged journal says where it may still be`() async throws {
    let folders = try TwoFolders()
    for title in ["first", "second"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    let whole = try await folders.calgw("log")
    #expect(whole.output.contains("p/1  ") && whole.errors.isEmpty, "\(whole.errors)")

    let journal = "state/calgw/p.sqlite"
    try folders.calgw.write(journal, String(repeating: "no database\n", count: 100))
    let now = try await folders.calgw("log")
    #expect(now.output.isEmpty)
    #expect(now.errors.contains("note: pair p: the journal is damaged"), "\(now.errors)")
    #expect(try await folders.calgw("sync").status == 0)

    let place = "\(folders.calgw.home)/\(journal).damaged-1"
    for name in [nil, "choir", "p", "p/work", "nobody"] as [String?] {
      let log = try await folders.calgw.run(["log"] + [name].compactMap(\.self))
      #expect(log.status == (name == "nobody" ? 66 : 0), "\(log.errors)")
      #expect(log.output.isEmpty)
      #expect(log.errors.contains("note: the log of pair p was begun anew"), "\(log.errors)")
      #expect(log.errors.contains("in \(place): "), "\(log.errors)")
    }
    #expect(try await folders.calgw("log", "--quiet").errors.isEmpty)

    try folders.write("one", "choir", at: 10, "third")
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try await folders.calgw("log").errors.contains(place), "what was before is lost still")
    let found = try await folders.calgw("log", "choir")
    #expect(found.output.contains("p/1  ") && found.errors.isEmpty, "\(found.errors)")
    try FileManager.default.removeItem(atPath: place)
    #expect(try await folders.calgw("log").errors.isEmpty)
  }

  @Test func `status, diff and restore say that a journal is damaged`() async throws {
    let folders = try TwoFolders()
    for title in ["first", "second"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    #expect(try await folders.calgw("status").errors.isEmpty)
    try folders.calgw.write(
      "state/calgw/p.sqlite", String(repeating: "no database\n", count: 100))
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/one/work/choir.ics")
    let status = try await folders.calgw("status")
    #expect(status.output.contains("created on the remote side"), "\(status.output)")
    for command in ["status", "diff"] {
      let run = try await folders.calgw(command)
      #expect(run.status == 0)
      #expect(run.errors.contains("note: pair p: the journal is damaged"), "\(run.errors)")
    }
    for arguments in [["diff", "nobody"], ["restore", "p/1"]] {
      let run = try await folders.calgw.run(arguments)
      #expect(run.status == 66)
      #expect(run.errors.contains("the journal is damaged"), "\(run.errors)")
    }
    #expect(try await folders.calgw("sync").status == 0)
    let restore = try await folders.calgw("restore", "p/1")
    #expect(restore.status == 66)
    #expect(restore.errors.contains("why:   the log of pair p was begun anew"), "\(restore.errors)")
    let after = try await folders.calgw("status")
    #expect(after.errors.isEmpty, "\(after.errors)")
  }

  /// The second time it is there, with nothing in it.
  @Test(arguments: [true, false])
  func `a journal that somebody removed is told until a sync has begun anew`(
    isGone: Bool
  ) async throws {
    let folders = try TwoFolders()
    for title in ["first", "second"] {
      try folders.write("one", "choir", at: 10, title)
      #expect(try await folders.calgw("sync").errors.isEmpty)
    }
    let journal = "\(folders.calgw.home)/state/calgw/p.sqlite"
    try FileManager.default.removeItem(atPath: journal)
    if !isGone { try folders.calgw.write("state/calgw/p.sqlite", "") }
    let words = "the journal \(journal) is \(isGone ? "gone" : "empty"), and what it had with it"
    for arguments in [["status"], ["diff"], ["log"], ["log", "p"], ["sync", "--dry-run"]] {
      let run = try await folders.calgw.run(arguments)
      #expect(run.status == 0)
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
      #expect(run.errors.contains("the next run is a first sync"), "\(run.errors)")
    }
    let restore = try await folders.calgw("restore", "p/1")
    #expect(restore.status == 66)
    #expect(restore.errors.contains(words), "\(restore.errors)")
    let doctor = try await folders.calgw("doctor")
    #expect(doctor.output.contains("warning journal: \(words)"), "\(doctor.output)")
    #expect(folders.calgw.exists("state/calgw/p.sqlite") == !isGone, "a look makes none")
    let sync = try await folders.calgw("sync")
    #expect(sync.status == 0)
    #expect(sync.errors.contains("\(words): what both sides agreed on, and the log; this is a"))
    for command in ["sync", "status", "log"] {
      #expect(try await folders.calgw(command).errors.isEmpty)
    }
  }

  /// As from a backup of the state directory: nothing is deleted, made anew or taken back.
  @Test func `an older journal that is brought back leaves both sides as they are`() async throws {
    let folders = try TwoFolders()
    for uid in ["choir", "gym", "lunch", "swim"] { try folders.write("one", uid, at: 10, uid) }
    #expect(try await folders.calgw("sync").status == 0)
    let journal = URL(filePath: "\(folders.calgw.home)/state/calgw/p.sqlite")
    let older = try Data(contentsOf: journal)

    try folders.write("one", "choir", at: 11, "choir here")
    try folders.write("two", "gym", at: 12, "gym there")
    try folders.write("one", "new", at: 13, "new")
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/two/work/lunch.ics")
    #expect(try await folders.calgw("sync").status == 0)
    #expect(try Data(contentsOf: journal) != older)
    try older.save(to: journal)
    for _ in 1...2 {
      let run = try await folders.calgw("sync")
      #expect(run.status == 0, "\(run)")
      for side in ["one", "two"] {
        let items = try folders.items(side)
        #expect(items == ["choir here 11", "gym there 12", "new 13", "swim 10"], "\(side)")
      }
    }
  }

  /// Nor is one of a pair that shared nothing yet.
  @Test func `a journal of which all was forgotten is not lost`() async throws {
    let folders = try TwoFolders()
    try folders.write("one", "choir", at: 10, "first")
    #expect(try await folders.calgw("status").errors.isEmpty)
    #expect(try await folders.calgw("sync").errors.isEmpty)
    #expect(try await folders.calgw("forget", "p").status == 0)
    #expect(try await folders.calgw("status").errors.isEmpty)
    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/state/calgw/p.sqlite")
    for command in ["status", "log", "sync"] {
      #expect(try await folders.calgw(command).errors.isEmpty)
    }
  }
}
