public import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Brings a version of the history back, onto both sides.
  ///
  /// The text is written to the local side, what it replaces goes to the history first, and then
  /// the item is synced as if a person had made the edit: so a restore can itself be undone.
  /// Gives a failed report where the text is no item or the local side cannot be written.
  public func restore(_ text: ItemData, as uid: ItemID) async -> CollectionReport {
    var decided = options
    decided.only = [uid]
    decided.preferred[uid] = .local
    let sync = CollectionSync(
      name: name, local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: digest, options: decided)
    var report = CollectionReport(name: name)
    do throws(SyncFailure) {
      _ = try await sync.recover()
      try await sync.observe([.local, .remote])
      let action = try await sync.putBack(text, uid, into: &report)
      guard report.problems.isEmpty else { return report }
      if !options.isDryRun {
        report = await sync.run()
        report.pulled.created += action == .create ? 1 : 0
        report.pulled.updated += action == .update ? 1 : 0
      }
      if !options.direction.writes(to: .remote) { report.problems.append(Self.staysHere(uid)) }
    } catch {
      report.failure = error
    }
    return report
  }

  private static func staysHere(_ uid: ItemID) -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: uid, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .readOnly, "this pair only pulls, so the version that was restored stays here",
        hint: "Let the pair sync in both directions to bring it to the server."))
  }

  /// Writes the text to the local side; nil where it is there already.
  private func putBack(_ text: ItemData, _ uid: ItemID, into report: inout CollectionReport)
    async throws(SyncFailure) -> ReportedAction.Kind?
  {
    let wanted = Version(tag: nil, digest: digest(text.bytes))
    let href = local.freshHref(for: uid, attempt: 0)
    let read = readItem(text, at: href, version: wanted, modified: nil)
    guard case .success(let item) = read, item.uid == uid else {
      let whole = ItemProblem(
        .incomplete, "this version is no whole item", hint: "Choose another with 'calgw log'.")
      report.problems.append(
        ReportedProblem(
          item: ReportedItem(uid: uid, file: nil, href: nil, summary: ""), problem: whole))
      return nil
    }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let matched = matchItems(differing)
    // Which of the two it should replace, nobody said.
    let twice = matched.problems.filter { $0.uid == uid && $0.problem.code == .duplicateUID }
    guard twice.isEmpty else {
      report.problems += twice.map { self.report(of: $0) }
      return nil
    }
    let old = try await present(uid, among: matched, differing)
    guard old?.item.canonical != item.canonical else { return nil }
    if let problem = try await obstacle(to: item, insteadOf: old, differing) {
      report.problems.append(problem)
      return nil
    }
    let kind: ReportedAction.Kind = old == nil ? .create : .update
    report.actions.append(
      ReportedAction(
        kind: kind, side: .local,
        item: ReportedItem(
          uid: uid, file: old?.item.href ?? href, href: nil, summary: item.summary)))
    if options.isDryRun { return kind }
    try await keepBefore(old, uid, wanted.digest)
    var outcome: WriteOutcome?
    if let old {
      let write = GuardedWrite.replace(old.item.href, expecting: old.item.version, with: text)
      outcome = await local.carryOut([write]).first
    } else {
      for attempt in 0..<Self.nameAttempts {
        let href = local.freshHref(for: uid, attempt: attempt)
        if try await isOfAnother(href, than: uid) { continue }
        outcome = await local.carryOut([.create(href, text)]).first
        guard outcome?.result == .changedMeanwhile else { break }
      }
    }
    try check(outcome)
    return kind
  }

  /// What keeps the item from being written, and would the next time, too.
  private func obstacle(
    to item: ItemVersion, insteadOf old: Present?, _ differing: Differing
  ) async throws(SyncFailure) -> ReportedProblem? {
    func report(_ file: Href, _ problem: ItemProblem) -> ReportedProblem {
      ReportedProblem(
        item: ReportedItem(uid: item.uid, file: file, href: nil, summary: item.summary),
        problem: problem)
    }
    if let file = old?.item.href {
      return try await whatIsInTheWay(at: file).map { report(file, $0) }
    }
    guard let file = try await unreadableFile(of: item.uid, differing) else { return nil }
    return report(
      file,
      ItemProblem(
        .unreadable, "'\(file.text)', which held it, cannot be read",
        hint: "Let calgw read that file, or take it out of the folder, and restore again."))
  }

  /// What stands at the item's place and is nothing that a write replaces, such as a link.
  private func whatIsInTheWay(at file: Href) async throws(SyncFailure) -> ItemProblem? {
    let found = try await on(.local) { () throws(StorageError) in try await local.read([file]) }
    guard case .problem(let problem)? = found.first?.result else { return nil }
    switch problem.code {
    case .notAFile:
      return ItemProblem(
        .notAFile, "a link or a folder is at '\(file.text)', where the item has to go",
        hint: "Remove it, then restore again.")
    case .unreadable, .tooLarge:
      return ItemProblem(
        problem.code, "what is at '\(file.text)', where the item has to go, cannot be read",
        hint: "Let calgw read it, or remove it, then restore again.")
    default: return nil
    }
  }

  /// A file that cannot be read, and held the item when that went into the history: another file
  /// beside it would make two of it.
  private func unreadableFile(of uid: ItemID, _ differing: Differing)
    async throws(SyncFailure) -> Href?
  {
    let unreadable = differing.observations.filter { seen in
      if seen.side == .local, case .obstructed = seen.state { true } else { false }
    }
    if unreadable.isEmpty { return nil }
    let history = try await recorded { () throws(JournalError) in
      try await journal.history(of: uid)
    }
    let places = Set(history.filter { $0.entry.side == .local }.map(\.entry.href))
    return unreadable.first { places.contains($0.href) }?.href
  }

  /// Another item had this name, and that its file is gone has still to reach the other side.
  private func isOfAnother(_ href: Href, than uid: ItemID) async throws(SyncFailure) -> Bool {
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(.local, hrefs: [href])
    }
    guard known.contains(where: \.isGone) else { return false }
    return try await recorded { () throws(JournalError) in
      try await journal.agreement(of: uid)?.local.href != href
    }
  }

  /// Names are tried until one is free: another item may have taken the first.
  private static let nameAttempts = 8

  /// What the local side has of an item now, and its text where the journal may not have it.
  private struct Present {
    var item: ItemVersion
    var text: StoredContent?
  }

  private func present(
    _ uid: ItemID, among matched: MatchedItems, _ differing: Differing
  ) async throws(SyncFailure) -> Present? {
    if let item = matched.items.first(where: { $0.uid == uid }) {
      return item.version(on: .local).map { Present(item: $0) }
    }
    // Its file is broken or not read, and a person has it in another one since: that is the one to
    // replace. Else there would be two of it.
    for seen in differing.observations where seen.side == .local {
      if case .read(let item) = seen.state, item.uid == uid { return Present(item: item) }
    }
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreement(of: uid)?.local
    }
    guard let agreed else { return nil }
    return try await asItIs(agreed)
  }

  /// An agreed file may be broken by now, and then that is what a restore has to replace.
  private func asItIs(_ agreed: ItemVersion) async throws(SyncFailure) -> Present? {
    let found = try await on(.local) { () throws(StorageError) in
      try await local.read([agreed.href])
    }
    switch found.first?.result {
    case .found(let version, _, _) where version.digest == agreed.version.digest:
      return Present(item: agreed)
    case .found(let version, let data, _):
      return broken(agreed, version, data)
    case .problem:
      // An empty file is a problem of its own; another one meets the guard of the write.
      let nothing = ItemData(bytes: [])
      return broken(agreed, Version(tag: nil, digest: digest([])), nothing)
    case .missing, nil:
      return nil
    }
  }

  private func broken(_ agreed: ItemVersion, _ version: Version, _ data: ItemData) -> Present {
    var now = agreed
    now.version = version
    now.canonical = version.digest
    return Present(item: now, text: StoredContent(digest: version.digest, data: data))
  }

  private func keepBefore(_ old: Present?, _ uid: ItemID, _ new: ContentDigest)
    async throws(SyncFailure)
  {
    guard let old else { return }
    let entry = HistoryEntry(
      time: surroundings.now(), uid: uid, side: .local, action: .replaced,
      reason: "restored an earlier version", href: old.item.href,
      before: old.item.version.digest, after: new)
    let texts = old.text.map { [$0] } ?? []
    try await recorded { () throws(JournalError) in
      try await journal.keep([entry], contents: texts)
    }
  }

  private func check(_ outcome: WriteOutcome?) throws(SyncFailure) {
    switch outcome?.result {
    case .stored: return
    case .failed(let error), .unknown(let error): throw .storage(.local, error)
    case .refused(let problem):
      throw .storage(.local, StorageError(.io, problem.message, hint: problem.hint))
    case .changedMeanwhile, .removed, nil:
      throw .storage(
        .local,
        StorageError(
          .tryLater(nil), "the item changed while it was being restored",
          hint: "Run the command again."))
    }
  }
}
