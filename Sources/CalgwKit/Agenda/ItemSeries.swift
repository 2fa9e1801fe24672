import ICalendar
import Recurrence

/// The components of one UID in a file, as one recurrence set with what each component says.
package struct ItemSeries: Sendable {
  let set: RecurrenceSet
  /// Nil where there are overrides alone.
  private let main: Part?
  private let overrides: [Part]
  private let idForm: TimeForm
  /// A name of a time zone that its components use with two meanings: nobody can tell for certain
  /// when what happens.
  let zoneClash: ZoneClash?
  /// Lines that say when it happens, cannot be read and are left out.
  let unreadTimes: [ScheduleFinding]

  /// A component's words and the form of its times.
  private struct Part: Sendable {
    var details: EventDetails
    var form: TimeForm
  }

  /// The series of an object: components of one kind and UID belong together. A component without
  /// a UID, and a second one without RECURRENCE-ID, is a series of its own.
  package static func all(
    in object: CalendarObject, of file: EventFile, catalog: ZoneCatalog, placement: Zone
  ) -> [ItemSeries] {
    let zones = ZonesOfText(object.tree, catalog: catalog)
    return groups(of: object.components).map { group in
      ItemSeries(
        kind: group.kind, main: group.main, overrides: group.overrides, file: file, zones: zones,
        placement: placement)
    }
  }

  private struct Group {
    var kind: EventDetails.Kind
    var main: ItemComponent?
    var overrides: [ItemComponent] = []
  }

  private struct Key: Hashable {
    var kind: EventDetails.Kind
    var uid: [UInt8]
  }

  private static func groups(of components: [ItemComponent]) -> [Group] {
    var groups: [Group] = []
    var places: [Key: Int] = [:]
    for component in components {
      guard let kind = EventDetails.Kind(rawValue: component.kind) else { continue }
      let key = component.uid.map { Key(kind: kind, uid: $0) }
      let place = key.flatMap { places[$0] }
      guard let place, component.isOverride || groups[place].main == nil else {
        if let key, places[key] == nil { places[key] = groups.count }
        groups.append(
          component.isOverride
            ? Group(kind: kind, overrides: [component]) : Group(kind: kind, main: component))
        continue
      }
      if component.isOverride {
        groups[place].overrides.append(component)
      } else {
        groups[place].main = component
      }
    }
    return groups
  }

  private init(
    kind: EventDetails.Kind, main: ItemComponent?, overrides: [ItemComponent], file: EventFile,
    zones: ZonesOfText, placement: Zone
  ) {
    let components = ((main.map { [$0] } ?? []) + overrides).map(\.component)
    zoneClash = zones.clash(of: components)
    var findings: [ScheduleFinding] = []
    let mainSchedule = main.map { Schedule.read($0, findings: &findings) }
    let schedules = overrides.map { Schedule.read($0, findings: &findings) }
    unreadTimes = findings.filter(\.hidesOccurrences)
    set = RecurrenceSet(
      main: mainSchedule, overrides: schedules, zones: zones.resolver(for: components.first),
      placement: placement)
    func part(_ component: ItemComponent, _ schedule: Schedule) -> Part {
      let start = schedule.placedStart
      return Part(
        details: EventDetails(component, kind: kind, start: start, file: file),
        form: TimeForm(start))
    }
    self.main = main.flatMap { main in mainSchedule.map { part(main, $0) } }
    self.overrides = zip(overrides, schedules).map(part)
    idForm = TimeForm(
      mainSchedule?.placedStart ?? schedules.lazy.compactMap(\.recurrenceID).first)
  }

  /// The title, for people; empty where there is none.
  var summary: String { (main ?? overrides.first)?.details.summary ?? "" }

  /// An occurrence of the set with what its component says.
  func entry(_ occurrence: Occurrence) -> AgendaEntry? {
    let part: Part? =
      switch occurrence.source {
      case .main: main
      case .override(let index): overrides.indices.contains(index) ? overrides[index] : nil
      }
    return part.map {
      AgendaEntry(details: $0.details, occurrence: occurrence, form: $0.form, idForm: idForm)
    }
  }
}

extension ScheduleFinding {
  /// A length that cannot be read hides no occurrence, and neither does what takes some away.
  fileprivate var hidesOccurrences: Bool {
    guard case .unreadable = kind else { return false }
    return ["DTSTART", "DUE", "RECURRENCE-ID", "RRULE", "RDATE"].contains(property)
  }
}

extension Schedule {
  /// What gives an occurrence its place: DTSTART, or DUE of a to-do without one.
  var placedStart: DateTime? {
    if let start { return start }
    if case .end(let due) = ending, kind == .todo { return due }
    return nil
  }
}

extension EventDetails {
  fileprivate convenience init(
    _ item: ItemComponent, kind: Kind, start: DateTime?, file: EventFile
  ) {
    func text(_ name: String) -> String? {
      item.component.line(named: name).map { TextValue(escaped: $0.value).text }
    }
    let zone: String? =
      switch start {
      case .utc: "UTC"
      case .zoned(_, let name): name.text
      case .date, .floating, nil: nil
      }
    self.init(
      kind: kind, uid: item.uid.map { String(decoding: $0, as: UTF8.self) },
      summary: item.summary?.text ?? "", location: text("LOCATION"),
      description: text("DESCRIPTION"), status: text("STATUS")?.uppercased(), zoneName: zone,
      file: file)
  }
}
