import TestSupport
import Testing
import WebDAV

/// A redirect to a server of which a person wants nothing.
@Suite struct RefusedOriginTests {
  @Test func `where a person's own line refuses that origin, it is named and none is to be added`()
    async throws
  {
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND https://a.example/x
        < 307
        < Location: https://b.example/x
        """))
    var access = DAVAccess { 0 }
    access.refusal = { $0.host == "b.example" ? "!*.example" : nil }
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .elsewhere)
    #expect(error.why.contains("\"!*.example\" in the account's trusted_hosts"))
    #expect(error.hint.contains("take \"!*.example\" out"))
    #expect(!error.hint.contains("add this line"))
    #expect(transport.complaints == [])
  }
}
