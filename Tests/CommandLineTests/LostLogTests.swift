import Foundation
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
}
