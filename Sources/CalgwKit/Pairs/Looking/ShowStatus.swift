import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning
import WebDAV

/// A collection that was looked at: what is not in step in it, and the means to say more.
struct ViewedCollection: Sendable {
  let name: String
  /// What it is of.
  let opened: OpenedPair
  /// The path of its folder, without symbolic links; nil where that is not there yet.
  let folder: [UInt8]?
  let sync: CollectionSync
  /// A copy, with what was just seen.
  let journal: any Journal
  let items: [PendingItem]
  /// How mends name those that wait for a person.
  let names: [ReportedItem: MendNames]
  /// What a run would do to the collection itself.
  let actions: CollectionActions
  /// Which of its values the sides do not have in common.
  let differing: [DifferingValue]
  /// Which of its values a side has for itself, since the other one is read-only.
  let stuck: [StuckValue]

  var pair: PairConfiguration { opened.target.pair }

  /// Why it is left alone whole, where so much of it would be deleted; else nil.
  var refusal: ItemProblem? {
    items.first { $0.item.uid == nil && $0.problem?.code == .massDelete }
      .flatMap { entry(of: $0).problem }
  }

  /// The file that a person knows an item by. Where what the remote side has of it is broken, the
  /// item itself names that alone: it is the file here, or the one that both sides agreed on.
  func file(of pending: PendingItem) -> Href? {
    if let file = pending.item.file { return file }
    if let own = pending.versions[.local]?.href, !own.isVacated { return own }
    return names[pending.item]?.agreedFile
  }

  /// An item of it with all that a person needs to go on.
  func entry(of pending: PendingItem) -> PendingEntry {
    var entry = PendingEntry(pair: pair.name, collection: name, pending)
    entry.problem?.suit(pair, pending.item, in: name)
    entry.names = names[pending.item] ?? entry.names
    entry.problem?.suit(entry.names)
    entry.item = entry.item.named(in: pair)
    entry.item.file = entry.item.file ?? entry.names.agreedFile
    return entry
  }
}

/// A pair that was looked at.
struct PairView: Sendable {
  var collections: [ViewedCollection] = []
  /// Collections that could not be opened, and why.
  var reports: [CollectionReport] = []
  var failures: [RunFailure] = []
  /// Why what was found may not be what a person expects.
  var notices: [String] = []
  /// What people call collections whose names are ids, by those.
  var titles: [String: String] = [:]
  /// What the items of all collections are named among.
  var folders = MendFolders()

  /// What is new on the local side of the collections that were looked at so far.
  fileprivate var new: Set<ItemID> {
    let items = collections.flatMap(\.items).filter {
      $0.local == .created && !$0.isChangeOfAgreed
    }
    return Set(items.compactMap(\.item.uid))
  }
}

