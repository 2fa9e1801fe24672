import ICalendar
public import SyncModel
import SyncPlanning

/// What a person can say to a conflict.
public enum ConflictChoice: String, Sendable, CaseIterable {
  case local, remote
  /// What both changed, property by property.
  case merged
  /// The local version stays, and the remote one becomes a second item with a new UID.
  case both
}

extension CollectionSync {
  /// Settles a conflict as a person said, by a run over this one item: what is replaced goes to
  /// the history, and an edit that comes between is planned anew.
  ///
  /// A one-way run writes to one side: there only the other side's version can be taken, and any
  /// other choice is reported as the problem `read-only`.
  public func resolve(_ uid: ItemID, taking choice: ConflictChoice) async -> CollectionReport {
    var decided = options
    decided.only = [uid]
    var failed = CollectionReport(name: name)
    if let problem = Self.obstacle(to: choice, options.direction) {
      let item = ReportedItem(uid: uid, file: nil, href: nil, summary: "")
      failed.problems = [ReportedProblem(item: item, problem: problem)]
      return failed
    }
    switch choice {
    case .local: decided.preferred[uid] = .local
    case .remote: decided.preferred[uid] = .remote
    case .merged:
      decided.policy = .merge
      decided.sparesMail = false
    case .both:
      decided.preferred[uid] = .local
      do throws(SyncFailure) {
        _ = try await recover()
        try await observe([.local, .remote])
        guard let copy = try await copyRemote(uid) else { break }
        failed.actions = [copy.action]
        decided.only = [uid, copy.uid]
      } catch {
        failed.failure = error
        return failed
      }
    }
    let sync = CollectionSync(
      name: name, local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: digest, options: decided)
    var report = await sync.run()
    report.actions = failed.actions + report.actions
    report.pulled.created += failed.actions.count
    return report
  }

  private static func obstacle(
    to choice: ConflictChoice, _ direction: SyncDirection
  ) -> ItemProblem? {
    switch (direction, choice) {
    case (.both, _), (.pull, .remote), (.push, .local): nil
    case (.pull, _):
      ItemProblem(
        .readOnly, "this pair only pulls, so nothing but the remote version can be taken",
        hint: "Take remote; the local version stays in 'calgw log'.")
    case (.push, _):
      ItemProblem(
        .readOnly, "this pair only pushes, so nothing but the local version can be taken",
        hint: "Take local; the remote version stays in 'calgw log'.")
    }
  }

  /// A second item that is to be made.
  private struct RemoteCopy {
    var uid: ItemID
    var action: ReportedAction
  }

  /// Puts the remote version beside the local one, as an item of its own. Its UID is made of the
  /// version, so that to do it again after a kill makes no third one. Nil where the remote side
  /// has nothing.
  private func copyRemote(_ uid: ItemID) async throws(SyncFailure) -> RemoteCopy? {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let item = matchItems(differing).items.first { $0.uid == uid }
    guard let version = item?.version(on: .remote) else { return nil }
    let digest = version.version.digest
    let texts = try await recorded { () throws(JournalError) in
      try await journal.contents([digest])
    }
    let made = ItemID(Self.uuid(of: self.digest(uid.bytes + digest.bytes)))
    guard let text = texts[digest],
      let copy = try? SyntaxTree(bytes: text.bytes).underUID(made.bytes)
    else {
      throw .storage(
        .remote,
        StorageError(
          .io, "the other version cannot be made a second item",
          why: "it is built in a way that cannot be edited",
          hint: "Take local or remote; the other one stays in 'calgw log'."))
    }
    let href = local.freshHref(for: made, attempt: 0)
    let action = ReportedAction(
      kind: .create, side: .local,
      item: ReportedItem(uid: made, file: href, href: nil, summary: version.summary))
    if !options.isDryRun {
      switch await local.carryOut([.create(href, ItemData(bytes: copy.bytes))]).first?.result {
      // Taken by itself, from a run that was killed.
      case .stored, .changedMeanwhile: break
      case .failed(let error), .unknown(let error): throw .storage(.local, error)
      case .refused(let problem):
        throw .storage(.local, StorageError(.io, problem.message, hint: problem.hint))
      case .removed, nil:
        throw .storage(
          .local, StorageError(.io, "the copy was not written", hint: "Run the command again."))
      }
    }
    return RemoteCopy(uid: made, action: action)
  }

  /// A digest's first bytes in the form of a UUID.
  private static func uuid(of digest: ContentDigest) -> String {
    let digits = digest.bytes.prefix(16).flatMap { byte in
      Array((byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
