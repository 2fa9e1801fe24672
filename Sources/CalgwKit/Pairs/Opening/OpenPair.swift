import CalDAVStorage
import CurlTransport
import SQLiteJournal
import SyncModel
import VdirStorage

/// A pair with everything a run needs: locked, its journal open, both sides reached, their
/// collections matched.
struct OpenedPair: Sendable {
  let target: PairTarget
  let mode: RunMode
  let store: PairStore
  let local: OpenedSide
  let remote: OpenedSide
  /// Those that the command asks for.
  let collections: [MatchedCollection]
  /// The others that a run over the whole pair is about.
  let leftOut: [MatchedCollection]
  /// Why something that the command asks for is left out: the configuration does not say which
  /// calendar it means, or the server that may have it asks to be asked later.
  let shortfalls: [RunFailure]
  let listing: PairListing
  /// Held until the run is over; nil where nothing is written.
  let lock: PairLock?

  /// Those of a run over the whole pair.
  var allCollections: [MatchedCollection] { collections + leftOut }

  func side(_ side: Side) -> OpenedSide { side == .local ? local : remote }

  /// A server of the pair takes its credentials no more: the run has nothing to ask it.
  var shutOut: StorageError? {
    [local, remote].lazy.compactMap { side in
      if case .account(let connection) = side { connection.account.shutOut } else { nil }
    }.first
  }

  var place: String { "pair \(target.pair.name)" }
}

