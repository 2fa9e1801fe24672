import CalgwKit
import Foundation
import Glibc
import SyncModel
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct OAuthTests {
  private func failure(_ tokens: OAuthTokens, insteadOf refused: String? = nil) async -> DAVError? {
    do {
      _ = try await tokens.text(insteadOf: refused)
      return nil
    } catch { return error }
  }

  // MARK: In a browser

  @Test func `a person signs in once, and the next process renews without one`() async throws {
    let world = try SignInWorld()
    let first = try world.tokens(doing: SignInWorld.allows)
    let token = try await first.text()
    #expect(token.hasPrefix("canary-access-"))
    #expect(try await first.text() == token)
    #expect(world.shown.all.count == 1)
    #expect(world.server.grants == ["authorization_code"])
    #expect(try await world.tokens().text() == token)
    world.clock.advance(milliseconds: 3600_000)
    let renewed = try await world.tokens().text()
    #expect(renewed != token)
    #expect(world.server.grants == ["authorization_code", "refresh_token"])
  }

  @Test func `tokens are kept for their owner's eyes only, whatever the umask`() async throws {
    let world = try SignInWorld()
    _ = try await world.tokens(doing: SignInWorld.allows).text()
    var status = stat()
    #expect(stat(world.file, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(stat(world.folder.path + "/tokens", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(world.folder.names(in: "tokens") == ["home.json", "home.json.lock"])
  }

  @Test func `what is asked of the browser is bound to this sign-in`() async throws {
    let world = try SignInWorld()
    _ = try await world.tokens(doing: SignInWorld.allows).text()
    world.server.revokeAll()
    let second = try world.tokens(doing: SignInWorld.allows)
    _ = try await second.text(insteadOf: "canary-access-2")
    let addresses = world.shown.all.compactMap { text in
      text.split(whereSeparator: \.isWhitespace).first { $0.contains("?") }
    }
    let fields = addresses.compactMap { decodeForm($0.utf8.drop { $0 != 0x3F }.dropFirst()) }
    #expect(fields.count == 2)
    for name in ["state", "code_challenge"] {
      #expect(Set(fields.compactMap { $0[name] }).count == 2)
      // 32 bytes in Base64.
      #expect(fields.allSatisfy { $0[name]?.utf8.count == 43 })
    }
    #expect(fields.allSatisfy { $0["scope"] == OAuthServer.scope })
  }

  @Test func `a redirect with another state, or none, is not taken for ours`() async throws {
    let world = try SignInWorld()
    let tokens = try world.tokens { address, server in
      guard let redirect = server.allow(address), let end = redirect.firstIndex(of: "?") else {
        return
      }
      let place = redirect[...end]
      let statuses = ["code=x&state=wrong", "code=x", "", "code=x&state=a&state=a"].map {
        (try? browse(place + $0)) ?? 0
      }
      let icon = (try? browse(place.dropLast() + "favicon.ico")) ?? 0
      if statuses + [icon] == [404, 404, 404, 404, 404] { _ = try? browse(redirect) }
    }
    #expect(try await tokens.text().hasPrefix("canary-access-"))
  }

  @Test func `the address can be pasted where the browser is on another machine`() async throws {
    let world = try SignInWorld()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let (server, shown, typing) = (world.server, world.shown, ends[1])
    let tokens = try world.tokens(
      person: SignInPerson(
        show: { text in
          shown.add(text)
          let address = text.split(whereSeparator: \.isWhitespace).first { $0.contains("?") }
          guard let address, let redirect = server.allow(String(address)) else { return }
          let lines = "what is that?\n  \(redirect) \n"
          _ = write(typing, Array(lines.utf8), lines.utf8.count)
        }, input: ends[0]))
    #expect(try await tokens.text().hasPrefix("canary-access-"))
    #expect(shown.all.count == 2)
  }

  @Test func `a person who does not allow it is told what to do`() async throws {
    let world = try SignInWorld()
    let tokens = try world.tokens { address, server in
      let state = decodeForm(address.utf8.drop { $0 != 0x3F }.dropFirst())?["state"] ?? ""
      let answer = [
        ("error", "access_denied"), ("state", state), ("error_description", "No%1B%5B"),
      ]
      if let redirect = server.allow(address, answer: answer) { _ = try? browse(redirect) }
    }
    let error = await failure(tokens)
    #expect(error?.kind == .denied)
    #expect(error?.why.contains("access_denied") == true)
    #expect(error?.why.contains("access_denied: No\\u{1B}[") == true)
    #expect(error?.why.contains("\u{1B}") == false)
    #expect(error?.hint.contains("calgw discover home") == true)
  }

  @Test func `a browser that brings a refusal is answered, and nobody is asked twice`() async throws
  {
    let world = try SignInWorld()
    let (pages, show) = AsyncStream.makeStream(of: String.self)
    let tokens = try world.tokens { address, server in
      let state = decodeForm(address.utf8.drop { $0 != 0x3F }.dropFirst())?["state"] ?? ""
      let answer = [("error", "access_denied"), ("state", state)]
      guard let redirect = server.allow(address, answer: answer) else { return }
      let body = (try? page(at: redirect))?.body ?? []
      show.yield(String(decoding: body, as: UTF8.self))
    }
    let first = await failure(tokens)
    #expect(first?.kind == .denied)
    for await page in pages {
      #expect(page.contains("calgw was not allowed in; see the terminal"))
      break
    }
    #expect(await failure(tokens) == first)
    #expect(world.shown.all.count == 1)
  }

  // MARK: Without a person

  @Test func `without a terminal and without a token the mend is named`() async throws {
    let error = await failure(try SignInWorld().tokens())
    #expect(error?.kind == .denied)
    #expect(error?.hint == "run `calgw discover home` on a terminal")
  }

  @Test(arguments: [true, false])
  func `a refused token is renewed, and a refresh token kept where no new one comes`(
    rotates: Bool
  ) async throws {
    var rules = OAuthServer.Rules()
    rules.rotates = rotates
    rules.lifetime = nil
    let world = try SignInWorld(rules)
    var token = try await world.tokens(doing: SignInWorld.allows).text()
    for _ in 0..<3 {
      world.server.expireAccess()
      let next = try await world.tokens().text(insteadOf: token)
      #expect(next != token)
      token = next
    }
    #expect(world.server.grants.count == 4)
  }

  @Test func `requests at the same time share one renewal`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let tokens = try world.tokens()
    _ = try await tokens.text()
    world.server.expireAccess()
    let renewed = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await tokens.text(insteadOf: token) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(renewed.count == 1)
    #expect(world.server.grants == ["authorization_code", "refresh_token"])
  }

  @Test func `two processes renew one after the other, and the second takes what the first got`()
    async throws
  {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let (one, other) = (try world.tokens(), try world.tokens())
    _ = try await (one.text(), other.text())
    world.server.expireAccess()
    async let first = one.text(insteadOf: token)
    async let second = other.text(insteadOf: token)
    #expect(try await first == second)
    #expect(world.server.grants == ["authorization_code", "refresh_token"])
  }

  /// As of two configurations with one file of tokens: other names, other state directories.
  @Test func `runs that share nothing but the place of the tokens renew them once`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let gate = try Gate()
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    world.server.change { $0.beforeAnswer = [.run { turn.yield() }, .wait(gate)] }
    var elsewhere = world
    elsewhere.account = "work"
    elsewhere.whileWaiting = { turn.yield() }
    let (one, other) = (try world.tokens(), try elsewhere.tokens())
    var steps = turns.makeAsyncIterator()
    async let first = one.text(insteadOf: token)
    _ = await steps.next()
    async let second = other.text(insteadOf: token)
    // It waits for the lock, and has not come to the server.
    _ = await steps.next()
    gate.open()
    #expect(try await first == second)
    #expect(world.server.grants == ["authorization_code", "refresh_token"])
  }

  @Test func `a sign-in that the server took back needs a person again`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    world.server.revokeAll()
    let error = await failure(try world.tokens(), insteadOf: token)
    #expect(error?.kind == .denied)
    #expect(error?.message == "the sign-in of account home has ended")
    #expect(error?.why == "the authorization server says invalid_grant: no")
    #expect(error?.hint.contains("calgw discover home") == true)
    let again = try await world.tokens(doing: SignInWorld.allows).text(insteadOf: token)
    #expect(again != token)
  }

  @Test func `tokens of another client, server, scope or user are not used`() async throws {
    let world = try SignInWorld()
    _ = try await world.tokens(username: "alice", doing: SignInWorld.allows).text()
    #expect(await failure(try world.tokens(username: "bob"))?.kind == .denied)
    #expect(await failure(try world.tokens(username: "alice")) == nil)
    #expect(await failure(try world.tokens(change: { $0.scope = "other" }))?.kind == .denied)
    #expect(await failure(try world.tokens(change: { $0.clientID = "other" }))?.kind == .denied)
    #expect(await failure(try world.tokens()) == nil)
  }

  @Test(arguments: ["", "{", "null", "{\"access\":1}", "\u{0}"])
  func `a file of tokens that is none is as good as none`(text: String) async throws {
    let world = try SignInWorld()
    try world.folder.write("tokens/home.json", text, mode: 0o600)
    chmod(world.folder.path + "/tokens", 0o700)
    #expect(await failure(try world.tokens())?.kind == .denied)
    #expect(try await world.tokens(doing: SignInWorld.allows).text().hasPrefix("canary-"))
  }

  /// As who keeps his files in one place has it.
  @Test(arguments: [true, false])
  func `a link to the file of tokens stays one`(isThere: Bool) async throws {
    let world = try SignInWorld()
    let kept = world.folder.path + "/elsewhere.json"
    if isThere { try world.folder.write("elsewhere.json", "", mode: 0o600) }
    let tokens = world.folder.path + "/tokens"
    try FileManager.default.createDirectory(atPath: tokens, withIntermediateDirectories: true)
    chmod(tokens, 0o700)
    try FileManager.default.createSymbolicLink(
      atPath: world.file, withDestinationPath: kept)
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    #expect(try String(contentsOfFile: kept, encoding: .utf8).contains(token))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: world.file) == kept)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `tokens where no file may be made serve for as long as they hold`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    #expect(unlink(world.file + ".lock") == 0)
    let folder = world.folder.path + "/tokens"
    #expect(chmod(folder, 0o500) == 0)
    defer { chmod(folder, 0o700) }
    #expect(try await world.tokens().text() == token)
    let error = await failure(try world.tokens(), insteadOf: token)
    #expect(error?.kind == .local)
    #expect(error?.message == "the tokens cannot be kept in \(world.file)")
    #expect(world.server.grants == ["authorization_code"])
  }

  @Test func `a place below a folder that is missing is found before a person signs in`()
    async throws
  {
    let world = try SignInWorld()
    try world.folder.write("tokens/readme", "")
    try FileManager.default.createSymbolicLink(
      atPath: world.file, withDestinationPath: world.folder.path + "/missing/home.json")
    #expect(await failure(try world.tokens())?.kind == .denied)
    #expect(await failure(try world.tokens(doing: SignInWorld.allows))?.kind == .local)
    #expect(world.shown.all.isEmpty)
  }

  @Test func `tokens that cannot be kept are an error, before they are used`() async throws {
    let world = try SignInWorld()
    try FileManager.default.createDirectory(
      atPath: world.file, withIntermediateDirectories: true)
    chmod(world.folder.path + "/tokens", 0o700)
    let error = await failure(try world.tokens(doing: SignInWorld.allows))
    #expect(error?.kind == .local)
    #expect(error.map { "\($0)".contains("canary") } == false)
    #expect(world.shown.all.isEmpty, "a person would have signed in for nothing")
  }

  // MARK: The client's secret

  @Test(arguments: [false, true])
  func `a client's secret is shown as the server wants it`(wantsBasic: Bool) async throws {
    var rules = OAuthServer.Rules()
    rules.clientSecret = "s3cret"
    rules.wantsBasic = wantsBasic
    let world = try SignInWorld(rules)
    let tokens = try world.tokens(secret: "s3cret", doing: SignInWorld.allows)
    #expect(try await tokens.text().hasPrefix("canary-access-"))
  }

  @Test func `a wrong client's secret is named and not shown`() async throws {
    var rules = OAuthServer.Rules()
    rules.clientSecret = "s3cret"
    let world = try SignInWorld(rules)
    let error = await failure(
      try world.tokens(secret: "canary-secret", doing: SignInWorld.allows))
    #expect(error?.kind == .denied)
    #expect(error?.hint.contains("client_secret") == true)
    #expect(error.map { "\($0)".contains("canary") } == false)
  }
}
