import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that does not show all of its calendars: nothing is gone, and nothing is made anew.
@Suite struct UnseenCalendarsTests {
  /// What the home set says of its one calendar, in place of what is true; nil: the truth.
  private final class Veil: Sendable {
    private let status = Mutex<String?>(nil)
    /// The path of a calendar that is shown beside it.
    private let beside: String?

    init(beside: String? = nil) { self.beside = beside }

    func put(_ status: String?) { self.status.withLock { $0 = status } }

    func answer(_ request: ReceivedRequest, _ steps: [ServerStep]) -> [ServerStep] {
      guard request.method == "PROPFIND", request.header("Depth") == "1",
        request.target == ModelServer.homePath, let status = status.withLock({ $0 })
      else { return steps }
      let listing =
        "<D:multistatus xmlns:D='DAV:'><D:response><D:href>\(ModelServer.homePath)</D:href>"
        + "<D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response><D:response>"
        + "<D:href>\(FolderAndCalendar.path)</D:href><D:status>HTTP/1.1 \(status)</D:status>"
        + "</D:response>\(beside.map(Self.calendar) ?? "")</D:multistatus>"
      return [.answer(207, headers: ["Content-Type": "application/xml"], body: listing)]
    }

    private static func calendar(_ path: String) -> String {
      "<D:response><D:href>\(path)</D:href><D:propstat><D:prop><D:resourcetype><D:collection/>"
        + "<C:calendar xmlns:C='urn:ietf:params:xml:ns:caldav'/></D:resourcetype></D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }
  }

  @Test(arguments: ["500 Oops", "403 Forbidden", "507 Full"])
  func `a calendar that is not shown is neither gone nor made a second time`(status: String)
    async throws
  {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    veil.put(status)
    for losesJournal in [false, true] {
      if losesJournal { try FileManager.default.removeItem(atPath: world.calgw.home + "/state") }
      let before = world.server.requests.count
      let run = try await world.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      let words = "does not show all of its calendars"
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.errors.contains("the server answered \(status.prefix(3))"), "\(run.errors)")
      #expect(!run.errors.contains("calgw forget"), "\(run.errors)")
      let methods = Set(world.server.requests.dropFirst(before).map(\.method))
      #expect(methods.isDisjoint(with: ["MKCALENDAR", "MKCOL", "PUT", "DELETE"]), "\(methods)")
      #expect(try world.here() == ["a"])
    }
    veil.put(nil)
    _ = try await world.sync()
    #expect(world.there() == ["a"])
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
  }

  @Test(arguments: ["collections = [\"work\"]", "collections = [{ work = \"work\" }]"])
  func `a copy beside a calendar that is not shown is not taken for it`(keys: String) async throws {
    let backup = ModelServer.homePath + "backup/"
    let veil = Veil(beside: backup)
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.configure(keys)
    for uid in ["a", "b", "c"] { try world.write("\(uid).ics", event(uid, "Title \(uid)")) }
    _ = try await world.sync()
    world.model.makeCalendar("backup")
    for uid in ["a", "b"] { world.model.put("\(uid).ics", event(uid, "Old"), in: backup) }
    veil.put("500 Oops")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(try world.here() == ["a", "b", "c"])
    }
    veil.put(nil)
    _ = try await world.sync()
    #expect(world.there() == ["a", "b", "c"] && world.there(backup) == ["a", "b"])
    #expect(try world.folders() == ["work"])
  }

  @Test func `a calendar that the listing says is not there is gone`() async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    veil.put("404 Not Found")
    world.model.removeCalendar(FolderAndCalendar.path)
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("calgw forget p/work"), "\(run.errors)")
  }

  @Test func `a new folder gets no calendar as long as not all are shown`() async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    veil.put("500 Oops")
    try world.calgw.write("calendars/new/n.ics", event("n", "New"))
    // What holds nothing would get none, and is no trouble.
    try world.calgw.write("calendars/empty/note.txt", "nothing")
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("p/new"), "\(run.errors)")
    #expect(!run.errors.contains("p/empty"), "\(run.errors)")
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    veil.put(nil)
    _ = try await world.sync()
    #expect(world.model.calendarPaths.count == 2)
  }

  @Test func `a folder can be left out of what waits until all is shown`() async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    veil.put("403 Forbidden")
    try world.calgw.write("calendars/new/n.ics", event("n", "New"))
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("check the account's permission"), "\(run.errors)")
    let mend = "write \"!new\" into the pair's `collections`"
    #expect(run.errors.contains(mend), "\(run.errors)")
    try world.configure("collections = [\"*\", \"!new\"]")
    let second = try await world.sync()
    #expect(!second.run.errors.contains("p/new"), "\(second.run.errors)")
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
  }

  /// No folder can have such a name, so that none is made for it.
  @Test(
    arguments: [("403 Forbidden", 77), ("500 Oops", 76), ("502 Bad Gateway", 69)]
      as [(String, Int32)])
  func `one calendar that is not shown is told by the kind of the answer`(
    answer: String, status: Int32
  ) async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.configure("calendar = \".work\"")
    veil.put(answer)
    let run = try await world.calgw("sync")
    #expect(run.status == status, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("does not show all of its calendars"), "\(run.errors)")
  }

  @Test func `the doctor promises no calendar as long as not all are shown`() async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.configure("collections = [\"wrok\", \"wrok\", \"*\"]")
    let outlooks: [(String?, String)] = [
      (nil, "is made there by the next sync"), ("403 Forbidden", "none is made until it shows all"),
    ]
    for (answer, outlook) in outlooks {
      veil.put(answer)
      let run = try await world.calgw("doctor", "home")
      let told = run.output.components(separatedBy: "names \"wrok\"")
      #expect(told.count == 2, "\(run.output)")
      #expect(told.last?.contains(outlook) == true, "\(run.output)")
    }
  }
}
