/// Looks at the components of a text and what has to be in them (RFC 5545 §3.4, §3.6).
struct StructureCheck {
  let tree: SyntaxTree
  private var findings: [CheckFinding] = []
  /// What each UID is of: its kind, and whether a component without a RECURRENCE-ID was there.
  private var items: [[UInt8]: (kind: String, hasMain: Bool)] = [:]
  /// The calendar that is looked at has a METHOD.
  private var isMessage = false

  init(tree: SyntaxTree) { self.tree = tree }

  func run() -> [CheckFinding] {
    var check = self
    let calendars = tree.calendars
    for calendar in calendars { check.check(calendar: calendar) }
    if calendars.count > 1 {
      check.note(.severalCalendars, at: calendars[1].position)
    }
    return check.findings
  }

  private mutating func note(
    _ code: CheckCode, severity: Diagnostic.Severity? = nil, _ message: String? = nil,
    at place: TextPosition
  ) {
    guard findings.count <= CheckFinding.limit else { return }
    findings.append(CheckFinding(code, severity: severity, message: message, at: place))
  }

  private mutating func check(calendar: Component) {
    let place = calendar.position
    if let version = calendar.line(named: "VERSION") {
      if !version.value.elementsEqual("2.0".utf8) { note(.badVersion, at: version.position()) }
    } else {
      note(.missingVersion, at: place)
    }
    if calendar.line(named: "PRODID") == nil { note(.missingProductID, at: place) }
    let method = calendar.line(named: "METHOD")
    isMessage = method != nil
    if let method { note(.storedMethod, at: method.position) }
    checkLines(of: calendar, single: ["VERSION", "PRODID", "CALSCALE", "METHOD"])
    let components = calendar.components
    if components.isEmpty, calendar.isClosed { note(.emptyCalendar, at: place) }
    for component in components { check(component, in: "VCALENDAR", depth: 1) }
  }

  private mutating func check(_ component: Component, in parent: String, depth: Int) {
    // The tree is no deeper; this keeps the stack small whatever the tree does.
    guard depth < SyntaxTree.depthLimit else { return }
    let kind = ComponentRules.kind(of: component)
    if let kind {
      if !(ComponentRules.parents[kind] ?? []).contains(parent) {
        note(
          .misplacedComponent, "\(kind) may not stand inside of \(parent)", at: component.position)
      }
      checkLines(of: component, single: ComponentRules.single[kind] ?? [])
      check(component, kind: kind, in: parent)
    } else {
      let isExtension = component.name.starts(with: "X-".utf8)
      if !isExtension, parent == "VCALENDAR" { note(.unknownComponent, at: component.position) }
      checkLines(of: component, single: [])
    }
    for part in component.components { check(part, in: kind ?? "", depth: depth + 1) }
  }

  private mutating func check(_ component: Component, kind: String, in parent: String) {
    let place = component.position
    switch kind {
    case "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY":
      let item = ItemComponent(component)
      if item.uid == nil { note(.missingUID, at: component.line(named: "UID")?.position ?? place) }
      if component.line(named: "DTSTAMP") == nil { note(.missingStamp, at: place) }
      // RFC 5545 §3.6.1: in a message with METHOD it may be left out.
      if kind == "VEVENT", item.start == nil, !isMessage { note(.missingStart, at: place) }
      checkStatus(of: component, kind: kind)
      if parent == "VCALENDAR" { checkUID(of: item, at: place) }
      if let both = component.line(named: "DURATION"),
        component.line(named: kind == "VTODO" ? "DUE" : "DTEND") != nil
      {
        note(.endAndDuration, at: both.position)
      }
    case "VALARM":
      if component.line(named: "ACTION") == nil || component.line(named: "TRIGGER") == nil {
        note(.badAlarm, at: place)
      }
    default: break
    }
  }

  /// An item is one component without a RECURRENCE-ID, and others of its kind with one (RFC 4791
  /// §4.1).
  private mutating func checkUID(of item: ItemComponent, at place: TextPosition) {
    guard let uid = item.uid else { return }
    let before = items[uid]
    let kind = before?.kind ?? item.kind
    if kind != item.kind {
      note(.mainTwice, "a \(kind) has the same UID, and an item is of one kind", at: place)
    } else if let before, before.hasMain, !item.isOverride {
      note(.mainTwice, at: place)
    }
    items[uid] = (kind, (before?.hasMain ?? false) || !item.isOverride)
  }

