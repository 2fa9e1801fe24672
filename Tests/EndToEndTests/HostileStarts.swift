import TestSupport
import Testing

/// Servers whose very first answers mean harm: those to the search for calendars, and a feed.
extension HostileServerTests {
  /// E1.3 and E3.25, before anything is known of the server.
  @Test(arguments: [
    ("/", "    \n"), (HostileServerTests.home, HostileServerTests.calendar),
  ])
  func `a search for calendars without end ends at its limit`(
    target: String, piece: String
  ) async throws {
    let model = model()
    let server = try ScriptedServer { request in
      guard request.target.hasPrefix(target), request.header("Authorization") != nil else {
        return model.steps(for: request)
      }
      return Attack.endless(
        head: "207 X\r\nContent-Type: application/xml\r\n\r\n"
          + "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>", piece)
    }
    let calgw = try program(server.url)
    let neighbour = try Neighbour()
    try neighbour.join(calgw.sandbox)
    for command in ["discover", "sync"] {
      let run = try await calgw.withstand(command, endingWith: [76])
      #expect(run.errors.contains("is too large"), "\(run.errors.prefix(1000))")
    }
    neighbour.expectSynced(in: calgw.sandbox)
  }

  private static let calendar =
    "<D:response><D:href>\(home)x/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/>"
    + "<C:calendar/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
    + "</D:response>"

  private static let zipped =
    "HTTP/1.1 200 OK\r\nContent-Type: text/calendar\r\nContent-Encoding: gzip\r\n\r\n"

  /// It swells as it is unpacked, or its lines, a header or the page of a failure have no end.
  private static let feeds: [[ServerStep]] = [
    [.send(Array(zipped.utf8) + CompressionBomb.head), .sendForever(CompressionBomb.zeros)],
    Attack.endless(head: "200 X\r\nContent-Type: text/calendar\r\n\r\n", "X-A:b\r\n"),
    Attack.endless(head: "200 X\r\nX: ", "y"),
    Attack.endless(head: "500 X\r\nContent-Type: text/html\r\n\r\n", "yyyyyyy\n"),
  ]

  /// E3.25
  @Test(arguments: HostileServerTests.feeds)
  func `a feed without end ends at its limit`(steps: [ServerStep]) async throws {
    let server = try ScriptedServer { _ in steps }
    let sandbox = Sandbox()
    try sandbox.write(
      "config/calgw/config.toml",
      "[pair.feed]\nlocal = \"~/feeds\"\nremote = { ics = \"\(server.url)x.ics\" }\n")
    let neighbour = try Neighbour()
    try neighbour.join(sandbox)
    _ = try await Program(sandbox: sandbox).withstand("sync", endingWith: [76])
    neighbour.expectSynced(in: sandbox)
    #expect(server.logins.isEmpty)
    #expect(server.requests.contains { $0.header("Accept-Encoding")?.contains("gzip") ?? false })
  }
}