/// Opens pairs, one after another, and keeps what they share: connections and secrets.
package struct PairOpener: Sendable {
  let configuration: Configuration
  let surroundings: Surroundings
  let connections: AccountPool
  let executor: ThreadExecutor
  /// Knows perhaps where the calendars are that a run does not find; nil: nobody is asked.
  let resolver: ServiceResolver?

  /// Opens both sides and matches their collections.
  func open(
    _ target: PairTarget, _ mode: RunMode, store: PairStore, lock: PairLock?,
    offline: Bool = false, stop: () -> StopReason?
  ) async throws(RunFailure) -> OpenedPair {
    let pair = target.pair
    var hasHistory = false
    do throws(OpeningError) {
      try checkApart(pair)
      let records = try await recorded { () throws(JournalError) in
        try await store.collections()
      }
      hasHistory = !records.isEmpty
      let feed = offline ? nil : try await openFeed(of: pair)
      // No directory is made on a side that is not written to.
      var localMode = target.writes(to: .local) ? mode : .look
      if let feed, !hasHistory, mode == .write, (try? await feed.readAhead()) == nil {
        // No folder is made for what gives no calendar; the opening of the collection says so.
        localMode = .look
      }
      let local = try await openSide(
        pair.local, .local, of: pair, localMode, store, hasHistory: hasHistory, calendar: nil)
      let remote: OpenedSide
      if offline {
        remote = .remembered(records, as: pair.remote, user: user(of: pair.remote))
      } else if let feed {
        remote = .stream(feed)
      } else {
        remote = try await openSide(
          pair.remote, .remote, of: pair, target.writes(to: .remote) ? mode : .look, store,
          hasHistory: hasHistory,
          calendar: pair.selection.address)
      }
      var matching = PairMatching(
        pair: pair, local: local, remote: remote, store: store, records: records,
        now: surroundings.now())
      let all = try await matching.run()
      try checkApart(all, local, remote)
      try checkListed(all, remote, matching.listing)
      let chosen = try select(all, of: target, local, remote)
      try await recorded { () throws(JournalError) in
        try await store.remember(.local, local)
        try await store.remember(.remote, remote)
        try await store.remember(HistoryLimits(of: pair).bytes, as: HistoryLimits.storeKey)
      }
      return OpenedPair(
        target: target, mode: mode, store: store, local: local, remote: remote,
        collections: chosen.filter { !$0.isUndecided },
        leftOut: all.filter { !$0.isUndecided && !chosen.contains($0) },
        shortfalls: chosen.compactMap { $0.ambiguity(in: pair.name) }
          + putOff(chosen, of: target, local, remote, matching.listing),
        listing: matching.listing, lock: lock)
    } catch {
      throw await failure(error, of: pair, mayAsk: !offline && !hasHistory, stop: stop)
    }
  }

  private func select(
    _ collections: [MatchedCollection], of target: PairTarget, _ local: OpenedSide,
    _ remote: OpenedSide
  ) throws(OpeningError) -> [MatchedCollection] {
    if let origin = target.origin {
      let place = FindOrigin(
        pair: target.pair.name, local: local, remote: remote, isOfValue: target.restoring != nil)
      return [try place.find(origin, among: collections)]
    }
    do throws(RunFailure) {
      return try collections.named(by: target)
    } catch {
      throw .run(error)
    }
  }

  /// A run has not done what it was for where all is on servers for which nobody has vouched.
  private func checkListed(
    _ collections: [MatchedCollection], _ remote: OpenedSide, _ listing: PairListing
  ) throws(OpeningError) {
    guard collections.isEmpty, listing.remoteNames.isEmpty, case .account(let connection) = remote,
      let trouble = connection.account.allAreElsewhere
    else { return }
    throw .storage(.remote, trouble)
  }

  private func user(of side: SideConfiguration) -> String {
    guard case .account(let name) = side else { return "" }
    return configuration.account(name)?.username ?? ""
  }

  // MARK: Sides

  private func openSide(
    _ side: SideConfiguration, _ which: Side, of pair: PairConfiguration, _ mode: RunMode,
    _ store: PairStore, hasHistory: Bool, calendar: String?
  ) async throws(OpeningError) -> OpenedSide {
    switch side {
    case .directory(let path):
      let isKnown = try await recorded { () throws(JournalError) in
        hasHistory ? try await !store.wasElsewhere(which, thanDirectory: path) : false
      }
      return try openDirectory(path, which, mode, isKnown: isKnown)
    case .account(let name):
      guard var account = configuration.account(name) else {
        throw .run(
          RunFailure(
            .configuration, code: "bad-configuration", message: "there is no account \(name)",
            hint: "add a table [account.\(name)]"))
      }
      if let calendar { account.url = account.address(of: calendar) }
      return .account(try await connect(account, store))
    case .file(let path):
      return .stream(
        try await reached(which) { () throws(StorageError) in
          try OpenedStream(file: path, access: vdirAccess)
        })
    case .subscription(let url): return .stream(try await openFeed(at: url, which, of: pair))
    }
  }

  /// Nil where the remote side is no subscription.
  private func openFeed(of pair: PairConfiguration) async throws(OpeningError) -> OpenedStream? {
    guard case .subscription(let url) = pair.remote else { return nil }
    return try await openFeed(at: url, .remote, of: pair)
  }

  private func openFeed(
    at url: String, _ side: Side, of pair: PairConfiguration
  ) async throws(OpeningError) -> OpenedStream {
    let transport = try feedTransport()
    return try await reached(side) { () throws(StorageError) in
      try OpenedStream(
        url: url, pair: pair.name, transport: transport, surroundings: surroundings)
    }
  }

  private var vdirAccess: VdirAccess {
    VdirAccess(digest: liveDigest, surroundings: surroundings, executor: executor)
  }

  private func feedTransport() throws(OpeningError) -> CurlTransport {
    do throws(RunFailure) { return try connections.feedTransport() } catch { throw .run(error) }
  }

  func openDirectory(
    _ path: String, _ side: Side, _ mode: RunMode, isKnown: Bool
  ) throws(OpeningError) -> OpenedSide {
    let access = vdirAccess
    let bytes = Array(path.utf8)
    do throws(StorageError) {
      do throws(StorageError) {
        return .directory(
          try VdirRoot.open(path: bytes, access: access), realPath: realPath(of: path))
      } catch {
        // An empty directory where calendars should be looks like many deletions, so only a pair
        // that never ran, or not with this one, gets a new one.
        guard error.kind == .vanished, !isKnown else { throw error }
        guard mode == .write else {
          let real = realPath(of: path)
          let made = try VdirRoot.foresee(path: bytes, realPath: Array(real.utf8), access: access)
          return .nothing(made, realPath: real)
        }
        try VdirRoot.create(path: bytes, access: access)
        return .directory(
          try VdirRoot.open(path: bytes, access: access, isNew: true),
          realPath: realPath(of: path))
      }
    } catch {
      throw .storage(side, error)
    }
  }

  private func connect(_ account: AccountConfiguration, _ store: PairStore)
    async throws(OpeningError) -> AccountConnection
  {
    do throws(RunFailure) {
      return try await connections.connection(to: account) { account async throws(RunFailure) in
        do throws(JournalError) {
          return try await AccountMemory(of: account, in: store)
        } catch {
          throw RunFailure(error, place: "account \(account.name)")
        }
      }
    } catch {
      throw .run(error)
    }
  }
}

/// What may go wrong while a pair is opened.
enum OpeningError: Error {
  case run(RunFailure)
  case storage(Side, StorageError)
  case journal(JournalError)

  func failure(pair: String, stop: StopReason?) -> RunFailure {
    switch self {
    case .run(var failure):
      if failure.place.isEmpty, failure.status != .usage { failure.place = "pair \(pair)" }
      return failure
    case .storage(let side, let error):
      var failure = RunFailure(error, place: "pair \(pair), \(side.rawValue) side", stop: stop)
      failure.side = side
      return failure
    case .journal(let error): return RunFailure(error, place: "pair \(pair)", stop: stop)
    }
  }
}

/// Calls the journal's store.
func recorded<Value: Sendable>(_ call: () async throws(JournalError) -> Value)
  async throws(OpeningError) -> Value
{
  do throws(JournalError) {
    return try await call()
  } catch {
    throw .journal(error)
  }
}

/// Calls a side.
func reached<Value: Sendable>(
  _ side: Side, _ call: () async throws(StorageError) -> Value
) async throws(OpeningError) -> Value {
  do throws(StorageError) {
    return try await call()
  } catch {
    throw .storage(side, error)
  }
}

extension CollectionDescription {
  /// What makes it the one that a journal remembers.
  func journalIdentity(user: String) -> [UInt8] { Array((identity + "\n" + user).utf8) }
}
