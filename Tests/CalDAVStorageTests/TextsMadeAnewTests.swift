import CalDAVStorage
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Servers that make an item's text anew at each read, and have no entity tag that stays.
@Suite struct TextsMadeAnewTests {
  private let href = ModelAccount.href("a.ics")

  /// What such a server gives for `a.ics`, until that is written over or deleted without a guard.
  private final class Renderings: Sendable {
    private struct State {
      var reads = 0
      var summary = "Dentist"
      var isOver = false
    }

    private let state = Mutex(State())
    private let hasTag: Bool

    init(hasTag: Bool) { self.hasTag = hasTag }

    func edit(_ summary: String) { state.withLock { $0.summary = summary } }

    func answer(_ request: ModelRequest) -> ModelFault? {
      state.withLock { state in
        let isUnguarded = request.headers["if-match"] == nil
        if ["PUT", "DELETE"].contains(request.method), isUnguarded { state.isOver = true }
        guard request.method == "GET", request.path.hasSuffix("/a.ics"), !state.isOver else {
          return nil
        }
        state.reads += 1
        let time = "LAST-MODIFIED:20260101T0000\(state.reads + 10)Z\r\nSUMMARY"
        return .answer(
          200,
          headers: [["Content-Type", "text/calendar"]]
            + (hasTag ? [["ETag", "\"e\(state.reads)\""]] : []),
          body: String(decoding: event("a", state.summary).bytes, as: UTF8.self)
            .replacing("SUMMARY", with: time))
      }
    }
  }

  private func bench(hasTag: Bool) async throws -> (ModelAccount, CalDAVStorage, Renderings) {
    let (model, storage, _) = try await ModelAccount.withOneItem { $0.hasMultiget = false }
    let renderings = Renderings(hasTag: hasTag)
    model.server.interfere { renderings.answer($0) }
    return (model, storage, renderings)
  }

  private func read(_ storage: CalDAVStorage) async throws -> Version {
    guard case .found(let version, _, _) = try await storage.read([href])[0].result else {
      throw StorageError(.io, "the item cannot be read")
    }
    return version
  }

  /// Whether there is an entity tag, another one each time, and whether the item is deleted.
  @Test(arguments: [false, true], [false, true])
  func `an edit and a deletion go up once the item was read again`(
    hasTag: Bool, isDeleted: Bool
  ) async throws {
    let (model, storage, _) = try await bench(hasTag: hasTag)
    let edited = event("a", "Doctor")
    func write(over version: Version) async -> WriteOutcome {
      await storage.carryOut([
        isDeleted
          ? .delete(href, expecting: version)
          : .replace(href, expecting: version, with: edited)
      ])[0]
    }
    let first = await write(over: try await read(storage))
    #expect(first.result == .changedMeanwhile)
    let second = await write(over: try await read(storage))
    #expect(second.isUnguarded, "\(second.result)")
    #expect(model.content("a.ics") == (isDeleted ? nil : edited.bytes))
  }

  @Test(arguments: [false, true])
  func `what somebody edits in between is not written over`(hasTag: Bool) async throws {
    let (model, storage, renderings) = try await bench(hasTag: hasTag)
    for summary in ["Theirs", "Theirs again"] {
      let version = try await read(storage)
      renderings.edit(summary)
      let outcome = await storage.carryOut([
        .replace(href, expecting: version, with: event("a", "Doctor"))
      ])[0]
      #expect(outcome.result == .changedMeanwhile)
    }
    #expect(model.content("a.ics") == event("a").bytes)
  }

  /// Whether the item is deleted, and whether the tags are weak: those guard nothing, and tell as
  /// well that it is another version.
  @Test(arguments: [false, true], [false, true])
  func `what somebody touches in between is read before it goes`(
    isDeleted: Bool, isWeak: Bool
  ) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem {
      $0.hasMultiget = false
      if isWeak { $0.tagForm = .weak }
    }
    func write(over version: Version) async -> WriteOutcome.Result {
      await storage.carryOut([
        isDeleted
          ? .delete(href, expecting: version)
          : .replace(href, expecting: version, with: event("a", "Doctor"))
      ])[0].result
    }
    let first = try await read(storage)
    model.put("a.ics", event("a", "Theirs"))
    #expect(await write(over: first) == .changedMeanwhile)
    let second = try await read(storage)
    let text = String(decoding: event("a", "Theirs").bytes, as: UTF8.self)
    let touched = Array(text.replacing("SUMMARY", with: "SEQUENCE:3\r\nSUMMARY").utf8)
    model.put("a.ics", ItemData(bytes: touched))
    #expect(await write(over: second) == .changedMeanwhile)
    #expect(model.content("a.ics") == touched)
  }
}
