import SyncModel
import WebDAV

/// Reports of changes that are answered with a success which is none: 200 or 204, nothing, or XML
/// that ends early. The calendar itself may well be listed.
extension CalDAVStorage {
  /// What a report of changes gave.
  enum ChangesAnswer: Sendable {
    case multistatus(Multistatus, from: WebURL)
    case refused(DAVRefusal)
    /// Nobody can make anything of it; in words, why.
    case unusable(String)
  }

  /// Asks what changed since a token, which is empty for everything.
  func askForChanges(since token: [UInt8]) async throws(StorageError) -> ChangesAnswer {
    let request = PropertyRequests.syncCollection(url, token: token)
    do throws(DAVError) {
      switch try await client.multistatus(request, limits: limits) {
      case .multistatus(let multistatus, let source): return .multistatus(multistatus, from: source)
      case .refused(let refusal): return .refused(refusal)
      }
    } catch {
      // Without a place there was no answer of this report's.
      guard error.place != nil, [.protocolBroken, .illFormed].contains(error.kind) else {
        throw StorageError(error)
      }
      withRunMemory { $0.unusableReports += 1 }
      return .unusable(error.why)
    }
  }

  /// The listing in the place of such a report. The first of a run may have been spoilt on the way,
  /// or for its token's sake; what the second shows is kept.
  func recover(
    fromUnusable answer: String, _ known: SyncCursor, _ advertised: CalendarState?
  ) async throws(StorageError) -> ChangePage {
    guard withRunMemory({ $0.unusableReports == 1 }) else {
      return try await listWithoutReport(advertised, since: answer)
    }
    let isTokened = !(known.token ?? []).isEmpty
    if isTokened, !known.isListing { return try await listEverything(advertised, bySync: true) }
    return try await compareTags(advertised, token: nil)
  }
}
