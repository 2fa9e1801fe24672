import SyncExecution
import SyncModel

/// The calendars of a pair, as the next sync finds them.
extension AccountWay {
  /// Codes of a sync that ends since it does not know which calendar is meant.
  private static let namesNone = ["no-such-calendar", "ambiguous-calendar"]

  /// `calendar = "…"`: whether it means one.
  mutating func examineChoice(of pair: PairConfiguration, _ gateway: Gateway) async {
    guard case .calendar(let text) = pair.selection, pair.remote == .account(account.name),
      !isStopped
    else { return }
    switch await gateway.lookAt(pair) {
    case .success(let found)?:
      guard found.collections.contains(where: \.isToBeMade) else { return }
      tell(
        .warning, .collections,
        "pair \(pair.name) is for the calendar \"\(text)\", and no calendar is called so",
        hint: advice(for: text, in: pair))
    case .failure(let failure)?:
      // The account was reached a moment ago, and the journal and the local side are looked at with
      // the pair; but of another server that the calendar is on nothing was told.
      let isOfOtherServer = failure.side == .remote && account.isElsewhere(pair)
      guard isOfOtherServer || Self.namesNone.contains(failure.code) else { return }
      tellBeside(failure, .collections)
    case nil: tellCutShort(.collections)
    }
  }
}

extension Doctor {
  /// Whether each mapping of a pair means one calendar, and all that it synced is still there, in
  /// the words of the sync that stumbles over it.
  ///
  /// - Parameter hasSynced: there is something that it may miss.
  func examineCollections(
    _ pair: PairConfiguration, _ gateway: Gateway, hasSynced: Bool
  ) async -> [Finding] {
    // What else goes wrong was told of the account or the side.
    guard hasSynced || pair.hasMappings, case .success(let opened)? = await gateway.lookAt(pair)
    else { return [] }
    let subject = Finding.Subject.pair(pair.name)
    // Servers that ask to wait are the account's matter.
    var findings = opened.shortfalls.filter { $0.status == .configuration }
      .map { Finding($0, subject, .collections) }
    guard hasSynced else { return findings }
    let opener = CollectionOpener(
      pair: opened, surroundings: surroundings, options: SyncOptions())
    for collection in opened.collections {
      guard let report = await opener.gone(collection) else { continue }
      if case .storage(_, let trouble)? = report.failure {
        let failure = RunFailure(trouble, place: "collection \(collection.name)")
        findings.append(Finding(failure, subject, .collections))
      }
      findings += report.problems.map { told in
        Finding(
          .failed, subject, .collections, told.problem.message, hint: told.problem.hint,
          status: .attention)
      }
    }
    return findings
  }
}

extension PairConfiguration {
  fileprivate var hasMappings: Bool {
    guard case .collections(let rules) = selection else { return false }
    return !CollectionRules(rules).maps.isEmpty
  }
}

extension MatchedCollection {
  fileprivate var isToBeMade: Bool { if case .missing = remote { true } else { false } }
}

extension Gateway {
  /// A pair as a sync finds it; nothing is written. Nil where a signal ended the look.
  fileprivate func lookAt(_ pair: PairConfiguration) async -> Result<OpenedPair, RunFailure>? {
    let watch = StopWatch(signals: signals)
    return await watch.watch(surroundings) { () -> Result<OpenedPair, RunFailure> in
      do throws(RunFailure) {
        let store = try opener.openStore(pair, .look) { _ in }
        return .success(
          try await opener.open(
            PairTarget(pair: pair), .look, store: store, lock: nil, stop: { watch.reason }))
      } catch {
        return .failure(error)
      }
    }
  }
}
