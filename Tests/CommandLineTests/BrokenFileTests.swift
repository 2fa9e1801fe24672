import Foundation
import TestSupport
import Testing

/// Where in a broken file to look, as `sync` and `status` say it, on either side of a pair.
@Suite struct BrokenFileTests {
  /// What became of a whole file of ten lines.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the messages say of the place.
    let words: String
    let code: String
    /// A number sign in the result stands for a byte that no UTF-8 text has.
    let change: @Sendable (String) -> String

    init(
      _ description: String, _ words: String, _ code: String,
      change: @escaping @Sendable (String) -> String
    ) {
      testDescription = description
      self.words = words
      self.code = code
      self.change = change
    }

    func bytes(of text: String) -> [UInt8] {
      change(text).utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
    }
  }

  /// The numbers are those of the lines of `event`, where BEGIN:VEVENT is the fourth.
  static let damages = [
    Damage("cut off", "is cut off: what begins in line 1 has no end", "incomplete") {
      String($0.prefix(120))
    },
    Damage("an event without its end", "is cut off: what begins in line 4 has no end", "incomplete")
    {
      $0.replacing("END:VEVENT\r\n", with: "")
    },
    Damage("a stray end", "has an END in line 9 that nothing begins", "incomplete") {
      $0.replacing("END:VEVENT", with: "END:VALARM\r\nEND:VEVENT")
    },
    Damage("a web page", "is no iCalendar text: see line 2", "unreadable") {
      "\r\n<html>\r\n" + $0
    },
    Damage("no UID", "has a component without a UID in line 4", "no-uid") {
      $0.replacing("UID:a\r\n", with: "")
    },
    Damage("a blank UID", "has a component without a UID in line 4", "no-uid") {
      $0.replacing("UID:a\r\n", with: "UID:  \r\n")
    },
    Damage("no event", "holds no event, task or note", "incomplete") {
      ($0.components(separatedBy: "BEGIN:VEVENT").first ?? "") + "END:VCALENDAR\r\n"
    },
    Damage(
      "two UIDs", "holds 2 items with different UIDs, the second in line 11", "several-uids"
    ) {
      $0.replacing("END:VEVENT", with: "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\nEND:VEVENT")
    },
    Damage(
      "two events in one", "has a component with several UIDs, the second in line 6",
      "several-uids"
    ) {
      $0.replacing("DTSTAMP", with: "UID:b\r\nDTSTAMP")
    },
    Damage("Latin-1", "is not UTF-8: see line 8", "unreadable") {
      $0.replacing("Dentist", with: "Caf#")
    },
  ]

  private func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private func pair() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.copy]\nlocal = \"~/here\"\nremote = { local = \"~/there\" }\n")
    return calgw
  }

  @Test(arguments: damages, ["here", "there"])
  func `the line is in the output of sync and of status`(damage: Damage, side: String)
    async throws
  {
    let calgw = try pair()
    let whole = event("a", "Dentist")
    try calgw.write("here/work/a.ics", whole)
    #expect(try await calgw("sync").status == 0)
    let file = URL(filePath: "\(calgw.home)/\(side)/work/a.ics")
    #expect(FileManager.default.fileExists(atPath: file.path()))
    let broken = Data(damage.bytes(of: whole))
    try broken.save(to: file)

    let run = try await calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("'a.ics' \(damage.words) [\(damage.code)]\n"), "\(run.errors)")
    let status = try await calgw("status", "--exit-code")
    #expect(status.status == 1)
    #expect(
      status.output.contains("'a.ics' \(damage.words) [\(damage.code)]\n"), "\(status.output)")
    #expect(try Data(contentsOf: file) == broken)
    let other = "\(calgw.home)/\(side == "here" ? "there" : "here")/work/a.ics"
    #expect(FileManager.default.contents(atPath: other) == Data(whole.utf8))
  }

  @Test func `of a lost UID it is said which one it was, where that is known`() async throws {
    let calgw = try pair()
    try calgw.write("here/work/a.ics", event("a", "Dentist"))
    #expect(try await calgw("sync").status == 0)
    for name in ["a", "b"] {
      let text = event(name, "Dentist").replacing("UID:\(name)\r\n", with: "")
      try calgw.write("here/work/\(name).ics", text)
    }
    let run = try await calgw("sync")
    #expect(run.errors.contains("put its line 'UID:a' back below its BEGIN"), "\(run.errors)")
    #expect(run.errors.contains("add a line 'UID:' with a text that no other item has"))
    #expect(!run.errors.contains("UID:b"))
  }

  /// Not over one that holds another item, too.
  @Test(arguments: damages.filter { $0.code != "several-uids" })
  func `a restore over a broken file can be taken back, byte for byte`(damage: Damage)
    async throws
  {
    let calgw = try pair()
    let whole = event("a", "Dentist")
    try calgw.write("here/work/a.ics", whole)
    #expect(try await calgw("sync").status == 0)
    let file = URL(filePath: "\(calgw.home)/here/work/a.ics")
    let broken = Data(damage.bytes(of: whole))
    try broken.save(to: file)
    #expect(try await calgw("sync").status == 1)
    #expect(try await calgw("restore", "copy/1").status == 0)
    #expect(try Data(contentsOf: file) == Data(whole.utf8))

    let log = try await calgw("log", "--content", "--json").output.split(separator: "\n")
    let kept = try #require(
      try log.map { try object(String($0)) }.first { $0["id"] as? String == "copy/2" })
    let encoded = kept["beforeBase64"] as? String
    let text = (kept["before"] as? String).map { Data($0.utf8) }
    #expect((encoded.flatMap { Data(base64Encoded: $0) } ?? text) == broken)
    #expect((encoded == nil) == (String(data: broken, encoding: .utf8) != nil))

    for options in [["--dry-run"], []] {
      let run = try await calgw.run(["restore", "copy/2"] + options)
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.output.contains("copy/work: down: 1 changed; 1 problem"), "\(run.output)")
      #expect(run.errors.contains("'a.ics' \(damage.words) [\(damage.code)]\n"), "\(run.errors)")
    }
    #expect(try Data(contentsOf: file) == broken)
    let other = "\(calgw.home)/there/work/a.ics"
    #expect(FileManager.default.contents(atPath: other) == Data(whole.utf8))
    #expect(try await calgw("restore", "copy/3").status == 0)
    #expect(try Data(contentsOf: file) == Data(whole.utf8))
    #expect(try await calgw("status", "--exit-code").status == 0)
  }

  @Test(arguments: damages)
  func `the line is in the message of JSON, of a file that was never whole, too`(damage: Damage)
    async throws
  {
    let calgw = try pair()
    try calgw.write("here/work/whole.ics", event("whole", "Gym"))
    let file = URL(filePath: "\(calgw.home)/here/work/a.ics")
    try Data(damage.bytes(of: event("a", "Dentist"))).save(to: file)
    let run = try await calgw("sync", "--json")
    #expect(run.status == 1)
    let collections = try #require(try object(run.output)["collections"] as? [[String: Any]])
    let told = try #require(collections.first?["problems"] as? [[String: Any]])
    #expect(told.map { $0["code"] as? String } == [damage.code])
    #expect(told.map { $0["message"] as? String } == ["'a.ics' \(damage.words)"])
    let lines = try await calgw("status", "--json").output.split(separator: "\n")
    let pending = try lines.map { try object(String($0))["problem"] as? [String: Any] }
    #expect(pending.map { $0?["message"] as? String } == ["'a.ics' \(damage.words)"])
    #expect(calgw.exists("there/work/whole.ics"))
  }
}
