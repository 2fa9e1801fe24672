import SyncModel
import Synchronization

/// A feed that can be read before anything is made for it, to see that it is a calendar at all.
/// What came of that is what the run's first reading gets, so that it costs no second request.
struct FeedAhead: StreamSource {
  private let feed: any StreamSource
  private let first = FirstReading()
  /// What is read here is left for others.
  private var isAhead = false

  private final class FirstReading: Sendable {
    let result = Mutex<Result<FetchedStream, StorageError>?>(nil)
  }

  init(_ feed: any StreamSource) { self.feed = feed }

  /// The feed for whoever looks before the run does.
  var lookingAhead: FeedAhead {
    var ahead = self
    ahead.isAhead = true
    return ahead
  }

  var name: String { feed.name }
  var isReadOnly: Bool { feed.isReadOnly }

  func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream {
    if known != nil { return try await feed.fetch(unless: known) }
    let found = first.result.withLock { result in
      let found = result
      if !isAhead { result = nil }
      return found
    }
    if let found { return try found.get() }
    guard isAhead else { return try await feed.fetch(unless: nil) }
    let result: Result<FetchedStream, StorageError>
    do throws(StorageError) {
      result = .success(try await feed.fetch(unless: nil))
    } catch {
      result = .failure(error)
    }
    first.result.withLock { $0 = result }
    return try result.get()
  }

  func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome {
    await feed.replace(expected, with: text)
  }

  func displaced() async throws(StorageError) -> [DisplacedFile] { try await feed.displaced() }

  func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    try await feed.discard(files)
  }

  func makeDurable() async throws(StorageError) { try await feed.makeDurable() }
}
