import CalgwKit
import Foundation
import Glibc
import SyncModel
import TestSupport
import Testing
import WebDAV

/// A refresh token that a server has taken in exchange for the next holds no more: the next one
/// must not be lost.
@Suite(.timeLimit(.minutes(20))) struct RenewalTests {
  private static let signedInAndRenewed = ["authorization_code", "refresh_token"]

  // MARK: When

  @Test func `a token of half a minute serves most of it`() async throws {
    var rules = OAuthServer.Rules()
    rules.lifetime = 30
    let world = try SignInWorld(rules)
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    world.clock.advance(milliseconds: 22_000)
    #expect(try await world.tokens().text() == token)
    world.clock.advance(milliseconds: 1000)
    #expect(try await world.tokens().text() != token)
    #expect(world.server.grants == Self.signedInAndRenewed)
  }

  /// The members of a file, and how much of the token's time is left in it at a second before.
  @Test(arguments: [
    ("\"expires\":100000", true), ("\"expires\":61000", false), ("\"expires\":61001", true),
    ("\"expires\":9000,\"lifetime\":10000", true), ("\"expires\":3000,\"lifetime\":10000", false),
    ("\"expires\":500,\"lifetime\":-9223372036854775808", false),
    ("\"expires\":-9223372036854775808", false), ("\"expires\":9223372036854775807", true),
    ("\"refresh\":null", true),
  ])
  func `what a file says of the time is taken with care`(members: String, holds: Bool) throws {
    let text = "{\"access\":\"a\",\"client\":\"c\",\"server\":\"s\",\(members)}"
    let tokens = try #require(StoredTokens(encoded: Array(text.utf8)))
    #expect(tokens.isCurrent(at: 1000) == holds)
    _ = tokens.isCurrent(at: -1000)
  }

  @Test func `an empty refresh token is none, and the one before stays`() async throws {
    var rules = OAuthServer.Rules()
    rules.rotates = false
    rules.emptiesRefreshToken = true
    let world = try SignInWorld(rules)
    var token = try await world.tokens(doing: SignInWorld.allows).text()
    for _ in 0..<2 {
      let next = try await world.tokens().text(insteadOf: token)
      #expect(next != token)
      token = next
    }
  }

  // MARK: A server that asks to wait

  /// What was shown of refresh tokens.
  private func renewals(_ world: SignInWorld) -> [[UInt8]] {
    world.server.requests.map(\.body).filter {
      String(decoding: $0, as: UTF8.self).contains("grant_type=refresh_token")
    }
  }

  @Test(
    arguments: [
      (429, "30", "", 30), (503, "30", "", 30), (503, "", "", 1), (429, "soon", "", 1),
      // By the server's clock, which may be another.
      (429, "Tue, 06 Jan 2026 10:00:20 GMT", "Tue, 06 Jan 2026 10:00:00 GMT", 20),
      // By calgw's own.
      (429, "Mon, 05 Jan 2026 08:00:40 GMT", "", 40),
    ] as [(Int, String, String, Int64)])
  func `it is waited for, and then shown the same token again`(
    status: Int, time: String, date: String, seconds: Int64
  ) async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    world.server.change {
      $0.troubles = [[.answer(status, headers: ["Retry-After": time, "Date": date])]]
    }
    let before = world.clock.now.milliseconds
    #expect(try await world.tokens().text(insteadOf: token) != token)
    #expect(world.clock.now.milliseconds - before == seconds * 1000)
    #expect(world.server.grants == Self.signedInAndRenewed)
    let shown = renewals(world)
    #expect(shown.count == 2 && Set(shown).count == 1)
  }

  @Test func `it is waited for whatever the length of its page, where no token is so long`()
    async throws
  {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let page = String(repeating: "come later", count: 10_000)
    world.server.change {
      $0.troubles = [
        [.answer(503, headers: ["Retry-After": "30"], body: page)],
        [OAuthServer.json("{\"access_token\":\"a\",\"words\":\"\(page)\"}")],
      ]
    }
    let before = world.clock.now.milliseconds
    let error = await #expect(throws: DAVError.self) {
      _ = try await world.tokens().text(insteadOf: token)
    }
    #expect(world.clock.now.milliseconds - before == 30_000)
    #expect(error?.kind == .protocolBroken)
    #expect(error?.why == "it is too long")
  }

  /// The seconds that a run has, those that the server asks for, and whether it gets them.
  @Test(
    arguments: [
      (nil, 60, true), (nil, 61, false), (20, 30, false), (40, 30, true), (7200, 5400, true),
      (60, 5400, false),
    ] as [(Int64?, Int64, Bool)])
  func `it is waited for no longer than the run has time`(
    budget: Int64?, asked: Int64, isWaitedFor: Bool
  ) async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    world.server.change {
      $0.troubles = [[.answer(429, headers: ["Retry-After": "\(asked)"])]]
    }
    let before = world.clock.now.milliseconds
    let tokens = try world.tokens()
    let end = budget.map { budget in RunEnd { before + budget * 1000 } }
    let result: Result<String, DAVError> = await Patience.$deadline.withValue(end) {
      do throws(DAVError) { return .success(try await tokens.text(insteadOf: token)) } catch {
        return .failure(error)
      }
    }
    #expect(world.clock.now.milliseconds - before == (isWaitedFor ? asked * 1000 : 0))
    #expect(renewals(world).count == (isWaitedFor ? 2 : 1))
    guard case .failure(let error) = result else {
      #expect(isWaitedFor)
      return
    }
    #expect(!isWaitedFor && error.kind == .tryLater(asked * 1000))
    let time = asked == 5400 ? "90 minutes" : "\(asked) seconds"
    #expect(error.hint == "try again in \(time)")
  }

  @Test func `one that only ever asks to wait is given up`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    world.server.change { $0.troubles = Array(repeating: [.answer(503)], count: 100) }
    let before = world.clock.now.milliseconds
    let error = await #expect(throws: DAVError.self) {
      _ = try await world.tokens().text(insteadOf: token)
    }
    #expect(error?.kind == .tryLater(nil))
    #expect(world.clock.now.milliseconds - before == (1 + 2 + 4 + 8 + 16) * 1000)
    #expect(renewals(world).count == 6)
  }

  /// RFC 6749 §4.1.2.1 has these words, and some say them with a status of refusals.
  @Test(arguments: [200, 400], ["temporarily_unavailable", "server_error"])
  func `a trouble of the server's is no end of the sign-in`(
    status: Int, word: String
  ) async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let body = "{\"error\":\"\(word)\"}"
    world.server.change {
      $0.troubles = Array(repeating: [.answer(status, body: body)], count: 100)
    }
    let error = await #expect(throws: DAVError.self) {
      _ = try await world.tokens().text(insteadOf: token)
    }
    #expect(error?.kind == (word == "server_error" ? .unreachable : .tryLater(nil)))
    #expect(error?.why.contains(word) == true, "\(error?.why ?? "")")
    world.server.change { $0.troubles = [] }
    #expect(try await world.tokens().text(insteadOf: token) != token)
  }

  // MARK: The place of the tokens

  @Test func `a place that cannot be written is found before the server is asked`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let draft = world.file + ".new"
    #expect(mkdir(draft, 0o700) == 0)
    let error = await #expect(throws: DAVError.self) {
      _ = try await world.tokens().text(insteadOf: token)
    }
    #expect(error?.kind == .local)
    #expect(error?.message == "the tokens cannot be kept in \(world.file)")
    #expect(world.server.grants == ["authorization_code"])
    #expect(rmdir(draft) == 0)
    #expect(try await world.tokens().text(insteadOf: token) != token)
    #expect(world.folder.names(in: "tokens") == ["home.json", "home.json.lock"])
  }

  @Test func `a renewal that failed leaves the file as it was, and nothing beside it`() async throws
  {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let kept = try Data(contentsOf: URL(filePath: world.file))
    world.server.change { $0.troubles = [[.answer(500)]] }
    await #expect(throws: DAVError.self) { _ = try await world.tokens().text(insteadOf: token) }
    #expect(try Data(contentsOf: URL(filePath: world.file)) == kept)
    #expect(world.folder.names(in: "tokens") == ["home.json", "home.json.lock"])
  }

  @Test func `tokens that could not be kept serve the run, and the person is told`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let file = world.file
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    // The place goes away while the server answers.
    world.server.change {
      $0.beforeAnswer = [
        .run {
          unlink(file)
          mkdir(file, 0o700)
        }
      ]
    }
    let tokens = try world.tokens()
    let second = try await tokens.text(insteadOf: token)
    #expect(second != token)
    #expect(try await tokens.text() == second)
    #expect(world.notices.all.count == 1)
    let notice = try #require(world.notices.all.first)
    #expect(notice.hasPrefix("account home is signed in for this run alone, since the tokens"))
    #expect(!notice.contains("canary"))

    world.server.change { $0.beforeAnswer = [] }
    #expect(rmdir(file) == 0)
    try world.folder.write("tokens/home.json", kept)
    let third = try await tokens.text(insteadOf: second)
    #expect(try await world.tokens().text() == third)
    #expect(world.server.grants == Self.signedInAndRenewed + ["refresh_token"])
    #expect(world.notices.all.count == 1)
  }

  /// As of a calgw on another machine, whose lock this one does not see.
  @Test func `what another calgw is about to keep there is left to it`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let kept = try Data(contentsOf: URL(filePath: world.file))
    let draft = world.file + ".new"
    world.server.change {
      $0.beforeAnswer = [
        .run {
          unlink(draft)
          _ = FileManager.default.createFile(atPath: draft, contents: Data("theirs".utf8))
        }
      ]
    }
    #expect(try await world.tokens().text(insteadOf: token) != token)
    #expect(world.notices.all.count == 1)
    #expect(try Data(contentsOf: URL(filePath: world.file)) == kept)
    #expect(try Data(contentsOf: URL(filePath: draft)) == Data("theirs".utf8))
  }

  @Test func `a run that is stopped amid a renewal keeps what the server gives`() async throws {
    let world = try SignInWorld()
    let token = try await world.tokens(doing: SignInWorld.allows).text()
    let gate = try Gate()
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    world.server.change { $0.beforeAnswer = [.run { turn.yield() }, .wait(gate)] }
    let tokens = try world.tokens()
    let run = Task { try await tokens.text(insteadOf: token) }
    for await _ in turns { break }
    run.cancel()
    gate.open()
    _ = await run.result
    world.server.change { $0.beforeAnswer = [] }
    #expect(try await world.tokens().text() != token)
    #expect(world.server.grants == Self.signedInAndRenewed)
  }
}
