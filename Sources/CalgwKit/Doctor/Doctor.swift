import SyncModel

/// Tests the whole way from the configuration to the calendars, and says what to change.
public struct Doctor: Sendable {
  let environment: ProcessEnvironment
  let signals: StopSignals?
  let surroundings: Surroundings
  let resolver: ServiceResolver?
  /// Calendars may be made and removed to see what a server does.
  let writes: Bool
  /// Takes each finding as soon as it is one.
  let report: @Sendable (Finding) -> Void

  /// - Parameters:
  ///   - resolver: is asked where an account's calendars are if its URL names no more than a server
  ///     and leads to none; nil: nobody is.
  ///   - writes: whether a calendar may be made in each account, tried, and removed again.
  ///   - report: takes the findings one by one, as they are made.
  public init(
    environment: ProcessEnvironment, signals: StopSignals?, surroundings: Surroundings = .live,
    resolver: ServiceResolver? = nil, writes: Bool, report: @escaping @Sendable (Finding) -> Void
  ) {
    self.environment = environment
    self.signals = signals
    self.surroundings = surroundings
    self.resolver = resolver
    self.writes = writes
    self.report = report
  }

  /// Looks at an account and its pairs, or at everything.
  ///
  /// - Parameters:
  ///   - file: the configuration that is named; nil: the one in use.
  ///   - account: nil: all of them, and all pairs.
  /// - Returns: that of the gravest finding; warnings alone are a success.
  /// - Throws: where there is no such account, and where it was told to stop.
  public func run(configuration file: String?, account: String?) async throws(RunFailure)
    -> ExitStatus
  {
    let configuration: Configuration
    do {
      configuration = try environment.loadConfiguration(from: file)
    } catch {
      report(Finding(RunFailure(error), .everything, .configuration))
      return .configuration
    }
    let gateway = try Gateway(
      configuration, environment: environment, signals: signals, surroundings: surroundings,
      resolver: resolver)
    var names: [String] = []
    if account != nil || !configuration.accounts.isEmpty { names = try gateway.accounts(account) }
    var statuses = tell(examine(configuration) + examineTimeZones() + examineState(configuration))
    var reached: Set<String> = []
    for name in names {
      guard let account = configuration.account(name) else { continue }
      let way = await examine(account, gateway)
      statuses += way.statuses
      if way.broken == nil { reached.insert(name) }
      try checkStop()
    }
    for pair in configuration.pairs where account == nil || pair.accounts.contains(account ?? "") {
      statuses += tell(
        await examine(pair, gateway, isReached: reached.isSuperset(of: pair.accounts)))
      try checkStop()
    }
    return .combined(statuses)
  }

  /// Passes findings on; gives their statuses.
  func tell(_ findings: [Finding]) -> [ExitStatus] {
    findings.forEach(report)
    return findings.map(\.status)
  }

  func checkStop() throws(RunFailure) {
    if let reason = signals?.reason { throw .lookCutShort(reason) }
  }

  private func examine(_ configuration: Configuration) -> [Finding] {
    let accounts = configuration.accounts.count
    let pairs = configuration.pairs.count
    let summary =
      "\(configuration.file ?? "no file") has \(accounts) account\(accounts == 1 ? "" : "s") and "
      + "\(pairs) pair\(pairs == 1 ? "" : "s")"
    var findings = [Finding(.ok, .everything, .configuration, summary)]
    for warning in configuration.warnings {
      findings.append(Finding(.warning, .everything, .configuration, warning))
    }
    if pairs == 0 {
      findings.append(
        Finding(
          .warning, .everything, .configuration, "nothing is synced: there is no pair",
          hint: "add a table [pair.NAME] with local and remote"))
    }
    return findings
  }
}

extension RunFailure {
  /// Nothing that was looked at is recorded, so nothing goes on from there.
  fileprivate static func lookCutShort(_ reason: StopReason) -> RunFailure {
    var failure = RunFailure.stopped(reason, place: "")
    let cause =
      switch reason {
      case .interrupted: "interrupted"
      case .hungUp: "the terminal went away"
      case .terminated: "told to end"
      case .deadline: "it took too long"
      }
    failure.message = "\(cause); the rest was not looked at"
    failure.hint = "run `calgw doctor` again to look at everything"
    return failure
  }
}

extension PairConfiguration {
  /// The accounts that its sides are.
  var accounts: [String] {
    [local, remote].compactMap { side in
      if case .account(let name) = side { name } else { nil }
    }
  }
}
