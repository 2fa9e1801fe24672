import ICalendar
import SQLiteJournal
import SyncExecution
public import SyncModel
import SyncPlanning

/// A version of the history that is to be brought back.
struct VersionToRestore: Sendable {
  /// What its collection was then: it may have another name now.
  var origin: CollectionIdentity
  var uid: ItemID
  var text: ItemData
  var place: FormerPlace
  /// The items that its successor names as other parts of its series.
  var laterParts: Set<ItemID>
  /// What the local side had, where the version is what the remote side kept of that.
  var fuller: FullerVersion?
}

extension Gateway {
  /// The history of every pair, newest first, of all items and of the values of collections, or of
  /// one item; with the texts, or with the titles in them. Pairs that are in the configuration no
  /// more are among them. Nothing is written, and no lock is needed.
  public func log(of uid: ItemID?, withContent: Bool, withTitles: Bool = false) async
    -> HistoryReport
  {
    let texts = LogTexts(areWanted: withContent, areTitlesWanted: withTitles)
    var report = await log(of: uid, in: loggedPairs, texts) { _ in true }
    if uid == nil || report.versions.isEmpty { report.notices += lostHistory() }
    return report
  }

  /// The history of what a command line names: an item by its file or its UID, or where there is
  /// none a pair or a collection of one, also of a pair that is in the configuration no more. What
  /// is none of them is among the failures.
  public func log(naming argument: String, withContent: Bool, withTitles: Bool = false) async
    -> HistoryReport
  {
    let texts = LogTexts(areWanted: withContent, areTitlesWanted: withTitles)
    let file = await namedFile(argument, orFormer: true)
    var isForeign = false
    if let file {
      let found = await log(of: file, texts)
      if found.report.isAnswer { return answer(found.report, about: argument) }
      isForeign = file.isThere && !found.isSynced && !configuration.isAdhoc
    }
    let items = await log(of: ItemID(argument), in: loggedPairs, texts) { _ in true }
    if items.isFound { return answer(items, about: argument) }
    // A pair is found whatever the journals of others are like.
    if let whole = await log(ofPair: argument, texts) { return whole }
    if items.isAnswer { return answer(items, about: argument) }
    var none = withLosses(items)
    let failure =
      if isForeign {
        await notSynced(argument)
      } else {
        RunFailure(
          .missingInput, code: "no-such-item", message: "no pair knows an item \"\(argument)\"",
          hint: "run `calgw log` without a name to see what is")
      }
    none.failures = [failure]
    return none
  }

  /// Nothing at all would look as if the item were not known.
  private func answer(_ report: HistoryReport, about argument: String) -> HistoryReport {
    var answer = withLosses(report)
    if answer.versions.isEmpty, answer.failures.isEmpty {
      answer.notices.append(
        "no version of \(argument) is in the log yet: one comes into it when a sync or an edit"
          + " replaces it, and when a sync finds its file broken")
    }
    return answer
  }

  /// Of an item of which nothing is found, what may have been lost is told.
  private func withLosses(_ report: HistoryReport) -> HistoryReport {
    var report = report
    if report.versions.isEmpty { report.notices += lostHistory() }
    return report
  }

  /// The history of `PAIR[/COLLECTION]`; nil where no pair is called so.
  private func log(ofPair argument: String, _ texts: LogTexts) async -> HistoryReport? {
    let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
    guard let pair = parts.first, hasLog(ofPair: pair) else { return nil }
    let collection = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
    var report = await log(of: nil, in: [pair].filter(hasJournal), texts) {
      $0.pair == pair && (collection == nil || $0.collection == collection)
    }
    if let collection { report.values.removeAll { $0.collection != collection } }
    report.isKnown = true
    report.notices += lostHistory(of: [pair])
    guard let collection, report.entries.isEmpty, report.failures.isEmpty, hasJournal(pair)
    else { return report }
    do throws(RunFailure) {
      let store = try opener.openStore(of: pair, .look) { _ in }
      let records = try await journaled(pair) { () throws(JournalError) in
        try await store.collections()
      }
      let known = records.map(\.identity.name)
      guard !known.contains(collection) else { return report }
      if let name = records.named(collection).first?.identity.name {
        return await log(ofPair: "\(pair)/\(name)", texts)
      }
      let folder = typedName(collection) ?? Array(collection.utf8)
      let holders = await RenamedFolder.holders(of: folder, in: store)
      let holding = records.filter { record in holders.contains { $0.now == record.folder } }
      let later = holding.map { "\(pair)/\($0.identity.name)" }
      if holders.name != nil, let now = later.first, var renamed = await log(ofPair: now, texts) {
        renamed.notices.append("\(pair)/\(collection) is called \(now) by now")
        return renamed
      }
      if holders.name == nil, !later.isEmpty {
        throw .usage(
          "pair \(pair) has no collection \"\(collection)\" by now, and several had that name",
          hint: "run `calgw log` with \(later.joined(separator: " or "))")
      }
      let former = try await journaled(pair) { () throws(JournalError) in
        try await store.formerCollections()
      }
      // What was forgotten has the log that it had, be there nothing in it.
      if let name = former.named(collection).first?.identity.name {
        return name == collection ? report : await log(ofPair: "\(pair)/\(name)", texts)
      }
      throw .usage(
        "pair \(pair) has no collection \"\(collection)\", and had none",
        hint: suggestion(for: collection, among: known, what: "collections"))
    } catch {
      report.failures.append(error)
    }
    return report
  }

