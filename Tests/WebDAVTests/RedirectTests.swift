import TestSupport
import Testing
import WebDAV

@Suite struct RedirectTests {
  @Test func `a redirect without an address is told as one`() async throws {
    let transport = ScriptedTransport(
      try Exchange("> PROPFIND https://a.example/x\n< 302\n< Location: "))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .protocolBroken)
    #expect(error.why == "its answer 302 is a redirect without an address")
    #expect(transport.complaints == [])
  }

  /// The statuses of reads of one collection, one after the other.
  private func reads(_ count: Int, _ exchange: String) async throws -> [Int] {
    let transport = ScriptedTransport(try Exchange(exchange))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x/"))
    var statuses: [Int] = []
    for _ in 0..<count {
      statuses.append(try await client.send(request) { BytesSink(limit: 1000) }.0.status)
    }
    #expect(transport.complaints == [])
    return statuses
  }

  private func led(_ status: Int, to place: String = "/y/", then answer: Int = 207) -> String {
    """
    > PROPFIND https://a.example/x/
    < \(status)
    < Location: \(place)
    > PROPFIND https://a.example\(place)
    < \(answer)

    """
  }

  @Test(arguments: [301, 308])
  func `a collection that was moved for good is read where it is`(status: Int) async throws {
    let again = "> PROPFIND https://a.example/y/\n< 207\n"
    #expect(try await reads(3, led(status) + again + again) == [207, 207, 207])
  }

  @Test(arguments: [(302, "/y/", 207), (307, "/y/", 207), (301, "/y/", 404), (301, "/y", 207)])
  func `another redirect is followed each time`(
    status: Int, place: String, answer: Int
  ) async throws {
    let each = led(status, to: place, then: answer)
    #expect(try await reads(2, each + each) == [answer, answer])
  }

  @Test(arguments: [403, 404, 410, 500])
  func `where the new address fails, the old one is asked`(status: Int) async throws {
    let back = """
      > PROPFIND https://a.example/y/
      < \(status)
      > PROPFIND https://a.example/x/
      < 207
      > PROPFIND https://a.example/x/
      < 207
      """
    #expect(try await reads(3, led(301) + back) == [207, 207, 207])
  }

  @Test func `a write goes where it was told to`() async throws {
    let transport = ScriptedTransport(
      try Exchange(
        led(301) + "> PUT https://a.example/x/a.ics\n< 201\n> PROPPATCH https://a.example/x/\n< 207"
      ))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    for (method, path) in [("PROPFIND", "/x/"), ("PUT", "/x/a.ics"), ("PROPPATCH", "/x/")] {
      let request = DAVRequest(method, try WebURL(absolute: "https://a.example\(path)"))
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(transport.complaints == [])
  }
}
