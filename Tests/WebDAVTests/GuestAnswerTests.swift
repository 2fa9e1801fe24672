import TestSupport
import Testing
import WebDAV

/// Servers of Digest that let guests in, and so do not ask who we are.
@Suite struct GuestAnswerTests {
  private func client(_ exchange: String) throws -> (DAVClient, ScriptedTransport) {
    let transport = ScriptedTransport(try Exchange(exchange))
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("open sesame".utf8)
    access.schemes = [.digest]
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    return (client, transport)
  }

  private func send(
    _ client: DAVClient, _ method: String, _ path: String
  ) async throws(DAVError) -> Int {
    let url = WebURL(
      scheme: .https, host: "a.example", port: 443, path: Array(path.utf8), query: nil)
    let headers = method == "PUT" ? [HTTPHeader("If-None-Match", "*")] : []
    return try await client.send(DAVRequest(method, url, headers: headers)) {
      BytesSink(limit: 1000)
    }.0.status
  }

  private static func turn(_ method: String, _ path: String, _ status: Int) -> String {
    "> \(method) https://a.example\(path)\n> credentials: digest\n< \(status)\n"
  }

  private static func open(_ method: String, _ path: String, _ status: Int) -> String {
    turn(method, path, status) + "< credentials: unasked\n"
  }

  @Test func `what everybody gets is not taken for what the account has`() async throws {
    let (client, transport) = try client(
      Self.open("PROPFIND", "/c/work/", 207) + Self.open("PROPFIND", "/c/", 207)
        + Self.open("PROPFIND", "/", 404) + Self.open("REPORT", "/c/work/", 207))
    for method in ["PROPFIND", "REPORT"] {
      let error = try await #require(throws: DAVError.self) {
        _ = try await send(client, method, "/c/work/")
      }
      #expect(error.kind == .denied && error.message.contains("does not ask who we are"))
      #expect(error.hint.contains("auth = \"basic\"") && error.hint.contains("leave out"))
      #expect(!error.mayHaveActed && !client.wasRefused)
    }
    #expect(transport.complaints == [])
  }

  @Test(arguments: ["PROPFIND", "REPORT", "GET"])
  func `a collection above that asks makes the server know who we are`(
    method: String
  ) async throws {
    let (client, transport) = try client(
      Self.open(method, "/c/alice/work/", 207) + Self.open("PROPFIND", "/c/alice/", 207)
        + Self.turn("PROPFIND", "/c/", 403) + Self.turn(method, "/c/alice/work/", 207))
    #expect(try await send(client, method, "/c/alice/work/") == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [400, 404, 405, 501])
  func `where it has asked before, it is asked there again, and no more than twice`(
    status: Int
  ) async throws {
    let (client, transport) = try client(
      Self.turn("PROPFIND", "/alice/", 207) + Self.open("REPORT", "/c/work/", status)
        + Self.turn("PROPFIND", "/alice/", 207) + Self.turn("REPORT", "/c/work/", 207)
        + Self.open("REPORT", "/c/work/", status) + Self.turn("PROPFIND", "/alice/", 207)
        + Self.open("REPORT", "/c/work/", status) + Self.turn("PROPFIND", "/alice/", 207)
        + Self.open("REPORT", "/c/work/", status))
    #expect(try await send(client, "PROPFIND", "/alice/") == 207)
    #expect(try await send(client, "REPORT", "/c/work/") == 207)
    let error = try await #require(throws: DAVError.self) {
      _ = try await send(client, "REPORT", "/c/work/")
    }
    #expect(error.kind == .denied && error.message.contains("\(status), and did not ask"))
    #expect(transport.complaints == [])
  }

  @Test func `a write that a guest was let do is not done twice`() async throws {
    let (client, transport) = try client(Self.open("PUT", "/c/work/a.ics", 201))
    let error = try await #require(throws: DAVError.self) {
      _ = try await send(client, "PUT", "/c/work/a.ics")
    }
    #expect(error.kind == .denied && error.mayHaveActed)
    #expect(transport.complaints == [])
  }

  @Test func `a write that a guest was refused goes out again once the server has asked`()
    async throws
  {
    let (client, transport) = try client(
      Self.open("PUT", "/c/a.ics", 403) + Self.turn("PROPFIND", "/c/", 207)
        + Self.turn("PUT", "/c/a.ics", 201))
    #expect(try await send(client, "PUT", "/c/a.ics") == 201)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [("OPTIONS", 200), ("PROPFIND", 500), ("GET", 502), ("PROPFIND", 501)])
  func `an answer that says nothing of the account is one like any other`(
    method: String, status: Int
  ) async throws {
    let (client, transport) = try client(Self.open(method, "/c/", status))
    #expect(try await send(client, method, "/c/") == status)
    #expect(transport.complaints == [])
  }

  @Test func `a redirect is followed whoever is asked`() async throws {
    let (client, transport) = try client(
      Self.open("PROPFIND", "/", 302) + "< Location: /c/\n" + Self.turn("PROPFIND", "/c/", 207))
    #expect(try await send(client, "PROPFIND", "/") == 207)
    #expect(transport.complaints == [])
  }
}
