import SyncModel

extension PairOpener {
  /// What is told where a pair cannot be opened: of a side that leads to no calendars, also where
  /// the domain of its account says that they are.
  ///
  /// - Parameter mayAsk: name servers may be asked. Not where the pair has synced: its URL was the
  ///   right one, and what fails today is rather the server.
  func failure(
    _ error: OpeningError, of pair: PairConfiguration, mayAsk: Bool, stop: () -> StopReason?
  ) async -> RunFailure {
    let failure = error.failure(pair: pair.name, stop: stop())
    // Any other error is of a run that was shown calendars, or has not looked for them.
    guard case .storage(let side, _) = error, mayAsk, stop() == nil else { return failure }
    let told = await addPlace(to: failure, of: pair, side)
    // Name servers that do not answer take their time, in which a run may be told to stop.
    if let reason = stop() { return .stopped(reason, place: failure.place) }
    return told
  }

  private func addPlace(
    to failure: RunFailure, of pair: PairConfiguration, _ side: Side
  ) async -> RunFailure {
    // A calendar with an address of its own is not looked for by the account's URL.
    guard side == .local || pair.selection.address == nil,
      case .account(let name) = side == .local ? pair.local : pair.remote,
      let account = configuration.account(name)
    else { return failure }
    var told = failure
    await told.addPlace(of: account, resolver, isAdhoc: pair.selection == .asFound)
    return told
  }
}
