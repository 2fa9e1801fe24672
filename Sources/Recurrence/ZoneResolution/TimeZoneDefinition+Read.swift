public import ICalendar

extension TimeZoneDefinition {
  /// The VTIMEZONEs of all calendars of a text. Observances that cannot be read are left out.
  public static func all(
    in tree: SyntaxTree, findings: inout [ScheduleFinding]
  ) -> [TimeZoneDefinition] {
    all(in: tree.calendars, findings: &findings)
  }

  static func all(
    in calendars: [Component], findings: inout [ScheduleFinding]
  ) -> [TimeZoneDefinition] {
    calendars.flatMap(\.components).filter { $0.isNamed("VTIMEZONE") }
      .compactMap { TimeZoneDefinition($0, findings: &findings) }
  }

  /// Reads a VTIMEZONE; nil where it has no TZID. Observances that cannot be read are left out.
  init?(_ component: Component, findings: inout [ScheduleFinding]) {
    guard let line = component.line(named: "TZID") else { return nil }
    let observances = component.components.prefix(Self.observanceLimit).compactMap {
      Observance($0, findings: &findings)
    }
    for left in component.components.dropFirst(Self.observanceLimit).prefix(1) {
      let line = left.lines.first?.lineNumber
      findings.append(ScheduleFinding(kind: .repeated, property: "VTIMEZONE", line: line))
    }
    self.init(
      name: TimeZoneName(bytes: TextValue(escaped: line.value).bytes), observances: observances)
  }
}

extension TimeZoneDefinition.Observance {
  init?(_ component: Component, findings: inout [ScheduleFinding]) {
    let isDaylight = component.isNamed("DAYLIGHT")
    guard isDaylight || component.isNamed("STANDARD") else { return nil }
    var reader = ObservanceReader()
    for line in component.lines { reader.read(line, findings: &findings) }
    guard let start = reader.start, let from = reader.offsetFrom, let to = reader.offsetTo else {
      return nil
    }
    self.init(
      start: start.civil, offsetFrom: from, offsetTo: to, rules: reader.rules,
      dates: reader.dates, name: reader.name, isDaylight: isDaylight)
  }
}

private struct ObservanceReader {
  var start: DateTime?
  var offsetFrom: UTCOffset?
  var offsetTo: UTCOffset?
  var rules: [RecurrenceRule] = []
  var dates: [DateTime] = []
  var name = ""

  mutating func read(_ line: ContentLine, findings: inout [ScheduleFinding]) {
    guard let property = Self.names.first(where: { line.isNamed($0) }) else { return }
    var notes: [ValueNote] = []
    do {
      try read(property, line.value, notes: &notes)
    } catch {
      findings.append(
        ScheduleFinding(kind: .unreadable(error), property: property, line: line.lineNumber))
    }
    findings += notes.map {
      ScheduleFinding(kind: .odd($0), property: property, line: line.lineNumber)
    }
  }

  private mutating func read(
    _ property: String, _ value: [UInt8], notes: inout [ValueNote]
  ) throws(ValueError) {
    switch property {
    case "DTSTART": start = try DateTime.read(value, notes: &notes)
    case "TZOFFSETFROM": offsetFrom = try UTCOffset.read(value, notes: &notes)
    case "TZOFFSETTO": offsetTo = try UTCOffset.read(value, notes: &notes)
    case "TZNAME": if name.isEmpty { name = TextValue(escaped: value).text }
    case "RRULE":
      do { rules.append(try RecurrenceRule.read(value, notes: &notes)) } catch {
        throw .rule(error)
      }
    default:
      for element in value.split(separator: 0x2C) {
        let isPeriod = element.contains(0x2F)
        dates.append(
          isPeriod
            ? try Period.read(element, notes: &notes).start
            : try DateTime.read(element, notes: &notes))
      }
    }
  }

  private static let names = [
    "DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME", "RRULE", "RDATE",
  ]
}
