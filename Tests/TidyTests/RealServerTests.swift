import TestSupport
import Testing

/// The servers that other suites rely on: started, used as another client would, and gone.
@Suite struct RealServerTests {
  private static let event = Array(
    """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//calgw//tests//EN\r
    BEGIN:VEVENT\r
    UID:dentist@example.org\r
    DTSTAMP:20260101T120000Z\r
    DTSTART:20260105T090000Z\r
    SUMMARY:Dentist\r
    END:VEVENT\r
    END:VCALENDAR\r

    """.utf8)

  @Test(arguments: RealServer.Kind.allCases)
  func `a server takes, lists, gives and forgets an event`(kind: RealServer.Kind) async throws {
    let server = try await RealServer.start(kind)
    let client = server.otherClient
    let calendar = server.path(of: "home")
    let href = calendar + "dentist.ics"

    #expect(try await client.makeCalendar(calendar).status == 201)
    let stored = try await client.put(href, Self.event)
    #expect(stored.status == 201)
    let tag = try #require(stored.headers["etag"])
    #expect(try await client.list(calendar) == [href: tag])

    #expect(try await client.put(href, Self.event, ifMatch: "\"stale\"").status == 412)
    let read = try await client.get(href)
    #expect(read.status == 200)
    #expect(read.body.firstRange(of: Array("SUMMARY:Dentist".utf8)) != nil)

    #expect([200, 204].contains(try await client.delete(href).status))
    #expect(try await client.list(calendar) == [:])
    await server.stop()
    await #expect(throws: ConnectionFailure.self) { try await client.get(href) }
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `a calendar is filled through the files of the server`(kind: RealServer.Kind) async throws {
    let server = try await RealServer.start(kind)
    try await server.fill("many", items: 40)
    let listed = try await server.otherClient.list(server.path(of: "many"))
    #expect(listed.count == 40)
    #expect(listed[server.path(of: "many") + "generated-000039.ics"] != nil)
    await server.stop()
  }

  @Test func `two servers at once are two servers`() async throws {
    async let first = RealServer.start(.radicale)
    async let second = RealServer.start(.radicale)
    let servers = try await [first, second]
    #expect(servers[0].port != servers[1].port)
    let calendar = servers[0].path(of: "home")
    try await servers[0].otherClient.makeCalendar(calendar)
    #expect(try await servers[0].otherClient.get(calendar).status == 200)
    #expect(try await servers[1].otherClient.get(calendar).status == 404)
    for server in servers { await server.stop() }
  }

  @Test func `a login that is wrong is refused`() async throws {
    let server = try await RealServer.start(.radicale)
    let stranger = OtherClient(port: server.port, username: "alice", password: "wrong")
    #expect(try await stranger.get("/alice/").status == 401)
    await server.stop()
  }
}
