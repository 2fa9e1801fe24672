import SyncModel
import WebDAV

/// Reports of changes that are answered with a success which is none: 200 or 204, nothing, or XML
/// that ends early. The calendar itself may well be listed.
extension CalDAVStorage {
  /// Pages of one listing: 10,000 are a million items on servers that page by a hundred.
  static let mostPages = 10_000
  /// Pages in a row that name nothing and are not the last: more of them come to nothing either.
  private static let mostEmptyPages = 20

  /// Why a report that goes on in pages comes to nothing; nil where it gets on, or ends.
  func whyEndless(_ members: Members, page: Int, repeatsToken: Bool) -> String? {
    let isEmpty = members.present.isEmpty && members.gone.isEmpty && !members.hasUnnamed
    let empty = withRunMemory { memory in
      memory.emptyPages = isEmpty && members.isTruncated ? memory.emptyPages + 1 : 0
      return memory.emptyPages
    }
    if members.isTruncated, repeatsToken { return "507, and the same token again" }
    if page > Self.mostPages { return "507 in more than \(Self.mostPages) pages" }
    return empty < Self.mostEmptyPages ? nil : "507 in \(empty) pages that name nothing"
  }

  /// What a report of changes gave.
  enum ChangesAnswer: Sendable {
    case multistatus(Multistatus, from: WebURL)
    case refused(DAVRefusal)
    /// Nobody can make anything of it; in words, why.
    case unusable(String)
    /// There is none, and the calendar may be listed all the same.
    case silent
  }

  /// Asks what changed since a token, which is empty for everything.
  func askForChanges(since token: [UInt8]) async throws(StorageError) -> ChangesAnswer {
    let request = PropertyRequests.syncCollection(url, token: token)
    do throws(DAVError) {
      let answer = try await client.multistatus(request, limits: limits)
      withRunMemory { $0.lastReport = .answered }
      switch answer {
      case .multistatus(let multistatus, let source): return .multistatus(multistatus, from: source)
      case .refused(let refusal): return .refused(refusal)
      }
    } catch {
      // Without a place there was no answer of this report's.
      if error.place != nil, [.protocolBroken, .illFormed].contains(error.kind) {
        withRunMemory { run in
          run.unusableReports += 1
          run.lastReport = .answered
        }
        return .unusable(error.why)
      }
      let trouble = StorageError(error)
      guard mayBeListed(after: error) else { throw trouble }
      // Another one in this run would only take its time again.
      withRunMemory { ($0.lastReport, $0.listsDeltas) = (.silent(trouble), false) }
      return .silent
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
