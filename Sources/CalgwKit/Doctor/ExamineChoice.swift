import SyncModel

/// `calendar = "…"`: whether the next sync finds what is meant.
extension AccountWay {
  mutating func examineChoice(of pair: PairConfiguration, _ gateway: Gateway) async {
    guard case .calendar(let text) = pair.selection, pair.remote == .account(account.name),
      !isStopped
    else { return }
    switch await gateway.findCalendars(of: pair) {
    case .success(let found)?:
      guard found.contains(where: \.isToBeMade) else { return }
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

extension MatchedCollection {
  fileprivate var isToBeMade: Bool { if case .missing = remote { true } else { false } }
}

extension Gateway {
  /// The calendars of a pair as a sync finds them; nothing is written. Nil where a signal ended it.
  fileprivate func findCalendars(
    of pair: PairConfiguration
  ) async -> Result<[MatchedCollection], RunFailure>? {
    let watch = StopWatch(signals: signals)
    return await watch.watch(surroundings) { () -> Result<[MatchedCollection], RunFailure> in
      do throws(RunFailure) {
        let store = try opener.openStore(pair, .look) { _ in }
        let opened = try await opener.open(
          PairTarget(pair: pair), .look, store: store, lock: nil, stop: { watch.reason })
        return .success(opened.collections)
      } catch {
        return .failure(error)
      }
    }
  }
}
