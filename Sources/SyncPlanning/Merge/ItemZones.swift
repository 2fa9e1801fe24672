import ICalendar
public import Recurrence

/// Says what the TZIDs of items mean, so that two spellings of one time are known to be the same.
public struct ItemZones: Sendable {
  let catalog: ZoneCatalog
  let redundant: RedundantDefinitions

  /// Asks tzdata, then an item's own VTIMEZONEs.
  public init(_ catalog: ZoneCatalog) {
    self.catalog = catalog
    redundant = RedundantDefinitions(catalog)
  }

  /// Knows what an item's own VTIMEZONEs say, and UTC.
  public static let ownDefinitions = ItemZones(.empty)
}

/// What the texts of one merge know of times together.
struct TimeContext {
  let catalog: ZoneCatalog
  /// The VTIMEZONEs of all texts: one may name a zone that another defines.
  let definitions: [TimeZoneDefinition]
  /// The start of the item, for a text that does not say it.
  let start: DateTime?

  init(_ zones: ItemZones, _ texts: [SyntaxTree]) {
    var findings: [ScheduleFinding] = []
    catalog = zones.catalog
    definitions = texts.flatMap { TimeZoneDefinition.all(in: $0, findings: &findings) }
    start = texts.lazy.compactMap(ItemTimes.start).first
  }

  /// A text's own definitions count before those of the others.
  func resolver(for tree: SyntaxTree) -> ZoneResolver {
    var findings: [ScheduleFinding] = []
    let own = TimeZoneDefinition.all(in: tree, findings: &findings)
    return ZoneResolver(catalog: catalog, definitions: own + definitions)
  }
}

/// A moment as far as it can be compared with others of an item.
enum Moment: Hashable {
  /// Days from 1970-01-01.
  case day(Int)
  /// Seconds from 1970-01-01 00:00 on a wall without a zone.
  case wall(Int)
  /// Seconds from 1970 UTC.
  case instant(Int)
  /// The wall time of a zone that is not known.
  case unknown(TimeZoneName, Int)
  /// What cannot be read, as it is written.
  case text([UInt8])
}

/// What the times of one text mean.
struct ItemTimes {
  private let zones: Zones
  /// The start of the main component, where its times are at home; nil where there is none.
  private let home: DateTime?

  /// The zones of a text, each looked up when it is first asked for: to make one of a VTIMEZONE
  /// costs as much as the rest of a merge.
  private final class Zones {
    let resolver: ZoneResolver
    private var known: [TimeZoneName: Zone?] = [:]

    init(_ resolver: ZoneResolver) { self.resolver = resolver }

    subscript(name: TimeZoneName) -> Zone? {
      if let zone = known[name] { return zone }
      let zone = resolver.zone(named: name)?.zone
      known[name] = .some(zone)
      return zone
    }
  }

  init(_ tree: SyntaxTree, _ context: TimeContext) {
    zones = Zones(context.resolver(for: tree))
    home = Self.start(of: tree) ?? context.start
  }

  /// The moment of a value by itself.
  func moment(_ time: DateTime) -> Moment {
    let wall = time.civil.secondsSince1970
    switch time {
    case .date(let date): return .day(date.daysSince1970)
    case .floating: return .wall(wall)
    case .utc: return .instant(wall)
    case .zoned(_, let name):
      guard let zone = zones[name] else { return .unknown(name, wall) }
      return .instant(zone.instant(of: wall))
    }
  }

  /// The moment of a value that names an occurrence: floating times and dates are in the home of
  /// the main component, and of all-day items only the day counts.
  func occurrence(_ time: DateTime) -> Moment {
    switch home {
    case nil: return moment(time)
    case .date: return .day(time.civil.date.daysSince1970)
    case .floating: return .wall(time.civil.secondsSince1970)
    case .utc: return moment(time, at: .utc(time.civil))
    case .zoned(_, let name): return moment(time, at: .zoned(time.civil, name))
    }
  }

  /// What the wall at the home of the main component shows at a moment that names an occurrence;
  /// nil where that cannot be said.
  func wall(of occurrence: Moment) -> CivilDateTime? {
    switch (home, occurrence) {
    case (.date, .day(let day)):
      CivilDate(daysSince1970: day).map { CivilDateTime(startOf: $0) }
    case (.floating, .wall(let seconds)), (.utc, .instant(let seconds)):
      CivilDateTime(secondsSince1970: seconds)
    case (.zoned(_, let name), .instant(let seconds)):
      zones[name].flatMap { CivilDateTime(secondsSince1970: $0.wall(at: seconds)) }
    case (.zoned(_, let home), .unknown(let name, let seconds)) where home == name:
      CivilDateTime(secondsSince1970: seconds)
    default: nil
    }
  }

  /// The moment of a value, or of what it is in the main component's zone if it has none itself.
  private func moment(_ time: DateTime, at home: DateTime) -> Moment {
    switch time {
    case .date, .floating: moment(home)
    case .utc, .zoned: moment(time)
    }
  }

  /// The moment that a RECURRENCE-ID, or one element of an EXDATE or RDATE, names.
  func occurrence(of element: [UInt8], in line: ContentLine) -> Moment {
    guard let time = Self.time(line, element: element) else { return .text(element) }
    return occurrence(line.isNamed("RECURRENCE-ID") ? atTimeOfDay(time) : time)
  }

  /// A day that stands for the occurrence of that day, at the time of day of the main component
  /// (docs/recurrence.md). In EXDATE it is the whole day.
  private func atTimeOfDay(_ time: DateTime) -> DateTime {
    guard case .date(let date) = time, let home else { return time }
    let start = home.civil
    guard
      let civil = CivilDateTime(
        date, hour: start.hour, minute: start.minute, second: start.second)
    else { return time }
    switch home {
    case .date: return time
    case .floating: return .floating(civil)
    case .utc: return .utc(civil)
    case .zoned(_, let name): return .zoned(civil, name)
    }
  }

  /// The start of the main component.
  static func start(of tree: SyntaxTree) -> DateTime? {
    CalendarObject(tree).mainComponents.first.flatMap { start(of: $0.component) }.flatMap {
      time($0)
    }
  }

  /// The line that says where a series begins: DTSTART; of a VTODO without one, DUE.
  static func start(of series: Component) -> ContentLine? {
    series.line(named: "DTSTART")
      ?? (series.isNamed("VTODO") ? series.line(named: "DUE") : nil)
  }

  /// The time in a line, or in one element of its list.
  static func time(_ line: ContentLine, element: [UInt8]? = nil) -> DateTime? {
    var notes: [ValueNote] = []
    let type = line.parameter(named: "VALUE")?.values.first ?? []
    let isDate = String(decoding: type, as: UTF8.self).uppercased() == "DATE"
    return try? DateTime.read(
      element ?? line.value, isDate: isDate ? true : nil, zone: zone(of: line), notes: &notes)
  }

  static func zone(of line: ContentLine) -> TimeZoneName? {
    line.parameter(named: "TZID")?.texts.first
      .map { Array($0.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()) }
      .flatMap { $0.isEmpty ? nil : TimeZoneName(bytes: $0) }
  }
}
