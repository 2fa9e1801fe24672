import ICalendar
public import SyncModel

/// What a file held that calgw had taken away, and that was in no history.
public struct LateEdit: Sendable, Hashable {
  /// The item's file.
  public let href: Href
  public let content: ContentDigest
}

/// Lets go of the files that calgw replaced or removed on a side, after a last look: an editor may
/// have had one open and written into it, and an older journal may have come back that does not
/// know of the replacement. What is not in the history goes there.
///
/// To be called under the lock of the side's folder.
///
/// - Parameter kept: What the caller has just put into the history itself: those need no look.
/// - Returns: what went to the history by this.
@discardableResult
public func settleDisplaced(
  in storage: any Storage, of side: Side, journal: any Journal, kept: Set<ContentDigest> = [],
  now: Instant
) async throws(SyncFailure) -> [LateEdit] {
  var seen: Set<[UInt8]> = []
  var late: [LateEdit] = []
  while true {
    let files = try await on(side) { () throws(StorageError) in try await storage.displaced() }
    // One that was written to since it was given stays, for the next run.
    if files.allSatisfy({ seen.contains($0.name) }) { return late }
    if files.contains(where: { !kept.contains($0.digest) }) {
      // A run that was killed may not have come to that, and people have saved since into what it
      // put there: a power cut would take the name of their text.
      try await on(side) { () throws(StorageError) in try await storage.makeDurable() }
    }
    late += try await keepTexts(of: files, in: journal, of: side, kept, now)
    try await on(side) { () throws(StorageError) in try await storage.discard(files) }
    if files.map(\.data.bytes.count).reduce(0, +) < storage.traits.bytesAtOnce { return late }
    seen.formUnion(files.map(\.name))
  }
}

private func keepTexts(
  of files: [DisplacedFile], in journal: any Journal, of side: Side, _ kept: Set<ContentDigest>,
  _ now: Instant
) async throws(SyncFailure) -> [LateEdit] {
  let doubtful = files.filter { !kept.contains($0.digest) && !$0.data.bytes.isEmpty }
  let texts = try await recorded { () throws(JournalError) in
    doubtful.isEmpty ? [:] : try await journal.contents(doubtful.map(\.digest))
  }
  var everything: Set<FoundBefore>?
  var late: [HistoryEntry] = []
  var contents: [StoredContent] = []
  for file in doubtful {
    let uid = CalendarObject(SyntaxTree(bytes: file.data.bytes)).uids.first
    let item = ItemID(bytes: uid ?? file.href.spelling)
    // The text alone proves nothing: an agreement may hold it, and let it go one day.
    if texts[file.digest] != nil,
      try await hasVersion(file, of: item, journal, &everything)
    {
      continue
    }
    late.append(
      HistoryEntry(
        time: now, uid: item, side: side, action: .lateEdit,
        reason: "found in a file that calgw had taken away", href: file.href,
        before: file.digest, after: nil))
    contents.append(StoredContent(digest: file.digest, data: file.data))
  }
  if !late.isEmpty {
    let (entries, stored) = (late, contents)
    try await recorded { () throws(JournalError) in
      try await journal.keep(entries, contents: stored)
    }
  }
  return late.compactMap { entry in
    entry.before.map { LateEdit(href: entry.href, content: $0) }
  }
}

/// The history has this very content of the item as one that can be brought back. A text that is no
/// whole item is there under the UID of the item whose file it was in.
private func hasVersion(
  _ file: DisplacedFile, of item: ItemID, _ journal: any Journal,
  _ everything: inout Set<FoundBefore>?
) async throws(SyncFailure) -> Bool {
  let own = try await recorded { () throws(JournalError) in
    try await journal.history(of: item)
  }
  if own.contains(where: { $0.entry.before == file.digest }) { return true }
  // Read once, however many files there are: a history may be long.
  let all: Set<FoundBefore>
  if let everything {
    all = everything
  } else {
    let history = try await recorded { () throws(JournalError) in
      try await journal.history(of: nil)
    }
    all = Set(history.map { FoundBefore(content: $0.entry.before, href: $0.entry.href) })
    everything = all
  }
  return all.contains(FoundBefore(content: file.digest, href: file.href))
}

/// What the history has of a file.
private struct FoundBefore: Hashable {
  let content: ContentDigest?
  let href: Href
}
