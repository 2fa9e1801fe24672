import SyncModel

/// What became of an edit that a killed command left half done.
package enum FinishedEdit: Sendable, Hashable {
  /// The old series was shortened, as the command had meant to.
  case finished(ItemID)
  /// The new series was taken back: somebody changed the old one meanwhile.
  case undone(ItemID)
  /// Somebody changed both files since, so both are left as they are.
  case leftAlone(ItemID)
}

extension EditDesk {
  /// Finishes or undoes what a killed command left half done in this folder.
  ///
  /// A file that somebody changed since is never touched: what that means for the other one is
  /// decided by looking. What was seen is made durable before it is closed: after a power cut, no
  /// later command would look again.
  package func finish() async throws(JournalError) -> [FinishedEdit] {
    let open = try await journal.openIntents()
    guard !open.isEmpty else { return [] }
    var finished: [FinishedEdit] = []
    var rest = open[...]
    while let first = rest.popFirst() {
      var group = [first]
      // A new series and what it was split from were begun together.
      if first.intent.isCreate, let next = rest.first, !next.intent.isCreate {
        group.append(next)
        rest.removeFirst()
      }
      let isSettled: Bool
      if group.count == 2 {
        let (result, settled) = try await settle(group[0].intent, group[1].intent)
        if let result { finished.append(result) }
        isSettled = settled
      } else {
        // One file is whole in any case.
        isSettled = true
      }
      if isSettled, await isDurable() { try await close(group.map(\.id)) }
    }
    return finished
  }

  private func isDurable() async -> Bool {
    (try? await storage.makeDurable()) != nil
  }

  private enum Seen: Hashable {
    case missing
    case content(ContentDigest)
    /// It cannot be read now.
    case unknown
  }

  private func look(_ href: Href) async -> Seen {
    guard let outcomes = try? await storage.read([href]) else { return .unknown }
    switch outcomes.first?.result {
    case .found(let version, _, _): return .content(version.digest)
    case .missing: return .missing
    case .problem, nil: return .unknown
    }
  }

  /// Gives what became of a split, and whether nothing more has to be done about it.
  private func settle(_ creation: Intent, _ change: Intent)
    async throws(JournalError) -> (FinishedEdit?, Bool)
  {
    guard case .create(let newHref, let newText) = creation.effect,
      case .replace(let oldHref, let expected, let shortened) = change.effect
    else { return (nil, true) }
    let (new, old) = (await look(newHref), await look(oldHref))
    switch (new, old) {
    case (.unknown, _), (_, .unknown): return (nil, false)
    case (_, .content(shortened)): return (nil, true)
    case (.missing, _): return (nil, true)
    case (.content, .content(expected.digest)):
      guard let text = try await journal.contents([shortened])[shortened] else {
        // Without the text it can only be taken back, if that is still ours.
        guard new == .content(newText) else { return (.leftAlone(change.uid), true) }
        return (.undone(change.uid), await remove(newHref, newText))
      }
      let known = Version(tag: nil, digest: expected.digest)
      let write = GuardedWrite.replace(oldHref, expecting: known, with: text)
      switch await storage.carryOut([write]).first?.result {
      case .stored: return (.finished(change.uid), true)
      // The next command looks again.
      case .changedMeanwhile, .refused, .unknown, .failed, .removed, nil: return (nil, false)
      }
    case (.content(newText), .content):
      return (.undone(change.uid), await remove(newHref, newText))
    case (.content, .content), (.content, .missing): return (.leftAlone(change.uid), true)
    }
  }
}

extension Intent {
  fileprivate var isCreate: Bool { if case .create = effect { true } else { false } }
}
