public import SyncModel
import SyncPlanning

/// Where a version was that a person wants back.
public struct FormerPlace: Sendable, Hashable {
  public var side: Side
  public var href: Href
  /// Where the item was on the other side then; nil: not there, or not known.
  public var counterpart: Href?

  public init(side: Side, href: Href, counterpart: Href? = nil) {
    self.side = side
    self.href = href
    self.counterpart = counterpart
  }

  /// The place on the local side.
  var local: Href? { side == .local ? href : counterpart }
}

extension CollectionSync {
  /// Brings a version of the history back, onto both sides.
  ///
  /// The text is written to the local side, what it replaces goes to the history first, and then
  /// the item is synced as if a person had made the edit: so a restore can itself be undone. A text
  /// that is no whole item, as that of a broken file, goes back into its file byte for byte, and is
  /// left alone there as it was. What the remote side has changed behind a broken file is not
  /// written over: it is a conflict then, and the next sync brings both together.
  ///
  /// A dry run notes in its journal what the local side would have, and plans on that.
  ///
  /// - Parameter place: where the version was; nil: not known, so only whole items come back.
  /// - Returns: A failed report where the local side cannot be written, and one with a problem
  ///   where the version cannot come back, or not onto both sides.
  public func restore(
    _ text: ItemData, as uid: ItemID, from place: FormerPlace? = nil
  ) async -> CollectionReport {
    var report = CollectionReport(name: name)
    let wanted: WantedText
    switch self.wanted(text, uid, place) {
    case .success(let found): wanted = found
    case .failure(let problem):
      let item = ReportedItem(uid: uid, file: nil, href: nil, summary: "")
      report.problems = [ReportedProblem(item: item, problem: problem)]
      return report
    }
    do throws(SyncFailure) {
      let mail = try await clearUpKilledRun()
      mail.count(in: &report)
      try await observe([.local, .remote], isAsked: true)
      let news = try await hiddenChange(besides: wanted)
      try await putBack(wanted, into: &report)
      guard report.problems.isEmpty else { return report }
      let file = report.actions.first?.item.file
      var decided = options
      decided.only = news == nil ? [uid] : []
      if news == nil { decided.preferred[uid] = .local }
      report = await with(decided).run(after: report, telling: mail)
      if let news {
        report.conflicts.append(staysBeside(news, wanted, in: file))
      } else if wanted.isWhole, let kept = try await keptHere(uid) {
        report.problems.append(Self.staysHere(kept))
      }
    } catch {
      report.failure = error
    }
    return report
  }

  /// What a pair that only pulls has on the local side alone, once it is restored; nil where both
  /// sides have the version.
  private func keptHere(_ uid: ItemID) async throws(SyncFailure) -> ItemVersion? {
    if options.direction.writes(to: .remote) { return nil }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    return matchItems(differing).items.first { $0.uid == uid }?.version(on: .local)
  }

