public import ICalendar
public import Recurrence

/// What `list` and `expand` are asked for.
public struct AgendaRequest: Sendable {
  /// Pairs, collections of pairs, folders and files; empty: every calendar of every pair.
  public var targets: [String]
  /// As people write times; nil: not said.
  public var from: String?
  public var to: String?
  /// The name of a zone; nil: not said.
  public var zone: String?
  /// Occurrences with STATUS:CANCELLED too.
  public var includesCancelled: Bool

  public init(
    targets: [String], from: String? = nil, to: String? = nil, zone: String? = nil,
    includesCancelled: Bool = false
  ) {
    self.targets = targets
    self.from = from
    self.to = to
    self.zone = zone
    self.includesCancelled = includesCancelled
  }
}

/// The occurrences of some calendars in a window of time.
public struct Agenda: Sendable {
  /// Sorted by start.
  public var entries: [AgendaEntry]
  /// What could not be read; the rest is there.
  public var failures: [RunFailure]
  /// What a person should know although nothing failed.
  public var notices: [String]
  public var window: OccurrenceWindow
  /// Where days begin, and where floating times and dates are.
  public var zone: Zone

  /// The status that a command with nothing else to do ends with.
  public var status: ExitStatus { .combined(failures.map(\.status)) }
}

/// Reads agendas: no server is asked, no journal opened, nothing is written.
public struct AgendaReader: Sendable {
  private let environment: ProcessEnvironment
  private let signals: StopSignals?
  /// Seconds from 1970 UTC.
  public let now: Int
  private let namedConfiguration: String?

  /// - Parameters:
  ///   - configuration: What `--config` says.
  ///   - now: Seconds from 1970 UTC.
  public init(
    environment: ProcessEnvironment, configuration: String?, signals: StopSignals?,
    now: Int = Int(Surroundings.live.now().milliseconds / 1000)
  ) {
    self.environment = environment
    self.signals = signals
    self.now = now
    namedConfiguration = configuration
  }

  /// Seven days, today first, unless the request says otherwise, in the user's zone.
  public func list(_ request: AgendaRequest) async throws(RunFailure) -> Agenda {
    let zone = try zone(request.zone) ?? SystemZones.local(environment)
    let today = try instant("today", option: "--from", zone)
    let from = try request.from.map { text throws(RunFailure) in
      try instant(text, option: "--from", zone)
    }
    let start = from ?? today
    let to: Int
    if let text = request.to {
      to = try end(text, after: start, zone)
    } else {
      to = zone.instant(of: zone.wall(at: start) + 7 * 86_400)
    }
    return try await read(
      request,
      AgendaWindow(
        OccurrenceWindow(from: start, to: to), includesCancelled: request.includesCancelled,
        placement: zone))
  }

  /// The days of a month, as `2026-12`; nil: this month.
  public func month(_ text: String?, _ request: AgendaRequest) async throws(RunFailure)
    -> (month: CivilDate, agenda: Agenda)
  {
    let zone = try zone(request.zone) ?? SystemZones.local(environment)
    let first: CivilDate
    if let text {
      guard let date = Self.month(text) else {
        throw .usage("\"\(visibleText(text, limit: 20))\" is not a month", hint: "write 2026-12")
      }
      first = date
    } else {
      let today = try instant("today", option: "--month", zone)
      guard let date = CivilDateTime(secondsSince1970: zone.wall(at: today))?.date,
        let start = CivilDate(year: date.year, month: date.month, day: 1)
      else { throw .usage("the clock is not in the years 0 to 9999", hint: "set the clock") }
      first = start
    }
    let days = Gregorian.days(inMonth: first.month, of: first.year)
    let from = first.daysSince1970 * 86_400
    let window = OccurrenceWindow(
      from: zone.instant(of: from), to: zone.instant(of: from + days * 86_400))
    let agenda = try await read(
      request,
      AgendaWindow(
        window, includesCancelled: request.includesCancelled, placement: zone))
    return (first, agenda)
  }

  /// Whether a text is meant as a month: `2026-12`.
  public static func month(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let year = HumanTimeReader.number(parts[0], digits: 4...4),
      let month = HumanTimeReader.number(parts[1], digits: 1...2)
    else { return nil }
    return CivilDate(year: year, month: month, day: 1)
  }

  /// Every occurrence of some files; without an end the first ones of each series.
  public func expand(_ request: AgendaRequest) async throws(RunFailure) -> Agenda {
    let zone = try zone(request.zone) ?? .utc
    let from = try request.from.map { text throws(RunFailure) in
      try instant(text, option: "--from", zone)
    }
    let to = try request.to.map { text throws(RunFailure) in
      try end(text, after: from ?? Int.min, zone)
    }
    return try await read(
      request,
      AgendaWindow(
        OccurrenceWindow(from: from ?? Int.min, to: to ?? Int.max),
        first: to == nil ? AgendaWindow.usualFirst : nil,
        includesCancelled: request.includesCancelled, placement: zone))
  }

  private func read(_ request: AgendaRequest, _ window: AgendaWindow) async throws(RunFailure)
    -> Agenda
  {
    let finder = PlaceFinder(environment: environment) { () throws(RunFailure) in
      try configuration()
    }
    let (places, failures) = try await finder.places(request.targets)
    let findings = try await CalendarReader(window, signals: signals).read(places)
    return Agenda(
      entries: findings.entries, failures: failures + findings.failures,
      notices: findings.notices, window: window.window, zone: window.placement)
  }

  // MARK: What the options mean

  private func configuration() throws(RunFailure) -> Configuration {
    do throws(ConfigurationError) {
      return try environment.loadConfigurationIfAny(from: namedConfiguration)
    } catch {
      throw RunFailure(error)
    }
  }

  private func zone(_ name: String?) throws(RunFailure) -> Zone? {
    guard let name else { return nil }
    return try namedZone(name, option: "--tz")
  }

  private func instant(_ text: String, option: String, _ zone: Zone) throws(RunFailure) -> Int {
    do {
      return try HumanTime.parse(text, now: now, zone: zone).instant(in: zone)
    } catch {
      throw .usage("\(option): \(error.message)", hint: error.hint)
    }
  }

  private func end(_ text: String, after start: Int, _ zone: Zone) throws(RunFailure) -> Int {
    let end = try instant(text, option: "--to", zone)
    guard end > start else {
      throw .usage("--to is not after --from", hint: "--to itself is not part of the time")
    }
    return end
  }
}

/// The zone of a name that a person wrote: one of tzdata, of Windows, or an offset as `+02:00`.
public func namedZone(_ name: String, option: String) throws(RunFailure) -> Zone {
  let resolver = ZoneResolver(catalog: .system)
  if let zone = resolver.zone(named: TimeZoneName(name))?.zone { return zone }
  throw .usage(
    "\(option): there is no time zone \"\(visibleText(name, limit: 40))\"",
    hint: "write a name of tzdata, as Europe/Vienna")
}
