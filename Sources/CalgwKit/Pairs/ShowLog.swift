import ICalendar
import SQLiteJournal
import SyncExecution
public import SyncModel

/// A version of the history that is to be brought back.
struct VersionToRestore: Sendable {
  /// Its name then, and what it was on the remote side: it may have another name now.
  var collection: String
  var remoteIdentity: [UInt8]
  var uid: ItemID
  var text: ItemData
  var place: FormerPlace
}

extension Gateway {
  /// The history of every pair, newest first, of all items or of one; with the texts, or with the
  /// titles in them. Pairs that are in the configuration no more are among them. Nothing is
  /// written, and no lock is needed.
  public func log(of uid: ItemID?, withContent: Bool, withTitles: Bool = false) async
    -> HistoryReport
  {
    let texts = LogTexts(areWanted: withContent, areTitlesWanted: withTitles)
    return await log(of: uid, in: nil, texts)
  }

  /// The history of what a command line names: an item by its file or its UID, or where there is
  /// none a pair, also one that is in the configuration no more.
  public func log(naming argument: String, withContent: Bool, withTitles: Bool = false) async
    -> HistoryReport
  {
    let texts = LogTexts(areWanted: withContent, areTitlesWanted: withTitles)
    let uid = await loggedItem(argument)
    let report = await log(of: uid, in: nil, texts)
    guard report.versions.isEmpty, !report.isKnown, hasLog(ofPair: argument) else { return report }
    var whole = await log(of: nil, in: argument, texts)
    whole.isKnown = true
    return whole
  }

  private func log(of uid: ItemID?, in pair: String?, _ texts: LogTexts) async -> HistoryReport {
    var report = HistoryReport()
    let names = if let pair { [pair].filter(hasJournal) } else { loggedPairs }
    for name in names {
      do throws(RunFailure) {
        let store = try opener.openStore(of: name, .look) { _ in }
        report.versions += try await log(of: name, store, uid: uid, texts)
        if let uid, try await isKnown(uid, name, store) { report.isKnown = true }
      } catch {
        report.failures.append(error)
      }
    }
    do throws(RunFailure) {
      let edits = try await editVersions(uid: uid, texts)
      report.versions += edits.filter { pair == nil || $0.pair == pair }
    } catch {
      report.failures.append(error)
    }
    // Stable: versions of one moment stay in the order of their pair.
    report.versions.sort { $0.entry.time > $1.entry.time }
    return report
  }

  /// Both sides share an item of this UID.
  private func isKnown(_ uid: ItemID, _ pair: String, _ store: PairStore)
    async throws(RunFailure) -> Bool
  {
    try await journaled(pair) { () throws(JournalError) in
      for record in try await store.collections() {
        let journal = try await store.journal(of: record.identity.name)
        if try await journal?.agreement(of: uid) != nil { return true }
      }
      return false
    }
  }

  private func log(
    of pair: String, _ store: PairStore, uid: ItemID?, _ texts: LogTexts
  ) async throws(RunFailure) -> [KeptVersion] {
    try await journaled(pair) { () throws(JournalError) in
      var versions: [KeptVersion] = []
      for entry in try await store.history(of: uid) {
        let version = KeptVersion(
          id: "\(pair)/\(entry.recorded.number)", pair: pair, collection: entry.collection,
          entry: entry.recorded.entry)
        versions.append(try await texts.added(to: version, from: store))
      }
      return versions
    }
  }

  /// Splits `PAIR/NUMBER`; the number alone is enough where there is one pair.
  func parseVersion(_ id: String) throws(RunFailure) -> (PairConfiguration, Int64) {
    let unknown = RunFailure.usage(
      "\"\(id)\" is no version's id", hint: "run `calgw log` and take an id as it stands there")
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let number = parts.last.flatMap({ Int64($0) }) else {
      throw unknown
    }
    if parts.count == 1 {
      guard configuration.pairs.count == 1, let pair = configuration.pairs.first else {
        throw unknown
      }
      return (pair, number)
    }
    guard let pair = configuration.pairs.first(where: { $0.name == parts[0] }) else {
      throw unknownPair(String(parts[0]))
    }
    return (pair, number)
  }

  /// What a version held: the text that was replaced or removed. A number that the log does not
  /// have is status 66, a version whose text was lost 74.
  func version(_ number: Int64, of pair: PairConfiguration, id: String) async throws(RunFailure)
    -> VersionToRestore
  {
    let missing = RunFailure(
      .missingInput, code: "no-such-version", message: "there is no version \"\(id)\" in the log",
      place: "pair \(pair.name)", hint: "run `calgw log` to see what there is")
    guard hasJournal(pair.name) else { throw missing }
    let store = try opener.openStore(pair, .look) { _ in }
    let found = try await journaled(pair) { () throws(JournalError) in
      let entry = try await store.historyEntry(number)
      let digest = entry?.recorded.entry.before ?? entry?.recorded.entry.after
      let texts = try await store.contents(digest.map { [$0] } ?? [])
      return (entry: entry, text: digest.flatMap { texts[$0] })
    }
    guard let entry = found.entry else { throw missing }
    guard let text = found.text else {
      throw RunFailure(
        .io, code: "text-lost", message: "the text of version \"\(id)\" is lost",
        place: "pair \(pair.name)", why: "its bytes in the journal were damaged",
        hint: "run `calgw log` and take another version, or look for the item in a backup")
    }
    let kept = entry.recorded.entry
    return VersionToRestore(
      collection: entry.collection, remoteIdentity: entry.remoteIdentity, uid: kept.uid,
      text: text, place: FormerPlace(side: kept.side, href: kept.href))
  }
}

/// What a log is to say of the texts of its versions.
struct LogTexts: Sendable {
  var areWanted: Bool
  var areTitlesWanted: Bool

  /// Reads the texts of one version at a time: those of a whole log may be many.
  func added(to version: KeptVersion, from store: PairStore) async throws(JournalError)
    -> KeptVersion
  {
    guard areWanted || areTitlesWanted else { return version }
    let (before, after) = (version.entry.before, version.entry.after)
    let texts = try await store.contents([before, after].compactMap { $0 })
    var version = version
    if areTitlesWanted {
      // What comes back is the version before; only where there was none it is about the other one.
      let text = (before ?? after).flatMap { texts[$0] }
      let title = text.map { CalendarObject(SyntaxTree(bytes: $0.bytes)).summary } ?? ""
      version.title = title.isEmpty ? nil : title
    }
    guard areWanted else { return version }
    version.before = before.flatMap { texts[$0] }
    version.after = after.flatMap { texts[$0] }
    return version
  }
}
