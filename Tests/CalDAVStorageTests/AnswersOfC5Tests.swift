import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Every answer of HTTP that a server may give instead of the expected one, and what calgw makes of
/// it. The numbers are those of the catalogue of faults.
@Suite struct AnswersOfC5Tests {
  @Test(arguments: ServerAnswer.all)
  func `an answer has its meaning`(answer: ServerAnswer) async throws {
    for play in answer.plays { try await play.run(answer) }
  }

  @Test func `every number is there once`() {
    #expect(ServerAnswer.all.map(\.number) == Array(1...32))
    #expect(ServerAnswer.all.allSatisfy { !$0.plays.isEmpty })
  }
}

/// A row of the table: an answer, and what calgw makes of it.
struct ServerAnswer: Sendable, CustomStringConvertible {
  let number: Int
  let answer: String
  let meaning: String
  let plays: [AnswerPlay]

  init(_ number: Int, _ answer: String, _ meaning: String, _ plays: AnswerPlay...) {
    self.number = number
    self.answer = answer
    self.meaning = meaning
    self.plays = plays
  }

  var description: String { "C5.\(number) \(answer): \(meaning)" }
}

/// One request that meets an answer, and what comes of it.
struct AnswerPlay: Sendable {
  /// What calgw is about to do with the item `a.ics`, which both know, or with a new one.
  enum Deed: Sendable { case create, replace, delete, read, list, relist, listToTheEnd }

  enum Outcome: Sendable, Equatable {
    case stored, removed, changedMeanwhile, unknown
    case refused(ItemProblem.Code, mayPass: Bool = false)
    case failed(StorageError.Kind)
    case found, missing, problem
    /// A listing: of everything, or of changes; or a part of one, and more is to come.
    case everything(Int)
    case changes(Int)
    case part(Int)
  }

  /// What is written.
  private static let new = event("n")
  private static let edited = event("a", "Ours")

  let deed: Deed
  let fault: ModelFault?
  let times: Int
  let outcome: Outcome
  /// Requests of the deed's own method that are sent.
  let requests: Int?
  let prepare: @Sendable (ModelAccount) -> Void

  init(
    _ deed: Deed, _ fault: ModelFault?, times: Int = 1, _ outcome: Outcome, requests: Int? = nil,
    after prepare: @escaping @Sendable (ModelAccount) -> Void = { _ in }
  ) {
    self.deed = deed
    self.fault = fault
    self.times = times
    self.outcome = outcome
    self.requests = requests
    self.prepare = prepare
  }

  private var method: String {
    switch deed {
    case .create, .replace: "PUT"
    case .delete: "DELETE"
    case .read: "GET"
    case .list, .relist, .listToTheEnd: "REPORT"
    }
  }

  func run(_ row: ServerAnswer) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem {
      $0.hasMultiget = deed != .read
    }
    let cursor = deed == .relist ? try await listAll(storage).cursor : nil
    prepare(model)
    model.server.forgetRequests()
    if let fault { model.server.plan(fault, for: method, times: times) }
    let seen = await act(storage, version, cursor)
    #expect(seen == outcome, "\(row)")
    expectTruth(model, row)
    if let requests { #expect(model.server.count(method) == requests, "\(row)") }
    // Whatever happened, nothing went to another server.
    #expect(model.server.requests.allSatisfy { $0.url.hasPrefix(ModelServer.origin + "/") })
  }

  /// What the server has now is what was said, and no write went without a guard.
  private func expectTruth(_ model: ModelAccount, _ row: ServerAnswer) {
    let writes = model.server.requests.filter { ["PUT", "DELETE"].contains($0.method) }
    #expect(
      writes.allSatisfy { $0.headers["if-match"] != nil || $0.headers["if-none-match"] != nil },
      "\(row)")
    switch (deed, outcome) {
    case (.create, .stored): #expect(model.content("n.ics") == Self.new.bytes, "\(row)")
    case (.replace, .stored): #expect(model.content("a.ics") == Self.edited.bytes, "\(row)")
    case (.delete, .removed): #expect(model.content("a.ics") == nil, "\(row)")
    case (.create, .refused), (.create, .failed):
      #expect(model.content("n.ics") == nil, "\(row)")
    case (.replace, .refused), (.replace, .failed), (.replace, .changedMeanwhile):
      #expect(model.content("a.ics") != Self.edited.bytes, "\(row)")
    case (.delete, .refused), (.delete, .changedMeanwhile):
      #expect(model.content("a.ics") != nil, "\(row)")
    default: break
    }
  }

  private func act(
    _ storage: CalDAVStorage, _ version: Version, _ cursor: Cursor?
  ) async -> Outcome {
    let href = ModelAccount.href("a.ics")
    do throws(StorageError) {
      switch deed {
      case .create:
        return await write(.create(ModelAccount.href("n.ics"), Self.new), storage)
      case .replace:
        return await write(.replace(href, expecting: version, with: Self.edited), storage)
      case .delete: return await write(.delete(href, expecting: version), storage)
      case .read:
        switch try await storage.read([href]).first?.result {
        case .found: return .found
        case .missing: return .missing
        case .problem, nil: return .problem
        }
      case .list, .relist:
        let page = try await storage.listChanges(since: cursor)
        let count = page.present.count + page.gone.count
        guard page.isLast else { return .part(count) }
        return page.extent == .everything ? .everything(count) : .changes(count)
      case .listToTheEnd:
        var (found, next): (Set<Href>, Cursor?) = ([], nil)
        for _ in 0..<10 {
          let page = try await storage.listChanges(since: next)
          found.formUnion(page.present.map(\.href))
          if page.isLast { return .everything(found.count) }
          next = page.next
        }
        return .unknown
      }
    } catch {
      return .failed(error.kind)
    }
  }

  private func write(_ write: GuardedWrite, _ storage: CalDAVStorage) async -> Outcome {
    let outcome = await storage.carryOut([write])[0]
    switch outcome.result {
    case .stored: return .stored
    case .removed: return .removed
    case .changedMeanwhile: return .changedMeanwhile
    case .unknown: return .unknown
    case .refused(let problem): return .refused(problem.code, mayPass: outcome.isTransient)
    case .failed(let error): return .failed(error.kind)
    }
  }
}
