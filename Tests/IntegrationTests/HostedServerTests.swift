import CalDAVStorage
import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What hosted servers do and the table of semantics has no row for, against the whole engine.
@Suite struct HostedServerTests {
  /// Bedework says 201 and does it within three seconds.
  @Test func `what a server stores some seconds later is sent once, and nobody is told twice`()
    async throws
  {
    let pair = ModelPair {
      $0.writeLag = 3_000
      $0.lag = 3_000
    }
    pair.putFile("m", ModelPair.meeting("m", "A"))
    pair.putFile("b", ModelPair.event("b", "A"))
    let first = try await pair.sync()
    #expect(first.problems.isEmpty, "\(first.problems)")
    #expect(first.pushed.created == 2)
    pair.putFile("m", ModelPair.meeting("m", "B"))
    let second = try await pair.sync()
    #expect(second.problems.isEmpty, "\(second.problems)")
    #expect(pair.summaries("m") == "B|B")
    #expect(pair.server.mails == 2)
    try await pair.settle()
    try await pair.expectSilence()
  }

  /// A gateway answers for a server that is at it still, and that keeps no extensions.
  @Test(arguments: [ModelFault.actThenAnswer(504), .lostAfter])
  func `what a server does only after its answer was lost is nobody's edit`(
    fault: ModelFault
  ) async throws {
    let pair = ModelPair { $0.dropsExtensions = true }
    pair.putFile("a", ModelPair.event("a", "A", ["X-KEEP:yes"]))
    try await pair.sync()
    pair.server.change { $0.writeLag = 3_000 }
    pair.editFile("a", ModelPair.event("a", "B", ["X-KEEP:yes"]))
    pair.server.plan(fault, for: "PUT")
    try await pair.sync()
    try await pair.settle()
    #expect(pair.summaries("a") == "B|B")
    #expect(pair.files("a").allSatisfy { $0.contains("X-KEEP:yes") })
    #expect(pair.server.count("PUT") == 2)
    try await pair.expectSilence()
  }

  /// A success that stores nothing, as of a share that is read-only after all.
  @Test func `what is said to be stored, and is not, is offered twice and then once an hour`()
    async throws
  {
    let pair = ModelPair { _ in }
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.sync()
    pair.editFile("a", ModelPair.event("a", "B"))
    pair.server.forgetRequests()
    pair.server.plan(.answer(204), for: "PUT", times: 100)
    for _ in 0..<5 {
      let report = try await pair.sync()
      #expect(report.problems.map(\.problem.code) == [.refused])
    }
    #expect(pair.server.count("PUT") == 2)
    pair.clock.advance(milliseconds: 3_600_000)
    try await pair.sync()
    #expect(pair.server.count("PUT") == 3)
    #expect(pair.summaries("a") == "B|A")
  }

  @Test func `the run after one that only deleted there asks for no changes`() async throws {
    let pair = ModelPair { _ in }
    for uid in ["a", "b", "c", "d", "e"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.sync()
    pair.removeFile("a")
    try await pair.sync()
    pair.server.forgetRequests()
    try await pair.sync()
    #expect(pair.server.requests.map(\.method) == ["PROPFIND"])
  }

  /// DavMail: what is edited in the second of the version that calgw has keeps its tag, and nothing
  /// but the calendar's own tag says that something changed.
  ///
  /// - Parameter hidesTimes: the time of the change is in the tag alone.
  @Test(arguments: [false, true])
  func `an edit in the second of the known version is found without a list of changes`(
    hidesTimes: Bool
  ) async throws {
    let pair = ModelPair {
      $0.tagIsSecond = true
      $0.hasSyncCollection = false
      $0.hidesTimes = hidesTimes
    }
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.sync()
    pair.putRemote("a", ModelPair.event("a", "B"))
    pair.clock.advance(milliseconds: 3_000)
    try await pair.sync()
    #expect(pair.summaries("a") == "B|B")
    try await pair.sync()
    try await pair.expectSilence()
  }

  /// Asynchronous stores answer 404 for a moment, also where something was before.
  @Test func `what is written over and not there for a moment is written once`() async throws {
    let pair = ModelPair {
      $0.writeLag = 2_000
      $0.lag = 2_000
      $0.lateWritesShowNothing = true
    }
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.settle()
    pair.clock.advance(milliseconds: 60_000)
    pair.editFile("a", ModelPair.event("a", "B"))
    pair.server.forgetRequests()
    let report = try await pair.sync()
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(pair.server.count("PUT") == 1)
    try await pair.settle()
    #expect(pair.summaries("a") == "B|B")
    #expect(pair.remotes("a").count == 1)
    try await pair.expectSilence()
  }

  /// Longer than anybody waits: the next run sends it again, to the address that it has already.
  @Test func `what shows a minute later is there once`() async throws {
    let pair = ModelPair {
      $0.writeLag = 60_000
      $0.lag = 60_000
    }
    pair.putFile("a", ModelPair.event("a", "A"))
    let first = try await pair.sync()
    #expect(first.problems.map(\.problem.code) == [.refused])
    try await pair.sync()
    #expect(pair.remotes("a").count == 1)
    try await pair.settle()
    #expect(pair.summaries("a") == "A|A")
    try await pair.expectSilence()
  }

  @Test func `a new item that is listed and cannot be had yet comes with a later run`()
    async throws
  {
    let pair = ModelPair { $0.writeLag = 2_000 }
    try await pair.sync()
    pair.putRemote("a", ModelPair.event("a", "A"))
    let first = try await pair.sync()
    #expect(first.problems.map(\.problem.code) == [.brokenRemote])
    #expect(pair.summaries("a") == "-|A")
    pair.clock.advance(milliseconds: 2_000)
    let second = try await pair.sync()
    #expect(second.problems.isEmpty, "\(second.problems)")
    #expect(pair.summaries("a") == "A|A")
    try await pair.expectSilence()
  }

  /// A balancer whose other half does not know the token.
  @Test func `a listing whose every page is refused ends, and is made in another way`()
    async throws
  {
    let pair = ModelPair {
      $0.pageSize = 2
      $0.tokenLifetime = 0
    }
    for uid in ["a", "b", "c", "d", "e"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.sync()
    #expect(pair.folder.items.count == 5)
    try await pair.expectSilence()
  }

  @Test func `a server that compares tags as it gives them, without quotes, takes edits`()
    async throws
  {
    let pair = ModelPair {
      $0.tagForm = .unquoted
      $0.comparesTagsAsGiven = true
    }
    try await pair.makeRound()
  }

  /// The look before a deletion shows another spelling of the tag that reading the item gave.
  @Test func `a server that leaves out the quotes in listings alone takes all`() async throws {
    let pair = ModelPair { $0.listsTagsUnquoted = true }
    try await pair.makeRound()
    pair.putRemote("c", ModelPair.event("c", "C"))
    try await pair.sync()
    pair.removeFile("c")
    try await pair.sync()
    #expect(pair.summaries("c") == "-|-")
    try await pair.expectSilence()
  }

  @Test func `a report that denies the calendar itself is no proof that it is gone`() async throws {
    let pair = ModelPair { $0.deniesItself = true }
    try await pair.makeRound()
  }

  /// iCloud: the home is on a host of its own, and names its members with the host of the account.
  @Test func `members at another host of the account are the calendar's`() async throws {
    let pair = ModelPair(home: "http://127.0.0.1:8042") { $0.hrefForm = .absolute }
    try await pair.makeRound()
  }
}
