import TestSupport
import Testing
import WebDAV

/// A redirect to a server of which a person wants nothing.
@Suite struct RefusedOriginTests {
  private static let redirect = """
    > PROPFIND https://a.example/x
    < 307
    < Location: https://b.example/x
    """

  /// What comes of a request over these exchanges, where `!*.example` refuses b.example.
  ///
  /// - Parameter user: signs in at a.example; nil: nobody does.
  private func error(
    _ script: String, as user: String? = nil, meetsStrangers: Bool = false
  ) async throws -> DAVError {
    let transport = ScriptedTransport(try Exchange(script))
    var access = DAVAccess { 0 }
    access.username = user.map { Array($0.utf8) }
    access.refusal = { $0.host == "b.example" ? "!*.example" : nil }
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    var request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    request.mayMeetStrangers = meetsStrangers
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(transport.complaints == [])
    return error
  }

  @Test func `where a person's own line refuses that origin, it is named and none is to be added`()
    async throws
  {
    let error = try await error(Self.redirect)
    #expect(error.kind == .elsewhere)
    #expect(error.why.contains("\"!*.example\" in the account's trusted_hosts"))
    #expect(error.hint.contains("take \"!*.example\" out"))
    #expect(!error.hint.contains("add this line"))
  }

  /// To add the server beside the line that refuses it would change nothing.
  @Test(arguments: [nil, "alice"])
  func `so it is where that origin is asked without credentials and wants some`(
    user: String?
  ) async throws {
    let script = """
      \(Self.redirect)
      > PROPFIND https://b.example/x
      > credentials: none
      < 401
      < WWW-Authenticate: Basic realm="b"
      """
    let error = try await error(script, as: user, meetsStrangers: true)
    #expect(error.kind == .denied && error.message.contains("https://b.example wants"))
    #expect(error.why.contains("\"!*.example\" in the account's trusted_hosts"))
    #expect(error.hint.contains("take \"!*.example\" out"))
    #expect(!error.hint.contains("add this line"))
    #expect(!error.message.contains("not the configured server"))
  }
}
