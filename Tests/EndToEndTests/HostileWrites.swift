import TestSupport
import Testing

/// Servers that lead what is written elsewhere.
extension HostileServerTests {
  /// E3.16 and E3.17
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a write that is led to another server goes nowhere, and the rest is synced`(
    status: Int
  ) async throws {
    let spy = try ScriptedServer { _ in [.answer(404), .close] }
    let model = model()
    let (bad, good) = ("\(Self.home)bad/", "\(Self.home)good/")
    let server = try ScriptedServer { request in
      ["PUT", "DELETE"].contains(request.method) && request.target.hasPrefix(bad)
        ? [.answer(status, headers: ["Location": spy.url + "stolen"])] : model.steps(for: request)
    }
    let calgw = try program(server.url)
    _ = try await calgw.withstand("sync", endingWith: [0])
    let before = model.items(in: bad)
    try calgw.sandbox.write("calendars/bad/bad-a.ics", Event.make("bad-a", "Edited"))
    try calgw.sandbox.remove("calendars/bad/bad-b.ics")
    try calgw.sandbox.write("calendars/bad/new.ics", Event.make("new", "New"))
    try calgw.sandbox.write("calendars/good/new.ics", Event.make("good-new", "New"))
    _ = try await calgw.withstand("sync", endingWith: [1])
    #expect(model.items(in: bad) == before)
    #expect(model.items(in: good).count == 4)
    #expect(calgw.sandbox.items(in: "calendars/bad") == ["bad-a.ics", "bad-c.ics", "new.ics"])
    let led = server.requests.filter { $0.target.hasPrefix(bad) }.map(\.method)
    #expect(led.contains("PUT") && led.contains("DELETE"))
    await spy.expectUnasked()
  }
}
