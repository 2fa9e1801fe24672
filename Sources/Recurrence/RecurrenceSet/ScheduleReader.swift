public import ICalendar

/// Something in a component's lines about time that cannot be read, or is read although it is odd.
public struct ScheduleFinding: Sendable, Hashable {
  /// What was found.
  public enum Kind: Sendable, Hashable {
    /// The line is left out; a rule that cannot be read leaves DTSTART alone.
    case unreadable(ValueError)
    case odd(ValueNote)
    /// A property that may stand once, or `Schedule.ruleLimit` times, stands again and is left out.
    case repeated
  }

  public let kind: Kind
  /// The property's name in upper case.
  public let property: String
  /// The physical line, from 1; nil for a line that was written since the text was read.
  public let line: Int?
}

extension Schedule {
  /// Reads what a component says about time. Lines that cannot be read are left out and found.
  public static func read(
    _ item: ItemComponent, findings: inout [ScheduleFinding]
  ) -> Schedule {
    var reader = ScheduleReader(kind: item.kind)
    for line in item.component.lines { reader.read(line) }
    findings += reader.findings
    var schedule = reader.schedule
    schedule.sequence = item.sequence ?? 0
    return schedule
  }
}

extension Schedule {
  /// The times that one line lists, as EXDATE and RDATE do; of periods their starts.
  static func times(
    of line: ContentLine, kind: String, findings: inout [ScheduleFinding]
  ) -> [DateTime] {
    var reader = ScheduleReader(kind: kind)
    reader.read(line)
    findings += reader.findings
    return reader.schedule.exclusions + reader.schedule.additions.map(\.start)
  }
}

private struct ScheduleReader {
  var schedule: Schedule
  var findings: [ScheduleFinding] = []
  private var count: [String: Int] = [:]

  init(kind: String) {
    schedule = Schedule(
      kind: kind == "VTODO" ? .todo : kind == "VJOURNAL" ? .journal : .event, start: nil)
  }

  mutating func read(_ line: ContentLine) {
    guard let name = Self.names.first(where: { line.isNamed($0) }) else { return }
    count[name, default: 0] += 1
    if count[name, default: 0] > Self.most(of: name) {
      findings.append(ScheduleFinding(kind: .repeated, property: name, line: line.lineNumber))
      return
    }
    var notes: [ValueNote] = []
    do {
      try read(line, name: name, notes: &notes)
    } catch {
      findings.append(
        ScheduleFinding(kind: .unreadable(error), property: name, line: line.lineNumber))
    }
    findings += notes.map {
      ScheduleFinding(kind: .odd($0), property: name, line: line.lineNumber)
    }
  }

  private mutating func read(
    _ line: ContentLine, name: String, notes: inout [ValueNote]
  ) throws(ValueError) {
    switch name {
    case "DTSTART": schedule.start = try line.time(line.value, notes: &notes)
    case "DTEND", "DUE":
      // RFC 5545 has DTEND or DURATION, not both; the end is the plainer word.
      guard (name == "DUE") == (schedule.kind == .todo) else { return }
      schedule.ending = .end(try line.time(line.value, notes: &notes))
    case "DURATION":
      guard case .none = schedule.ending else { return }
      schedule.ending = .duration(try CivilDuration.read(line.value, notes: &notes))
    case "RECURRENCE-ID":
      schedule.recurrenceID = try line.time(line.value, notes: &notes)
      let range = line.parameter(named: "RANGE")?.values.first ?? []
      schedule.isThisAndFuture =
        String(decoding: range, as: UTF8.self).uppercased() == "THISANDFUTURE"
    case "RRULE": schedule.rules.append(try rule(line, notes: &notes))
    case "EXRULE": schedule.exclusionRules.append(try rule(line, notes: &notes))
    case "EXDATE":
      for value in line.timeElements {
        schedule.exclusions.append(try line.time(value, notes: &notes))
      }
    default:
      for value in line.timeElements {
        let isPeriod = value.contains(0x2F)
        schedule.additions.append(
          isPeriod
            ? .period(try Period.read(value, zone: line.zoneName, notes: &notes))
            : .start(try line.time(value, notes: &notes)))
      }
    }
  }

  private func rule(
    _ line: ContentLine, notes: inout [ValueNote]
  ) throws(ValueError) -> RecurrenceRule {
    do { return try RecurrenceRule.read(line.value, notes: &notes) } catch { throw .rule(error) }
  }

  private static let names = [
    "DTSTART", "DTEND", "DUE", "DURATION", "RECURRENCE-ID", "RRULE", "EXRULE", "EXDATE", "RDATE",
  ]

  /// How often a property may stand in a component.
  private static func most(of name: String) -> Int {
    switch name {
    case "EXDATE", "RDATE": Int.max
    case "RRULE", "EXRULE": Schedule.ruleLimit
    default: 1
    }
  }
}

extension ContentLine {
  /// The elements of a list of times, as EXDATE has.
  package var timeElements: [ArraySlice<UInt8>] { value.split(separator: 0x2C) }

  /// Reads a date or time of this line.
  package func time(
    _ value: some Collection<UInt8>, notes: inout [ValueNote]
  ) throws(ValueError) -> DateTime {
    let type = parameter(named: "VALUE")?.values.first ?? []
    let word = String(decoding: type, as: UTF8.self).uppercased()
    // Without VALUE they are of type DATE-TIME, each of them.
    let isDate: Bool? = word == "DATE" ? true : word == "DATE-TIME" || word.isEmpty ? false : nil
    return try DateTime.read(value, isDate: isDate, zone: zoneName, notes: &notes)
  }

  /// What TZID says.
  package var zoneName: TimeZoneName? {
    guard let name = parameter(named: "TZID")?.texts.first else { return nil }
    // Outlook leaves blanks behind the name.
    let trimmed = name.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
    return trimmed.isEmpty ? nil : TimeZoneName(bytes: Array(trimmed))
  }
}

extension RecurrenceSet {
  /// The set of the components of one item: those of one UID, or all if no UID is given.
  ///
  /// The first component without RECURRENCE-ID is the main one. `overrides` are the others that
  /// have
  /// one, in the order of the text: `Occurrence.Source.override` is an index into them.
  public init(
    _ object: CalendarObject, uid: [UInt8]? = nil, catalog: ZoneCatalog, placement: Zone = .utc,
    findings: inout [ScheduleFinding]
  ) {
    let items = object.components.filter { uid == nil || $0.uid == uid }
    let main = items.first { !$0.isOverride }.map { Schedule.read($0, findings: &findings) }
    let overrides = items.filter(\.isOverride).map { Schedule.read($0, findings: &findings) }
    let definitions = TimeZoneDefinition.all(in: object.tree, findings: &findings)
    self.init(
      main: main, overrides: overrides,
      zones: ZoneResolver(catalog: catalog, definitions: definitions), placement: placement)
  }
}
