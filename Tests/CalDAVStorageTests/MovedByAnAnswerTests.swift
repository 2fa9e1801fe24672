import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// One bad answer is no move: what the account's URL named stays what it is.
@Suite struct MovedByAnAnswerTests {
  private static let bad: [ModelFault] = [
    .answer(404), .answer(400), .answer(405), .answer(500), .answer(410),
    .answer(200, headers: [["Content-Type", "text/html"]], body: "<html>hello</html>"),
    .answer(207, headers: [["Content-Type", "application/xml"]], body: ""),
  ]

  private func model() -> ModelAccount {
    let model = ModelAccount()
    model.server.makeCalendar("private", displayName: "Private")
    return model
  }

  @Test(arguments: 0..<7)
  func `a URL that is a calendar never becomes all calendars`(answer: Int) async throws {
    let model = model()
    let account = try model.account(at: ModelAccount.work)
    #expect(try await account.listCollections().map(\.name) == ["work"])
    var options = CalDAVAccount.Options()
    options.found = account.found
    let fault = Self.bad[answer]
    model.server.interfere { $0.path == ModelAccount.work ? fault : nil }
    let later = try model.account(at: ModelAccount.work, options: options)
    let listed = try? await later.listCollections()
    #expect(listed == nil || listed == [])
    #expect(later.location == account.location)
    model.server.interfere(nil)
    let again = try model.account(at: ModelAccount.work, options: options)
    #expect(try await again.listCollections().map(\.name) == ["work"])
  }

  @Test(arguments: 0..<7)
  func `what the URL itself led to is not looked for by a guess`(answer: Int) async throws {
    let model = model()
    let account = try model.account(at: ModelServer.principalPath)
    #expect(try await account.listCollections().count == 2)
    #expect(account.found?.isGuessed == false)
    var options = CalDAVAccount.Options()
    options.found = account.found
    let fault = Self.bad[answer]
    model.server.interfere {
      [ModelServer.principalPath, ModelServer.homePath].contains($0.path) ? fault : nil
    }
    let later = try model.account(at: ModelServer.principalPath, options: options)
    await #expect(throws: StorageError.self) { _ = try await later.listCollections() }
    #expect(
      !model.server.requests.contains { $0.path.hasPrefix("/.well-known") || $0.path == "/" })
  }

  @Test func `a server that fails at the URL is not asked elsewhere`() async throws {
    let model = model()
    model.server.interfere { $0.path == ModelAccount.work ? .answer(500) : nil }
    let account = try model.account(at: ModelAccount.work)
    await #expect(throws: StorageError.self) { _ = try await account.listCollections() }
    #expect(model.server.requests.allSatisfy { $0.path == ModelAccount.work })
  }

  @Test func `a refused password is shown once, however many ask for the calendars`() async throws {
    let model = ModelAccount { $0.authentication = .basic }
    let account = try CalDAVAccount(
      url: ModelServer.origin + "/",
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("wrong".utf8)),
      transport: model.server, surroundings: model.clock.surroundings, digest: sha256)
    for _ in 0..<3 {
      let error = await #expect(throws: StorageError.self) {
        _ = try await account.listCollections()
      }
      #expect(error?.kind == .denied)
    }
    #expect(model.server.requests.count { $0.headers["authorization"] != nil } == 1)
  }
}