  /// - Parameters:
  ///   - pairs: whose journals are read; the edits of all folders are, too.
  ///   - isMeant: leaves out versions by where they are.
  private func log(
    of uid: ItemID?, in pairs: [String], _ texts: LogTexts, where isMeant: (KeptVersion) -> Bool
  ) async -> HistoryReport {
    var report = HistoryReport()
    for name in pairs {
      do throws(RunFailure) {
        let store = try await openToLook(at: name, telling: &report.notices)
        let entries = try await journaled(name) { () throws(JournalError) in
          try await store.history(of: uid)
        }
        for version in entries.map({ KeptVersion($0, of: name) }) where isMeant(version) {
          report.versions.append(
            try await journaled(name) { () throws(JournalError) in
              try await texts.added(to: version, from: store)
            })
        }
        if uid == nil {
          report.values += try await journaled(name) { () throws(JournalError) in
            try await store.valueHistory()
          }.map { ReplacedValue($0, of: name) }
        }
        if let uid {
          let isShared = try await journaled(name) { () throws(JournalError) in
            try await store.shares(uid, in: try await store.collections())
          }
          if isShared { report.isKnown = true }
        }
      } catch {
        report.failures.append(error)
      }
    }
    do throws(RunFailure) {
      report.versions += try await editVersions(uid: uid, texts).filter(isMeant)
    } catch {
      report.failures.append(error)
    }
    report.sort()
    return report
  }

  /// Splits `PAIR/NUMBER`; the number alone is enough where there is one pair.
  func parseVersion(_ id: String) throws(RunFailure) -> (PairConfiguration, LogNumber) {
    let unknown = RunFailure.usage(
      "\"\(id)\" is no version's id", hint: "run `calgw log` and take an id as it stands there")
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let number = parts.last.flatMap({ LogNumber($0) }) else {
      throw unknown
    }
    if parts.count == 1 {
      guard configuration.pairs.count == 1, let pair = configuration.pairs.first else {
        throw unknown
      }
      return (pair, number)
    }
    guard let pair = configuration.pairs.first(where: { $0.name == parts[0] }) else {
      throw unknownPair(String(parts[0]), of: number)
    }
    return (pair, number)
  }

  /// What a version held: the text that was replaced or removed; the local side's, where the remote
  /// side never kept all of that. A number that the log does not have is status 66, a version whose
  /// text was lost 74, one of an item that was moved away 65.
  func version(_ number: Int64, of pair: PairConfiguration, id: String) async throws(RunFailure)
    -> VersionToRestore
  {
    let (store, missing) = try await openLog(of: pair, for: id)
    let found = try await journaled(pair) { () throws(JournalError) in
      let entry = try await store.historyEntry(number)
      let digest = entry?.recorded.entry.before ?? entry?.recorded.entry.after
      let after = entry?.recorded.entry.after
      let texts = try await store.contents([digest, after].compactMap { $0 })
      return (
        entry: entry, text: digest.flatMap { texts[$0] }, next: after.flatMap { texts[$0] }
      )
    }
    guard let entry = found.entry else { throw missing }
    try await refuseMoved(entry, of: pair, in: store, id: id)
    let fuller = try await fullerVersion(than: entry, of: pair, in: store)
    let same = fuller.flatMap { $0.isOfSame ? $0 : nil }
    guard let text = same?.text ?? found.text else {
      throw .textLost(of: id, place: "pair \(pair.name)")
    }
    let kept = entry.recorded.entry
    let place = FormerPlace(side: kept.side, href: kept.href, counterpart: entry.counterpart)
    return VersionToRestore(
      origin: entry.identity, uid: kept.uid, text: text, place: same?.place ?? place,
      laterParts: found.next.map(siblings(in:)) ?? [], fuller: fuller)
  }

  /// Opens the journal that a version should be in, and gives the failure that it is if it is not.
  func openLog(of pair: PairConfiguration, for id: String) async throws(RunFailure) -> (
    store: PairStore, missing: RunFailure
  ) {
    var missing = RunFailure(
      .missingInput, code: "no-such-version", message: "there is no version \"\(id)\" in the log",
      place: "pair \(pair.name)", hint: "run `calgw log` to see what there is")
    var lost = lostHistory(of: [pair.name])
    missing.why = lost.joined(separator: "; ")
    guard hasJournal(pair.name) else { throw missing }
    let store = try await opener.openStore(of: pair.name, .look, telling: &lost)
    missing.why = lost.joined(separator: "; ")
    return (store, missing)
  }
}

extension RunFailure {
  /// A version cannot be brought back since its text was damaged.
  static func textLost(of id: String, place: String) -> RunFailure {
    RunFailure(
      .io, code: "text-lost", message: "the text of version \"\(id)\" is lost", place: place,
      why: "its bytes in the journal were damaged",
      hint: "run `calgw log` and take another version, or look for the item in a backup")
  }
}

extension HistoryReport {
  /// It has something of what was asked for, or says why not.
  var isAnswer: Bool { isFound || !failures.isEmpty }
  var isFound: Bool { !versions.isEmpty || isKnown }

  /// Newest first. Stable: what is of one moment stays in the order of its pair.
  mutating func sort() {
    versions.sort { $0.entry.time > $1.entry.time }
    values.sort { $0.change.time > $1.change.time }
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
    // The journal keeps every text that its history names: one that it does not give was damaged.
    version.isBeforeLost = before != nil && version.before == nil
    version.isAfterLost = after != nil && version.after == nil
    return version
  }
}
