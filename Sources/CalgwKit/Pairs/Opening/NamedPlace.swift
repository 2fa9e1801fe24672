extension PairOpener {
  /// Adds to the failure of a side where the domain of its account says that the calendars are.
  func addPlace(to failure: RunFailure, of pair: PairConfiguration) async -> RunFailure {
    // A calendar with an address of its own is not looked for by the account's URL.
    guard let side = failure.side, side == .local || pair.selection.address == nil,
      case .account(let name) = side == .local ? pair.local : pair.remote,
      let account = configuration.account(name)
    else { return failure }
    var told = failure
    await told.addPlace(of: account, resolver, isAdhoc: pair.selection == .asFound)
    return told
  }
}