extension Gateway {
  /// Looks what each side changed since the last sync; `offline` looks at the local side alone.
  /// Nothing is written, and no lock is needed.
  ///
  /// - Parameter asks: There is a person whom a sync would ask about invitations.
  public func status(
    _ target: PairTarget, offline: Bool, asks: Bool = false,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> StatusReport {
    let pair = target.pair.name
    let view = await view(target, offline: offline, asks: asks, progress: progress)
    var report = StatusReport(pair: pair)
    report.failures = view.failures
    report.notices = view.notices
    report.titles = view.titles
    for collection in view.collections {
      for item in collection.items {
        var entry = collection.entry(of: item)
        if item.local == .updated || item.remote == .updated || entry.isUnmet,
          case .success(let differences) = await collection.sync.differences(of: item)
        {
          entry.localChanges = differences.local.map(\.words)
          entry.remoteChanges = differences.remote.map(\.words)
          if entry.isUnmet { entry.unlikeness = differences.between.map(\.words) }
        }
        report.items.append(entry)
      }
      if let own = PendingEntry(pair: pair, collection) { report.items.append(own) }
      report.items += collection.stuck.map {
        PendingEntry(pair: pair, collection: collection.name, $0)
      }
    }
    for collection in view.reports {
      for problem in collection.problems {
        var entry = PendingEntry(pair: pair, collection: collection.name, item: problem.item)
        entry.problem = problem.problem
        entry.problem?.suit(entry.names)
        report.items.append(entry)
      }
    }
    report.noteStaying()
    return report
  }

  /// Looks at the collections of a pair and changes nothing; `policy` in place of the pair's own
  /// says what is a conflict.
  func view(
    _ target: PairTarget, offline: Bool, policy: ConflictPolicy? = nil, asks: Bool = false,
    progress: @escaping @Sendable (PairProgress) -> Void = { _ in }
  ) async -> PairView {
    let watch = StopWatch(signals: signals, deadline: target.pair.deadline)
    let asked = AskedWaits { progress(.waiting(pair: target.pair.name, $0)) }
    let result = await Patience.$asked.withValue(asked) {
      await watch.watch(surroundings) { () -> PairView in
        var view = PairView()
        do throws(RunFailure) {
          progress(.opening(pair: target.pair.name))
          let store = try await openToLook(at: target.pair.name, telling: &view.notices)
          let opened = try await opener.open(
            target, .look, store: store, lock: nil, offline: offline, stop: { watch.reason })
          view.failures += opened.shortfalls
          view.titles = collectionTitles(opened.collections)
          var options = RunOptions()
          options.policy = policy
          if asks { options.confirmInvitations = { _, _ in false } }
          for collection in opened.collections {
            if let stop = watch.reason {
              throw .stopped(stop, place: "pair \(target.pair.name)")
            }
            try await look(
              at: collection, of: opened, options, offline: offline, watch, into: &view)
          }
          try await lookAgain(opened, options, offline: offline, watch, into: &view)
        } catch {
          view.failures.append(error)
        }
        return view
      }
    }
    var view = result ?? PairView()
    let clock = WallClock(for: view.failures, surroundings, environment)
    view.failures = view.failures.map { $0.explained(by: asked.words, at: clock) }
    return view
  }

  /// Looks once more, where an account has no folders to look into, at what would be too much to
  /// delete: a calendar that came after it may have what was moved there.
  private func lookAgain(
    _ opened: OpenedPair, _ options: RunOptions, offline: Bool, _ watch: StopWatch,
    into view: inout PairView
  ) async throws(RunFailure) {
    guard case .account = opened.local else { return }
    for collection in opened.collections.dropLast() {
      let guarded = view.collections.firstIndex { $0.name == collection.name && $0.refusal != nil }
      guard let guarded else { continue }
      view.collections.remove(at: guarded)
      let count = view.collections.count
      try await look(at: collection, of: opened, options, offline: offline, watch, into: &view)
      guard view.collections.count > count else { continue }
      let seen = view.collections.removeLast()
      view.collections.insert(seen, at: guarded)
    }
  }

  private func look(
    at collection: MatchedCollection, of opened: OpenedPair, _ options: RunOptions, offline: Bool,
    _ watch: StopWatch, into view: inout PairView
  ) async throws(RunFailure) {
    var rules = try await engineOptions(collection.name, of: opened, options, watch)
    rules.leaving = opened.leaving(collection.name, new: view.new, office().finder)
    let opener = CollectionOpener(pair: opened, surroundings: surroundings, options: rules)
    var failed = CollectionReport(name: collection.name)
    switch await opener.open(collection) {
    case .skipped: return
    case .reported(let report, made: _): failed = report
    case .ready(let ready):
      if let notice = opener.noticeOfItems(collection) { view.notices.append(notice) }
      switch await ready.sync.inspect(offline ? [.local] : [.local, .remote]) {
      case .success(let items):
        let waiting = items.filter { $0.conflict != nil || $0.problem != nil }.map(\.item)
        let names = await mendNames(
          of: waiting, in: collection.name, of: opened, among: &view.folders)
        var folder: EventFolder?
        if case .present(let own) = collection.local {
          folder = EventFolder(of: opened.local, named: own.href.spelling)
        }
        view.collections.append(
          ViewedCollection(
            name: collection.name, opened: opened, folder: folder?.path, sync: ready.sync,
            journal: ready.journal, items: items, names: names, actions: ready.actions,
            differing: ready.differing, stuck: ready.stuck))
        return
      case .failure(let failure):
        failed.failure = failure
        failed = opener.translateVanished(failed)
      }
    }
    view.reports.append(failed)
    if let failure = failed.failure {
      let place =
        "pair \(opened.target.pair.name), collection \(titled(collection.name, view.titles))"
      view.failures.append(RunFailure(failure, place: place, stop: watch.reason))
    }
  }
}

extension PendingEntry {
  /// The collection itself, beside its items; nil where nothing of it waits.
  fileprivate init?(pair: String, _ collection: ViewedCollection) {
    self.init(
      pair: pair, collection: collection.name,
      item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""))
    if let made = collection.actions.made {
      // What is in it says that it comes.
      guard collection.items.isEmpty else { return nil }
      if made.side == .local { remote = .created } else { local = .created }
      return
    }
    // What the sides never agreed on is no change since the last sync, and may wait all the same.
    let changed = collection.differing.filter { $0.base != nil || $0.target == nil }
    if changed.isEmpty { return nil }
    let waiting = changed.compactMap(\.conflict)
    if !waiting.isEmpty {
      conflict = waiting.allSatisfy(\.isUnmet) ? .neverAgreed : .bothChanged
      valueMend = ValueConflict.mend(waiting, pair: pair, collection: collection.name)
    }
    localChanges = changed.compactMap { $0.words(on: .local) }
    remoteChanges = changed.compactMap { $0.words(on: .remote) }
    if !localChanges.isEmpty { local = .updated }
    if !remoteChanges.isEmpty { remote = .updated }
  }
}

extension PendingEntry {
  fileprivate init(pair: String, collection: String, _ stuck: StuckValue) {
    self.init(pair: pair, collection: collection, item: stuck.reported.item)
    problem = stuck.problem
    localChanges = [stuck.value.words(on: .local, stays: true)].compactMap(\.self)
    remoteChanges = [stuck.value.words(on: .remote, stays: true)].compactMap(\.self)
    if !localChanges.isEmpty { local = .updated }
    if !remoteChanges.isEmpty { remote = .updated }
  }
}
