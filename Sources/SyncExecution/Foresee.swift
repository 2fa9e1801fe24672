import SyncModel
import SyncPlanning

/// What a dry run says of a text that a person would have written to the local side: its journal, a
/// throw-away copy, is told of the text, and the engine plans on that. So what is foreseen is what
/// the run does, with the problems that it meets.
extension CollectionSync {
  /// Plans on what the journal has of both sides, and looks at neither.
  func foresee() async -> CollectionReport { await run(lookingAt: []) }

  /// Notes a text as what the local side holds at a place.
  func note(foreseen text: ItemData, at href: Href) async throws(SyncFailure) {
    let version = Version(tag: nil, digest: digest(text.bytes))
    let read = readItem(text, at: href, version: version, modified: surroundings.now())
    let state: Observation.State =
      switch read {
      case .success(let item): .read(item)
      case .failure(let problem): .obstructed(nil, problem)
      }
    let seen = Observation(side: .local, href: href, state: state)
    try await recorded { () throws(JournalError) in
      try await journal.record(
        read: [.observed(seen)], on: .local,
        contents: [StoredContent(digest: version.digest, data: text)])
    }
  }
}
