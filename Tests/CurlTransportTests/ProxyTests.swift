import CurlTransport
import Glibc
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct ProxyTests {
  @Test func `a proxy that wants a login is named, its own login is not (C4 21)`() async throws {
    let proxy = try ScriptedServer { _ in [.answer(407, body: "log in")] }
    let transport = try CurlTransport.loopback {
      $0.proxy = .url("http://bob:canary-71c0@127.0.0.1:\(proxy.port)")
    }
    let failure = await transport.failure("PUT", "https://dav.example.org/", body: [0x61])
    #expect(failure?.kind == .proxyDenied)
    #expect(failure?.mayHaveActed == false)
    #expect(failure?.message.contains("407") == true)
    #expect(failure?.message.contains("canary") == false)
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
    let plain = try await transport.answer("GET", "http://dav.example.org/")
    #expect(plain.head.status == 407)
  }

  /// RFC 9110 §9.3.6: CONNECT is for the proxy; what is for the server goes through it, under TLS.
  @Test(arguments: [
    HTTPCredentials.login("ann", "canary-71c0", .basic), .login("ann", "canary-71c0", .digest),
    .login("", "canary-71c0", .bearer),
  ])
  func `who asks a proxy for a way does not show it the server's login`(
    credentials: HTTPCredentials
  ) async throws {
    let proxy = try ScriptedServer { _ in [.answer(407)] }
    let transport = try CurlTransport.loopback {
      $0.proxy = .url("http://bob:secret@127.0.0.1:\(proxy.port)")
    }
    let failure = await transport.failure(
      "PUT", "https://dav.example.org/", headers: [HTTPHeader("If-Match", "\"1\"")], body: [0x61],
      credentials: credentials)
    #expect(failure?.kind == .proxyDenied)
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
    let request = try #require(proxy.requests.first)
    #expect(request.target == "dav.example.org:443")
    #expect(request.header("Proxy-Authorization") == "Basic Ym9iOnNlY3JldA==")
    #expect(request.values(of: "Authorization").isEmpty)
    #expect(request.values(of: "If-Match").isEmpty)
  }

  @Test func `a proxy gets the request of a plain URL, with its own login`() async throws {
    let proxy = try ScriptedServer { _ in [.answer(200, body: "through")] }
    let transport = try CurlTransport.loopback {
      $0.proxy = .url("http://bob:secret@127.0.0.1:\(proxy.port)")
    }
    let answer = try await transport.answer("GET", "http://dav.example.org/a")
    #expect(answer.body == "through")
    #expect(proxy.requests.first?.target == "http://dav.example.org/a")
    // "bob:secret" in Base64.
    #expect(proxy.requests.first?.header("Proxy-Authorization") == "Basic Ym9iOnNlY3JldA==")
  }

  /// Over plain http it would read the password.
  @Test(arguments: ["127.0.0.1", "localhost"])
  func `no proxy comes between this machine and itself`(host: String) async throws {
    let proxy = try ScriptedServer { _ in [.answer(502)] }
    let server = try ScriptedServer { _ in [.answer(200, body: "near")] }
    let transport = try CurlTransport.loopback { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
    let answer = try await transport.answer(
      "GET", "http://\(host):\(server.port)/", credentials: .login("ann", "canary-71c0", .basic))
    #expect(answer.body == "near")
    #expect(proxy.requests.isEmpty)
  }

  @Test(arguments: ["http://bob:canary-71c0@127.0.0.1:PORT", "gopher://bob:canary-71c0@127.0.0.1"])
  func `a proxy that cannot be reached or used never shows its login`(url: String) async throws {
    let port = try UnreachablePort(answering: true)
    let transport = try CurlTransport.loopback {
      $0.proxy = .url(url.replacing("PORT", with: "\(port.port)"))
    }
    let failure = await transport.failure("GET", "http://dav.example.org/")
    #expect(failure?.kind == .noConnection)
    #expect(failure?.mayHaveActed == false)
    #expect(failure?.message.contains("canary") == false)
  }

  @Test func `a proxy that refuses the way is no login that lacks`() async throws {
    let proxy = try ScriptedServer { _ in [.answer(403)] }
    let transport = try CurlTransport.loopback { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
    let failure = await transport.failure("PUT", "https://dav.example.org/", body: [0x61])
    #expect(failure?.kind == .noConnection)
    #expect(failure?.message.contains("status 403") == true)
  }

  @Test func `a proxy of SOCKS 5 resolves the name itself`() async throws {
    // RFC 1928: the greeting, then CONNECT with a name of 15 bytes and a port.
    let proxy = try ScriptedServer(
      greeting: { _ in
        [
          .read(3), .send([5, 0]), .read(4 + 1 + 15 + 2),
          .send([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]),
        ]
      }, answer: { _ in [.answer(200, body: "through")] })
    let transport = try CurlTransport.loopback {
      $0.proxy = .url("socks5h://127.0.0.1:\(proxy.port)")
    }
    let answer = try await transport.answer("GET", "http://dav.example.org/a")
    #expect(answer.body == "through")
    #expect(proxy.requests.first?.header("Host") == "dav.example.org")
  }

  /// The greeting asks for a password (RFC 1929), takes none of the ways, or the way is refused.
  @Test(arguments: [
    ([ServerStep.send([5, 2]), .read(8), .send([1, 1])], true, "refused the user name"),
    ([.send([5, 255])], true, "takes no way to sign in"),
    (
      [.send([5, 0]), .read(22), .send([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])], false,
      "the server refused the connection"
    ),
  ])
  func `a proxy of SOCKS 5 that refuses is told from a server that does`(
    steps: [ServerStep], isDenied: Bool, words: String
  ) async throws {
    let proxy = try ScriptedServer(
      greeting: { _ in [.read(3)] + steps }, answer: { _ in [.answer(200)] })
    let transport = try CurlTransport.loopback {
      $0.proxy = .url("socks5h://bob:canary-71c0@127.0.0.1:\(proxy.port)")
    }
    let failure = await transport.failure("GET", "http://dav.example.org/a")
    #expect(failure?.kind == (isDenied ? .proxyDenied : .noConnection))
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("canary") == false)
  }

  @Test func `a Unix socket takes the place of host and port`() async throws {
    let path = "/tmp/calgw-socket-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    let server = try ScriptedServer(unixSocket: path) { _ in [.answer(200, body: "here")] }
    let transport = try CurlTransport.loopback { $0.unixSocketPath = path }
    for _ in 0..<3 {
      let answer = try await transport.answer("PUT", "http://dav.example.org/a", body: [0x61])
      #expect(answer.body == "here")
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.first?.header("Host") == "dav.example.org")
  }

  @Test func `a Unix socket that is not there is named`() async throws {
    let transport = try CurlTransport.loopback { $0.unixSocketPath = "/tmp/calgw-no-such-socket" }
    let failure = await transport.failure("GET", "http://dav.example.org/a")
    #expect(failure?.kind == .noConnection)
    #expect(failure?.message.contains("/tmp/calgw-no-such-socket") == true)
  }

  @Test func `a path too long for a Unix socket is refused at the start`() {
    #expect(throws: TransportError.self) {
      try CurlTransport.loopback {
        $0.unixSocketPath = "/" + String(repeating: "a", count: 107)
      }
    }
  }
}
