import CalDAVStorage
import SQLiteJournal
public import SyncModel
public import SyncPlanning
import VdirStorage

/// calgw as a library: one call a command.
public struct Gateway: Sendable {
  public let configuration: Configuration
  let signals: StopSignals?
  let surroundings: Surroundings
  let environment: ProcessEnvironment
  package let opener: PairOpener
  /// What commands of the configuration are run with.
  let variables: [String: String]
  private let secrets: SecretStore
  package var hookLimits = HookLimits()

  /// - Parameters:
  ///   - signals: ends runs early where it says so; nil: nothing does.
  ///   - resolver: is asked where an account's calendars are if its URL names no more than a server
  ///     and a run finds none; nil: nobody is.
  ///   - person: signs in where an account needs it; nil: nobody is there.
  ///   - notice: gets what a person should know of a sign-in besides.
  public init(
    _ configuration: Configuration, environment: ProcessEnvironment, signals: StopSignals?,
    surroundings: Surroundings = .live, resolver: ServiceResolver? = nil,
    person: SignInPerson? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(RunFailure) {
    self.configuration = configuration
    self.signals = signals
    self.surroundings = surroundings
    self.environment = environment
    variables = environment.variablesAnywhere
    secrets = SecretStore(variables: environment.variables, stop: { signals?.reason })
    do {
      opener = PairOpener(
        configuration: configuration, surroundings: surroundings,
        connections: AccountPool(
          AccountContext(
            secrets: secrets, surroundings: surroundings,
            stateDirectory: configuration.stateDirectory, person: person, notice: notice)),
        executor: try ThreadExecutor(), resolver: resolver?.askingOnce())
    } catch {
      throw RunFailure(
        .io, code: "io", message: "no thread can be started", why: error.text,
        hint: "raise the limit on processes (ulimit -u)")
    }
  }

  /// Takes out of a text the secrets that were fetched until then; nil where none was: what nobody
  /// knows cannot be found.
  public var conceal: @Sendable (String) -> String? { { [secrets] in secrets.concealed($0) } }

  /// A signal said to stop.
  public var isStopped: Bool { signals?.reason != nil }

  /// Why a place, such as a pair, is left out with all that would come after it; nil as long as no
  /// signal said to stop.
  public func leavingOut(_ place: String) -> RunFailure? {
    signals?.reason.map { RunFailure.stopped($0, place: place) }
  }

  // MARK: Names

  /// The pairs that arguments name; without one, all.
  public func targets(_ arguments: [String]) throws(RunFailure) -> [PairTarget] {
    try configuration.targets(arguments)
  }

  /// The same for a run in a direction: pairs that go the other way only cannot be asked for by
  /// name, and are left out where all are meant.
  public func targets(_ arguments: [String], for direction: SyncDirection) throws(RunFailure)
    -> [PairTarget]
  {
    let targets = try targets(arguments)
    func isFeed(_ target: PairTarget) -> Bool {
      if case .subscription = target.pair.remote { true } else { false }
    }
    func fits(_ target: PairTarget) -> Bool {
      if direction == .push, isFeed(target) { return false }
      return direction == .both || target.pair.direction == .both
        || target.pair.direction == direction
    }
    let fitting = targets.filter(fits)
    if let other = targets.first(where: { !fits($0) }), !arguments.isEmpty || fitting.isEmpty {
      if isFeed(other) {
        throw .usage(
          "the remote side of pair \(other.pair.name) is a subscription and read-only: nothing can"
            + " be pushed to it", hint: "run `calgw pull \(other.pair.name)`")
      }
      let verb = other.pair.direction == .pull ? "pull" : "push"
      throw .usage(
        "pair \(other.pair.name) has direction = \"\(verb)\" and cannot go the other way",
        hint: "run `calgw \(verb) \(other.pair.name)`, or change its direction")
    }
    return fitting
  }

  /// The accounts that `discover` looks at.
  public func accounts(_ name: String?) throws(RunFailure) -> [String] {
    let names = configuration.accounts.map(\.name)
    guard let name else {
      guard !names.isEmpty else {
        throw RunFailure(
          .configuration, code: "no-accounts", message: "the configuration has no account",
          place: configuration.file ?? "", hint: "add a table [account.NAME] with url")
      }
      return names
    }
    guard names.contains(name) else {
      throw .usage(
        "there is no account \"\(name)\"",
        hint: suggestion(for: name, among: names, what: "accounts"))
    }
    return [name]
  }

  // MARK: Discovery

  /// Looks for the calendars of an account.
  ///
  /// - Parameters:
  ///   - resolver: is asked where they are if the account's URL names no more than a server and
  ///     leads to none; nil: nobody is.
  ///   - notice: gets what a person may want to know besides.
  public func discover(
    _ name: String, asking resolver: ServiceResolver? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(RunFailure) -> FoundAccount {
    guard let account = configuration.account(name) else {
      throw .usage("there is no account \"\(name)\"", hint: "see the configuration")
    }
    let watch = StopWatch(signals: signals)
    let connection = try await opener.connections.connection(to: account) {
      _ async throws(RunFailure) in AccountMemory()
    }
    typealias Found = Result<AccountDescription, StorageError>
    let found = await watch.watch(surroundings) { () -> Found in
      do throws(StorageError) {
        let description = try await connection.account.discover()
        for origin in connection.account.otherServers {
          notice(connection.notice(ofOther: origin))
        }
        for place in description.unseen where !place.isPutOff {
          notice(connection.notice(ofUnseen: place))
        }
        for calendar in description.calendars {
          for value in calendar.unreadValues() { notice("\(account.place): \(value.notice)") }
        }
        // The failure names the foreign hosts, and whoever is there is asked about them.
        if description.calendars.isEmpty, let other = connection.account.allAreElsewhere {
          return .failure(other)
        }
        for host in connection.account.foreignHosts {
          notice(connection.notice(ofForeign: host))
        }
        return .success(description)
      } catch {
        return .failure(error)
      }
    }
    switch found {
    case .success(let description)?:
      let putOff = description.unseen.compactMap {
        connection.failure(ofUnseen: $0, at: account.place)
      }
      let clock = WallClock(for: putOff, surroundings, environment)
      return FoundAccount(
        calendars: description.calendars.map { FoundCalendar($0, account: name) },
        noticeOfGuess: connection.noticeOfGuess,
        shortfalls: putOff.map { $0.explained(by: nil, at: clock) })
    case .failure(let error)?:
      var failure = RunFailure(error, place: "account \(name)", stop: watch.reason)
      if failure.status == .denied { failure.otherHosts = connection.account.foreignHosts }
      if let resolver { await failure.addPlace(besides: account.url, resolver) }
      throw failure
    case nil: throw .stopped(watch.reason ?? .interrupted, place: "account \(name)")
    }
  }

  // MARK: Forgetting

  /// Forgets what was agreed on; gives the names of the collections. The history stays.
  public func forget(_ target: PairTarget, patience: Duration) async throws(RunFailure) -> [String]
  {
    let pair = target.pair
    let watch = StopWatch(signals: signals)
    let lock = try await opener.lock(pair, LockWait(patience, from: surroundings.now(), watch))
    defer { withExtendedLifetime(lock) {} }
    let store = try opener.openStore(pair, .write) { _ in }
    let known = try await journaled(pair) { () throws(JournalError) in
      try await store.collections()
    }
    let wanted = try known.named(by: target, verb: "knows").map(\.identity.name)
    return try await journaled(pair) { () throws(JournalError) in
      for name in wanted {
        try await store.forget(name, at: surroundings.now())
        try await store.setMapping(nil, of: name)
      }
      // What a person wants gone is not lost.
      if try await store.collections().isEmpty { lock.remember(hasSynced: false) }
      try await store.close()
      return wanted
    }
  }

  /// Calls a pair's store.
  func journaled<Value: Sendable>(
    _ pair: PairConfiguration, _ call: () async throws(JournalError) -> Value
  ) async throws(RunFailure) -> Value {
    try await journaled(pair.name, call)
  }

  /// The same for a pair that need not be in the configuration any more.
  func journaled<Value: Sendable>(
    _ name: String, _ call: () async throws(JournalError) -> Value
  ) async throws(RunFailure) -> Value {
    do throws(JournalError) {
      return try await call()
    } catch {
      throw RunFailure(error, place: "pair \(name)")
    }
  }
}
