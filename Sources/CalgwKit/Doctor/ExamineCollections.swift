import SyncExecution
import SyncModel

/// The calendars of a pair, as the next sync finds them.
extension AccountWay {
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
      // The account was reached a moment ago, and the local side is looked at with the pair.
      guard ["no-such-calendar", "ambiguous-calendar"].contains(failure.code) else { return }
      statuses += doctor.tell([Finding(failure, subject, .collections)])
    case nil: tellCutShort(.collections)
    }
  }
}

extension Doctor {
  /// Whether all that a pair synced is still there, in the words of the sync that misses it.
  func examineCollections(_ pair: PairConfiguration, _ gateway: Gateway) async -> [Finding] {
    // What else goes wrong was told of the account or the side.
    guard case .success(let opened)? = await gateway.lookAt(pair) else { return [] }
    let opener = CollectionOpener(
      pair: opened, surroundings: surroundings, options: SyncOptions())
    let subject = Finding.Subject.pair(pair.name)
    var findings: [Finding] = []
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