  private mutating func checkStatus(of component: Component, kind: String) {
    guard let status = component.line(named: "STATUS"),
      let known = ComponentRules.status[kind]
    else { return }
    let value = String(decoding: status.value.map(\.uppercased), as: UTF8.self)
    if !known.contains(value) { note(.badStatus, at: status.position()) }
  }

  private mutating func checkLines(of component: Component, single: Set<String>) {
    var seen: Set<String> = []
    for line in component.lines where !line.isMalformed {
      let name = String(decoding: line.name.map(\.uppercased), as: UTF8.self)
      if single.contains(name), !seen.insert(name).inserted {
        note(.repeatedProperty, "\(name) may stand once, and stands again", at: line.position)
      }
      for finding in line.findings(named: name) where findings.count <= CheckFinding.limit {
        findings.append(finding)
      }
    }
  }
}

extension Component {
  /// Where it begins.
  public var position: TextPosition { TextPosition(startOf: lineNumber) }
}

/// What RFC 5545 (and 7953, 9073, 9074 for newer components) says about components.
enum ComponentRules {
  /// The name in upper case; nil for a kind that is not known.
  static func kind(of component: Component) -> String? {
    let name = String(decoding: component.name.map(\.uppercased), as: UTF8.self)
    return parents[name] == nil ? nil : name
  }

  /// In which components each kind may stand.
  static let parents: [String: Set<String>] = [
    "VEVENT": ["VCALENDAR"], "VTODO": ["VCALENDAR"], "VJOURNAL": ["VCALENDAR"],
    "VFREEBUSY": ["VCALENDAR"], "VTIMEZONE": ["VCALENDAR"], "VAVAILABILITY": ["VCALENDAR"],
    "VPOLL": ["VCALENDAR"], "AVAILABLE": ["VAVAILABILITY"], "STANDARD": ["VTIMEZONE"],
    "DAYLIGHT": ["VTIMEZONE"], "VALARM": ["VEVENT", "VTODO", "VAVAILABILITY"],
    "PARTICIPANT": ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VPOLL"],
    "VLOCATION": ["VEVENT", "VTODO", "VJOURNAL", "PARTICIPANT", "VALARM"],
    "VRESOURCE": ["VEVENT", "VTODO", "VJOURNAL", "PARTICIPANT"],
  ]

  private static let itemSingle: Set<String> = [
    "UID", "DTSTAMP", "DTSTART", "CLASS", "CREATED", "LAST-MODIFIED", "ORGANIZER", "SEQUENCE",
    "STATUS", "SUMMARY", "URL", "RECURRENCE-ID",
  ]

  /// What may stand once in each kind.
  static let single: [String: Set<String>] = [
    "VEVENT": itemSingle.union([
      "DESCRIPTION", "GEO", "LOCATION", "PRIORITY", "TRANSP", "DTEND", "DURATION",
    ]),
    "VTODO": itemSingle.union([
      "COMPLETED", "DESCRIPTION", "GEO", "LOCATION", "PERCENT-COMPLETE", "PRIORITY", "DUE",
      "DURATION",
    ]),
    "VJOURNAL": itemSingle,
    "VFREEBUSY": ["UID", "DTSTAMP", "DTSTART", "DTEND", "CONTACT", "ORGANIZER", "URL"],
    "VTIMEZONE": ["TZID", "LAST-MODIFIED", "TZURL"],
    "STANDARD": ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"],
    "DAYLIGHT": ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"],
    "VALARM": ["ACTION", "TRIGGER", "DURATION", "REPEAT", "UID", "ACKNOWLEDGED"],
  ]

  /// RFC 5545 §3.8.1.11.
  static let status: [String: Set<String>] = [
    "VEVENT": ["TENTATIVE", "CONFIRMED", "CANCELLED"],
    "VTODO": ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"],
    "VJOURNAL": ["DRAFT", "FINAL", "CANCELLED"],
  ]
}
