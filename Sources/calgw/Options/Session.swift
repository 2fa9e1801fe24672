import CalgwKit

/// What a command runs with: the console, the signals, the process.
struct Session {
  let options: CommonOptions
  let console: Console
  let signals: StopSignals
  let environment: ProcessEnvironment

  init(_ options: CommonOptions, signals: StopSignals) {
    self.options = options
    self.signals = signals
    environment = .live
    console = Console(options, variables: environment.variables)
    startLog(isVerbose: options.verbose)
  }

  /// The configuration, or the pair that the command line gives.
  func configuration(adhoc: AdhocPair? = nil) throws(RunFailure) -> Configuration {
    guard let adhoc else { return try load() }
    console.suggestCommands(for: adhoc)
    let base = options.config == nil ? nil : try load()
    return try .adhoc(adhoc, base: base, environment: environment, digest: liveDigest)
  }

  func gateway(adhoc: AdhocPair? = nil) throws(RunFailure) -> Gateway {
    try gateway(try configuration(adhoc: adhoc))
  }

  func gateway(_ configuration: Configuration) throws(RunFailure) -> Gateway {
    let person = Interview(signals: signals).isPossible ? console.person : nil
    let gateway = try Gateway(
      configuration, environment: environment, signals: signals, resolver: .live, person: person,
      notice: { [console] in console.warn($0) })
    console.conceal(by: gateway.conceal)
    return gateway
  }

  /// Reads events; needs no configuration.
  var agendaReader: AgendaReader {
    AgendaReader(environment: environment, configuration: options.config, signals: signals)
  }

  private func load() throws(RunFailure) -> Configuration {
    do {
      let configuration = try environment.loadConfiguration(from: options.config)
      for warning in configuration.warnings { console.warn(warning) }
      return configuration
    } catch {
      throw RunFailure(error)
    }
  }
}
