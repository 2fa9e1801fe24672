import Foundation
import Synchronization
import TestSupport
import Testing

/// A server that does not show all of its calendars: nothing is gone, and nothing is made anew.
@Suite struct UnseenCalendarsTests {
  /// What the home set says of its one calendar, in place of what is true; nil: the truth.
  private final class Veil: Sendable {
    private let status = Mutex<String?>(nil)

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
        + "</D:response></D:multistatus>"
      return [.answer(207, headers: ["Content-Type": "application/xml"], body: listing)]
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

  @Test func `a calendar that the listing says is not there is gone`() async throws {
    let veil = Veil()
    let world = try FolderAndCalendar(answer: veil.answer)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    veil.put("404 Not Found")
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
}
