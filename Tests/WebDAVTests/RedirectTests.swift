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
}
