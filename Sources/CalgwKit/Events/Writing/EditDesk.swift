import SyncModel

/// Writes into one folder for an event command: what is replaced is kept first, and what takes two
/// files is finished or undone after a crash.
///
/// The order is that of a sync: the texts that go and the intents are durable, then the guarded
/// writes are made, then the intents are closed. Whoever has a desk holds the lock on the edits.
package struct EditDesk: Sendable {
  let storage: any Storage
  let journal: any Journal
  let digest: DigestFunction
  let surroundings: Surroundings

  package init(
    storage: any Storage, journal: any Journal, digest: @escaping DigestFunction,
    surroundings: Surroundings
  ) {
    self.storage = storage
    self.journal = journal
    self.digest = digest
    self.surroundings = surroundings
  }

  /// Carries out changes that belong together, one after another; one that is not done holds up
  /// those after it, and takes new files before it back.
  ///
  /// Of a split the new series comes first and the shortening of the old one second: stopped in
  /// between, every occurrence is there at least once, and `finish` goes on from there.
  package func carryOut(_ changes: [ItemChange]) async throws(JournalError) -> [ChangeOutcome] {
    let ids: [Intent.ID]
    do throws(JournalError) {
      guard changes.count > 1 else { return try await carryOutEach(changes) }
      // By itself, since each edit has an entry of its own: only what a sync tries again has not.
      try await keepReplaced(changes)
      ids = try await journal.begin(
        changes.map { $0.intent(digest) }, history: [],
        contents: changes.flatMap { $0.contents(digest) })
    } catch {
      throw error.beforeAnything
    }
    var outcomes: [ChangeOutcome] = []
    for change in changes {
      guard outcomes.allSatisfy(\.isDone) else {
        outcomes.append(.notBegun)
        continue
      }
      outcomes.append(await write(change))
    }
    // What nobody knows stays open: the next command looks.
    guard !outcomes.contains(where: \.isUnknown) else { return outcomes }
    if !outcomes.allSatisfy(\.isDone) {
      for (change, outcome) in zip(changes, outcomes) where outcome.isDone {
        guard await takeBack(change) else { return outcomes }
      }
    }
    try await close(ids)
    return outcomes
  }

  /// Carries out changes that have nothing to do with each other, in as few steps as may be.
  func carryOutEach(_ changes: [ItemChange]) async throws(JournalError) -> [ChangeOutcome] {
    try await keepReplaced(changes)
    return await storage.carryOut(changes.map(\.write)).map(\.changeOutcome)
  }

  /// What the changes take away goes to the history, before the first of them is made.
  private func keepReplaced(_ changes: [ItemChange]) async throws(JournalError) {
    let replacing = changes.filter(\.replaces)
    if replacing.isEmpty { return }
    let time = surroundings.now()
    try await journal.keep(
      replacing.compactMap { $0.history(at: time, digest) },
      contents: replacing.flatMap { $0.contents(digest) })
  }

  func write(_ change: ItemChange) async -> ChangeOutcome {
    await storage.carryOut([change.write]).first?.changeOutcome ?? .changedMeanwhile
  }

  /// Removes a new file whose counterpart could not be changed: the old series is whole, so the new
  /// one would be there twice. Gives false where nobody knows whether it is gone.
  private func takeBack(_ change: ItemChange) async -> Bool {
    guard case .create(let href, let data) = change.effect else { return true }
    return await remove(href, digest(data.bytes))
  }

  /// Removes a file as long as it has this content.
  func remove(_ href: Href, _ content: ContentDigest) async -> Bool {
    let version = Version(tag: nil, digest: content)
    let outcome = await storage.carryOut([.delete(href, expecting: version)]).first
    switch outcome?.result {
    case .removed, .changedMeanwhile: return true
    case .stored, .refused, .unknown, .failed, nil: return false
    }
  }

  func close(_ ids: [Intent.ID]) async throws(JournalError) {
    try await journal.close(
      ids.map { ClosedIntent(id: $0, outcome: .nothingWritten) }, contents: [])
  }
}

extension ItemChange {
  /// It takes something away that was there.
  var replaces: Bool {
    if case .create = effect { false } else { true }
  }
}

extension JournalError {
  static let nothingChanged = "; nothing was changed"

  /// The same, of a command that has written no file yet.
  var beforeAnything: JournalError {
    JournalError(kind, message, hint: hint.isEmpty ? "" : hint + Self.nothingChanged)
  }
}

extension ChangeOutcome {
  var isDone: Bool { if case .done = self { true } else { false } }
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension WriteOutcome {
  var changeOutcome: ChangeOutcome {
    switch result {
    case .stored(let href, _, _): .done(href)
    case .removed: .done(href)
    case .changedMeanwhile: .changedMeanwhile
    case .refused(let problem): .refused(problem)
    case .unknown(let error): .unknown(error)
    case .failed(let error): .failed(error)
    }
  }
}
