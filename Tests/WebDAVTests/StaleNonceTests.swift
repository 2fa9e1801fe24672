import TestSupport
import Testing
import WebDAV

/// Digest with a server that keeps one nonce: several connections end each other's sign-in.
@Suite struct StaleNonceTests {
  private static let stale =
    "< 401\n< WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", stale=TRUE\n"

  /// A read, which the server takes if `isLetIn`, and then a guarded PUT.
  private func put(
    isLetIn: Bool = true, _ answers: [String]
  ) async throws -> (Result<Int, DAVError>, DAVClient, complaints: [String]) {
    let read = isLetIn ? "> GET https://a.example/x\n> credentials: digest\n< 200\n\n" : ""
    let writes = answers.map {
      "> PUT https://a.example/x\n> If-Match: \"1\"\n> credentials: digest\n\($0)\n"
    }
    let transport = ScriptedTransport(try Exchange(read + writes.joined()))
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("secret".utf8)
    access.schemes = [.digest]
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    let url = try WebURL(absolute: "https://a.example/x")
    if isLetIn { _ = try await client.send(DAVRequest("GET", url)) { BytesSink(limit: 1000) } }
    let request = DAVRequest("PUT", url, headers: [HTTPHeader("If-Match", "\"1\"")])
    var result: Result<Int, DAVError>
    do throws(DAVError) {
      let (answer, _) = try await client.send(request) { BytesSink(limit: 1000) }
      result = .success(answer.status)
    } catch {
      result = .failure(error)
    }
    return (result, client, transport.complaints)
  }

  @Test(arguments: [1, 3])
  func `a write goes again by itself, and the others one at a time`(times: Int) async throws {
    let answers = Array(repeating: Self.stale, count: times) + ["< 204\n"]
    let (result, client, complaints) = try await put(answers)
    #expect(result == .success(204))
    #expect(client.requestsAtOnce == 1 && client.throttling == .alone("401 with stale=true"))
    #expect(!client.wasRefused && complaints == [])
  }

  @Test func `where it goes on no word is said against the password or a permission`() async throws
  {
    let (result, client, complaints) = try await put(Array(repeating: Self.stale, count: 4))
    guard case .failure(let error) = result else {
      Issue.record("it gave \(result)")
      return
    }
    #expect(error.kind == .tryLater(nil) && !error.mayHaveActed)
    #expect(error.why.contains("stale=true 4 times"))
    #expect(!client.wasRefused && complaints == [])
  }

  /// A server may say so of a wrong password, too.
  @Test func `one that never took the password is not shown it again`() async throws {
    let (result, client, complaints) = try await put(isLetIn: false, [Self.stale])
    guard case .failure(let error) = result else {
      Issue.record("it gave \(result)")
      return
    }
    #expect(error.kind == .denied && client.wasRefused && complaints == [])
  }
}
