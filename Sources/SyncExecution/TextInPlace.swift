import SyncModel
import SyncPlanning

/// What the local side has now where a version is to be put back.
struct TextInPlace {
  var href: Href
  var version: Version
  /// Nil: it is no whole item.
  var canonical: ContentDigest?
  /// What it holds, as far as it was read.
  var text: StoredContent?

  fileprivate init(_ item: ItemVersion) {
    href = item.href
    version = item.version
    canonical = item.canonical
  }

  /// What is no whole item.
  fileprivate init(_ href: Href, _ version: Version, broken data: ItemData) {
    self.href = href
    self.version = version
    text = StoredContent(digest: version.digest, data: data)
  }
}

extension CollectionSync {
  /// The file that a version is to take the place of; nil where there is none.
  func textInPlace(
    of wanted: WantedText, among matched: MatchedItems, _ differing: Differing
  ) async throws(SyncFailure) -> TextInPlace? {
    let uid = wanted.uid
    if let item = matched.items.first(where: { $0.uid == uid }) {
      if let version = item.version(on: .local) { return TextInPlace(version) }
    } else {
      // Its file is broken or not read, and a person has it in another one since: that is the one
      // to replace. Else there would be two of it.
      for seen in differing.observations where seen.side == .local {
        if case .read(let item) = seen.state, item.uid == uid { return TextInPlace(item) }
      }
      let agreed = try await recorded { () throws(JournalError) in
        try await journal.agreement(of: uid)?.local
      }
      if let agreed, let found = try await asItIs(agreed) { return found }
    }
    if let file = try await obstructedFile(of: uid, or: wanted.former, differing),
      let found = try await brokenText(in: file, of: uid)
    {
      return found
    }
    guard let file = wanted.file, !isOfAnother(file, than: uid, differing) else { return nil }
    return try await brokenText(in: file, of: uid)
  }

  /// An agreed file may be broken by now, and then that is what a restore has to replace.
  private func asItIs(_ agreed: ItemVersion) async throws(SyncFailure) -> TextInPlace? {
    switch try await look(at: agreed.href) {
    case .found(let version, _, _) where version.digest == agreed.version.digest:
      return TextInPlace(agreed)
    case .found(let version, let data, let modified):
      guard case .own = FormerFile(data.bytes, of: agreed.uid, isAgreed: true) else { return nil }
      let read = readItem(data, at: agreed.href, version: version, modified: modified)
      // Somebody may have mended it since it was listed.
      if case .success(let item) = read { return TextInPlace(item) }
      return TextInPlace(agreed.href, version, broken: data)
    case .problem:
      // An empty file is a problem of its own; another one meets the guard of the write.
      return empty(agreed.href)
    case .missing, nil:
      return nil
    }
  }

  /// What a file holds that is no whole item, or nothing; nil where it is one, holds parts of other
  /// items alone, or cannot be read.
  private func brokenText(in file: Href, of uid: ItemID) async throws(SyncFailure) -> TextInPlace? {
    switch try await look(at: file) {
    case .found(let version, let data, let modified):
      guard case .own = FormerFile(data.bytes, of: uid, isAgreed: false),
        case .failure = readItem(data, at: file, version: version, modified: modified)
      else { return nil }
      return TextInPlace(file, version, broken: data)
    case .problem(let problem) where problem.code == .incomplete: return empty(file)
    case .problem, .missing, nil: return nil
    }
  }

  private func empty(_ file: Href) -> TextInPlace {
    let nothing = Version(tag: nil, digest: digest([]))
    return TextInPlace(file, nothing, broken: ItemData(bytes: []))
  }

  private func look(at file: Href) async throws(SyncFailure) -> ReadOutcome.Result? {
    try await on(.local) { () throws(StorageError) in
      try await local.read([file]).first?.result
    }
  }

  /// A file that is no item now, and held this one when that went into the history.
  ///
  /// - Parameter former: where it was by a history that is none of this journal's.
  func obstructedFile(
    of uid: ItemID, or former: Href? = nil, _ differing: Differing
  ) async throws(SyncFailure) -> Href? {
    let obstructed = differing.observations.filter { seen in
      guard seen.side == .local, case .obstructed = seen.state else { return false }
      return !isOfAnother(seen.href, than: uid, differing)
    }
    if obstructed.isEmpty { return nil }
    let history = try await recorded { () throws(JournalError) in
      try await journal.history(of: uid)
    }
    var places = Set(history.filter { $0.entry.side == .local }.map(\.entry.href))
    if let former { places.insert(former) }
    return obstructed.first { places.contains($0.href) }?.href
  }

  /// Both sides share another item that is in this file.
  private func isOfAnother(_ file: Href, than uid: ItemID, _ differing: Differing) -> Bool {
    differing.agreements.contains { $0.uid != uid && $0.local.href == file }
  }

  // MARK: What is in the way

  /// What keeps the text from being written, and would the next time, too. Reads what it is to
  /// replace: the history has to have that, whatever became of the journal's own copy.
  func obstacle(
    to wanted: WantedText, insteadOf old: inout TextInPlace?, _ differing: Differing
  ) async throws(SyncFailure) -> ReportedProblem? {
    func report(_ file: Href, _ problem: ItemProblem) -> ReportedProblem {
      ReportedProblem(
        item: ReportedItem(uid: wanted.uid, file: file, href: nil, summary: wanted.summary),
        problem: problem)
    }
    if let file = old?.href ?? wanted.file {
      switch try await look(at: file) {
      case .problem(let problem):
        if let found = whatIsInTheWay(problem, at: file) { return report(file, found) }
      case .found(let version, let data, _) where version.digest == old?.version.digest:
        if let problem = another(beside: wanted.uid, in: data, at: file) {
          return report(file, problem)
        }
        old?.text = StoredContent(digest: version.digest, data: data)
      case .found, .missing, nil: break
      }
    }
    guard old == nil, let file = try await obstructedFile(of: wanted.uid, differing) else {
      return nil
    }
    // Another file beside it would make two of it.
    return report(
      file,
      ItemProblem(
        .unreadable, "'\(file.text)', which held it, cannot be read",
        hint: "Let calgw read that file, or take it out of the folder, and run the command"
          + " again."))
  }

  /// A file that holds another item, too: it would go with the file, and where it was synced be
  /// taken for deleted.
  private func another(beside uid: ItemID, in data: ItemData, at file: Href) -> ItemProblem? {
    guard case .own(let others) = FormerFile(data.bytes, of: uid, isAgreed: true),
      let other = others.first
    else { return nil }
    return ItemProblem(
      .severalUIDs, "'\(file.text)' holds another item, too, '\(other.text)'",
      hint: "Take that one out of the file, by hand or so: \(ItemProblem.splitFile). Then run the"
        + " command again.")
  }

  /// What stands at the item's place and is nothing that a write replaces, such as a link.
  private func whatIsInTheWay(_ problem: ItemProblem, at file: Href) -> ItemProblem? {
    if problem.code == .notAFile {
      return ItemProblem(
        .notAFile, "a link or a folder is at '\(file.text)', where the item has to go",
        hint: "Remove it, then run the command again.")
    }
    guard [.unreadable, .tooLarge].contains(problem.code) else { return nil }
    return ItemProblem(
      problem.code, "what is at '\(file.text)', where the item has to go, cannot be read",
      hint: "Let calgw read it, or remove it, then run the command again.")
  }
}