  private static func staysHere(_ kept: ItemVersion) -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(uid: kept.uid, file: kept.href, href: nil, summary: kept.summary),
      problem: ItemProblem(
        .readOnly, "this pair only pulls, so the version that was restored stays here",
        hint: "Let the pair sync in both directions to bring it to the server."))
  }

  /// What the remote side made of the item since both agreed, where its file is broken: no run can
  /// bring it here, and a person who mends the file does not mean to undo it, also where he was
  /// told of a conflict before. Nil where there is no such change.
  private func hiddenChange(
    besides wanted: WantedText
  ) async throws(SyncFailure) -> BehindBroken? {
    guard wanted.isWhole, options.direction.writes(to: .remote), !readOnly.contains(.remote)
    else { return nil }
    guard let hidden = try await behindBroken(wanted.uid),
      ![hidden.agreed?.remote.canonical, wanted.canonical].contains(hidden.version.canonical)
    else { return nil }
    return hidden
  }

  /// Both versions are there, and the next sync or a person settles it.
  private func staysBeside(
    _ news: BehindBroken, _ wanted: WantedText, in file: Href?
  ) -> ReportedConflict {
    // Where that is what both shared, there is nothing to join with what the other side changed.
    let isAgreed = wanted.canonical == news.agreed?.local.canonical
    return ReportedConflict(
      item: ReportedItem(
        uid: wanted.uid, file: file, href: news.version.href, summary: wanted.summary),
      reason: news.agreed == nil ? .neverAgreed : .bothChanged, local: wanted.digest,
      remote: news.version.version.digest,
      choices: choices.filter { !isAgreed || $0 == .local || $0 == .remote })
  }

  // MARK: What is wanted

  private func wanted(_ text: ItemData, _ uid: ItemID, _ place: FormerPlace?)
    -> Result<WantedText, ItemProblem>
  {
    let version = Version(tag: nil, digest: digest(text.bytes))
    let href = local.freshHref(for: uid, attempt: 0)
    switch readItem(text, at: href, version: version, modified: nil) {
    case .success(let item) where item.uid == uid:
      if let problem = leftOut(item.components) { return .failure(problem) }
      return .success(
        WantedText(
          uid: uid, text: text, digest: version.digest, canonical: item.canonical,
          summary: item.summary, file: nil, reason: Self.restored, former: place?.local))
    case .success(let item):
      return .failure(
        ItemProblem(
          .unsupported, "this version holds another item, '\(item.uid.text)'", hint: Self.seeText))
    case .failure(let problem):
      guard let place, place.side == .local, !local.traits.keepsAddresses else {
        let isServers = place?.side == .local
        return .failure(
          ItemProblem(
            problem.code,
            "this version is no whole item, and was "
              + (isServers ? "on a server" : "not in a file of the local side")
              + ": a text like that is only put back into such a file", hint: Self.seeText))
      }
      return .success(
        WantedText(
          uid: uid, text: text, digest: version.digest, canonical: nil, summary: "",
          file: place.href, reason: Self.restored))
    }
  }

  /// What the pair leaves out it would change in the folder alone.
  private func leftOut(_ kinds: [String]) -> ItemProblem? {
    guard let kind = kinds.first(where: { options.components?.contains($0) == false }) else {
      return nil
    }
    return ItemProblem(
      .unsupported, "this pair leaves out \(kind), so the version would come back here alone",
      hint: "Add \(kind) to the pair's `components`, and sync, to bring it back.")
  }

  private static let restored = "restored an earlier version"
  private static let seeText =
    "`calgw log UID --content` shows its text, and with --json every byte of it; choose another"
    + " version, or put what you need of it into the item."

  // MARK: Putting it back

  /// Writes the text to the local side, unless it is there already.
  func putBack(_ wanted: WantedText, into report: inout CollectionReport)
    async throws(SyncFailure)
  {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    let matched = matchItems(differing)
    // Which of the two it should replace, nobody said.
    let twice = matched.problems.filter {
      $0.uid == wanted.uid && $0.problem.code == .duplicateUID
    }
    guard twice.isEmpty else {
      report.problems += try await withSeriesMended(twice).map { self.report(of: $0) }
      return
    }
    var old = try await textInPlace(of: wanted, among: matched, differing)
    if let old, wanted.isSame(as: old) { return }
    // Mended or deleted since: that is a person's, and later.
    if wanted.isForBrokenFile, old == nil || old?.canonical != nil { return }
    if let problem = try await obstacle(to: wanted, insteadOf: &old, differing) {
      report.problems.append(problem)
      return
    }
    if !options.isDryRun { try await keepBefore(old, wanted) }
    let file: Href
    if let old {
      file = old.href
      if !options.isDryRun {
        let write = GuardedWrite.replace(old.href, expecting: old.version, with: wanted.text)
        try check(await local.carryOut([write]).first)
      }
    } else {
      file = try await create(wanted)
    }
    if options.isDryRun { try await note(foreseen: wanted.text, at: file) }
    let href = try await remoteHref(of: wanted.uid, among: matched)
    report.actions.append(
      ReportedAction(
        kind: old == nil ? .create : .update, side: .local,
        item: ReportedItem(uid: wanted.uid, file: file, href: href, summary: wanted.summary)))
  }

  /// Where the remote side has the item, or had it when both agreed; nil where it has none yet.
  private func remoteHref(
    of uid: ItemID, among matched: MatchedItems
  ) async throws(SyncFailure) -> Href? {
    if let item = matched.items.first(where: { $0.uid == uid }) {
      return item.version(on: .remote)?.href
    }
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreement(of: uid)?.remote.href
    }
    return agreed.flatMap { $0.isVacated ? nil : $0 }
  }

  /// Names are tried until one is free: another item may have taken the first.
  private static let nameAttempts = 8

  /// Gives the name of the new file; a dry run that of the first that is free as far as is known.
  private func create(_ wanted: WantedText) async throws(SyncFailure) -> Href {
    let uid = wanted.uid
    let fresh = (0..<Self.nameAttempts).map { local.freshHref(for: uid, attempt: $0) }
    let names = (wanted.file.map { [$0] } ?? []) + fresh
    var outcome: WriteOutcome?
    for name in names {
      let known = try await recorded { () throws(JournalError) in
        try await journal.known(.local, hrefs: [name])
      }
      if try await isOfAnother(name, than: uid, known) { continue }
      if options.isDryRun {
        if known.allSatisfy(\.isGone) { return name }
        continue
      }
      outcome = await local.carryOut([.create(name, wanted.text)]).first
      guard outcome?.result == .changedMeanwhile else { break }
    }
    if options.isDryRun { return local.freshHref(for: uid, attempt: 0) }
    try check(outcome)
    return outcome?.href ?? local.freshHref(for: uid, attempt: 0)
  }

  /// Another item had this name, and that its file is gone has still to reach the other side: what
  /// a write of calgw's own puts there is agreed on at once, before a look could vacate the place.
  private func isOfAnother(_ href: Href, than uid: ItemID, _ known: [KnownResource])
    async throws(SyncFailure) -> Bool
  {
    guard known.contains(where: \.isGone) else { return false }
    return try await recorded { () throws(JournalError) in
      try await journal.agreement(of: uid)?.local.href != href
    }
  }

  private func keepBefore(_ old: TextInPlace?, _ wanted: WantedText) async throws(SyncFailure) {
    guard let old else { return }
    let entry = HistoryEntry(
      time: surroundings.now(), uid: wanted.uid, side: .local, action: .replaced,
      reason: wanted.reason, href: old.href, before: old.version.digest,
      after: wanted.digest)
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
          .tryLater(nil), "the item changed in the moment in which it was to be written",
          hint: "Run the command again."))
    }
  }
}
