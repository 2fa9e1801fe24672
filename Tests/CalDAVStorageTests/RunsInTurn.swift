import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// One run after the other over a calendar, a minute apart: what one learns of the server the next
/// one knows.
final class RunsInTurn {
  /// What a run lists, and what it then finds absent.
  struct Seen {
    var pages: [ChangePage]
    var absent: [Href]

    var extents: [ChangePage.Extent] { pages.map(\.extent) }
    var present: [Href] { pages.flatMap { $0.present.map(\.href) } }
  }

  let model: ModelAccount
  private(set) var learned: CalDAVAccount.Learned?
  private var cursor: Cursor?

  /// Makes the items, and a first run that lists them.
  init(_ items: [String], _ change: (inout ModelSwitches) -> Void = { _ in }) async throws {
    model = ModelAccount(change)
    for name in items { model.put("\(name).ics", event(name)) }
    _ = try await run()
  }

  /// What is known of the server by now.
  func finding(_ capability: ServerProfile.Capability) -> ServerProfile.Finding? {
    learned?.profile[capability]
  }

  /// Lists, looks for what is missing, hears what a look showed that no list said, and then writes,
  /// and reads what it stored.
  func run(
    missing: [Href] = [], untold: [Href] = [], writes: [GuardedWrite] = []
  ) async throws -> Seen {
    model.clock.advance(milliseconds: 60_000)
    let (account, storage) = try await model.open(learned)
    model.server.forgetRequests()
    let (pages, next) = try await listAll(storage, since: cursor)
    let absent = missing.isEmpty ? [] : try await storage.confirmAbsence(of: missing)
    if !untold.isEmpty { await storage.noteUntold(untold) }
    var stored: [Href] = []
    for outcome in await storage.carryOut(writes) {
      guard case .stored(let href, _, _) = outcome.result else {
        throw StorageError(.io, "not stored")
      }
      stored.append(href)
    }
    _ = try await storage.readAll(stored)
    cursor = next
    learned = account.learned
    return Seen(pages: pages, absent: absent)
  }
}
