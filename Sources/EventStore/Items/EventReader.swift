import EventEditing
import ICalendar
import Recurrence
import SyncModel

/// The text of one item as events are read from it.
struct EventReader: Sendable {
  let object: CalendarObject
  /// The first component without RECURRENCE-ID; nil where there are overrides alone.
  let main: ItemComponent?
  /// In the order of the text, as `Occurrence.Source.override` counts them.
  let overrides: [ItemComponent]
  let set: RecurrenceSet
  private let mainSchedule: Schedule?
  private let overrideSchedules: [Schedule]
  private let zones: EventZones

  init(_ text: [UInt8], world: EventWorld) {
    object = CalendarObject(SyntaxTree(bytes: text))
    var findings: [ScheduleFinding] = []
    main = object.components.first { !$0.isOverride }
    overrides = object.components.filter(\.isOverride)
    mainSchedule = main.map { Schedule.read($0, findings: &findings) }
    overrideSchedules = overrides.map { Schedule.read($0, findings: &findings) }
    let definitions = TimeZoneDefinition.all(in: object.tree, findings: &findings)
    zones = EventZones(
      resolver: ZoneResolver(catalog: world.catalog, definitions: definitions),
      placement: world.placement)
    set = RecurrenceSet(
      main: mainSchedule, overrides: overrideSchedules, zones: zones.resolver,
      placement: zones.placement)
  }

  /// The item is an event, and not a to-do or a journal entry.
  var isEvent: Bool { object.components.allSatisfy { $0.kind == "VEVENT" } }

  /// The name of an occurrence by its original start; nil for one of an event that does not recur.
  func name(of occurrence: Occurrence) -> GivenTime? {
    guard let id = occurrence.recurrenceID, let home = set.home else { return nil }
    if home.zone != nil { return .instant(id.instant) }
    guard let civil = CivilDateTime(secondsSince1970: id.wall) else { return nil }
    return home.isDate ? .date(civil.date) : .wall(civil)
  }

  /// An occurrence by its name; the first one where it has none. Nil where there is none such.
  func occurrence(_ name: GivenTime?) -> Occurrence? {
    guard let name else {
      var all = set.occurrences(in: .all)
      return all.next()
    }
    return window(of: name).flatMap { window in
      set.occurrences(in: window).prefix(Self.searched).first { self.name(of: $0) == name }
    }
  }

  /// Occurrences that overlap one that is looked for: one that lasts a day has so many beside it
  /// where a rule by the second gives them.
  static let searched = 200_000

  /// Where the occurrence of a name may be: at its override's own start, or at its own.
  private func window(of name: GivenTime) -> OccurrenceWindow? {
    guard let home = set.home, let key = key(of: name, home: home) else { return nil }
    if let index = set.override(of: key), overrideSchedules.indices.contains(index) {
      return overrideSchedules[index].effectiveStart.map { moment(zones.instant(of: $0)) }
    }
    let instant = home.zone == nil ? home.placement.instant(of: key) : key
    guard let range = set.range(at: key), overrideSchedules.indices.contains(range.index),
      let start = overrideSchedules[range.index].effectiveStart
    else { return moment(instant) }
    // The override of an earlier occurrence moved this one too: as far on the wall, so a change of
    // a zone may lie in between, and in another zone it is elsewhere by a day.
    let shift = start.civil.secondsSince1970 - home.wall(ofKey: range.key)
    let margin = 2 * 86_400
    return OccurrenceWindow(from: instant + shift - margin, to: instant + shift + margin)
  }

  private func moment(_ instant: Int) -> OccurrenceWindow {
    OccurrenceWindow(from: instant, to: instant + 1)
  }

  private func key(of name: GivenTime, home: Home) -> Int? {
    switch name {
    case .date(let date): home.isDate ? CivilDateTime(startOf: date).secondsSince1970 : nil
    case .wall(let civil): home.zone == nil ? civil.secondsSince1970 : nil
    case .instant(let instant):
      CivilDateTime(secondsSince1970: instant) == nil || home.zone == nil ? nil : instant
    case .exactly: nil
    }
  }

  /// The override of an occurrence; nil where it has none.
  func component(of name: GivenTime?) -> Component.ID? {
    guard let name, let home = set.home, let key = key(of: name, home: home),
      let index = set.override(of: key), overrides.indices.contains(index)
    else { return nil }
    return overrides[index].component.id
  }

  /// What an occurrence says of its length: days on the calendar, as DURATION can (RFC 5545
  /// §3.3.6), and not seconds in the world.
  func lastsDays(_ occurrence: Occurrence) -> Bool {
    var schedule = mainSchedule
    if case .override(let index) = occurrence.source {
      schedule = overrideSchedules.indices.contains(index) ? overrideSchedules[index] : nil
    }
    guard case .duration(let duration)? = schedule?.ending else { return occurrence.isAllDay }
    return duration.days != 0 || occurrence.isAllDay
  }

  /// Where a time is in the world.
  func instant(of time: DateTime) -> Int { zones.instant(of: time) }

  /// An occurrence as an event.
  func event(
    _ occurrence: Occurrence, of item: ItemKey, in calendar: EventCalendar, stamp: ItemStamp
  ) -> CalendarEvent? {
    let component: ItemComponent?
    let schedule: Schedule?
    switch occurrence.source {
    case .main: (component, schedule) = (main, mainSchedule)
    case .override(let index) where overrides.indices.contains(index):
      (component, schedule) = (overrides[index], overrideSchedules[index])
    case .override: return nil
    }
    guard let component, let schedule, let model = schedule.effectiveStart,
      let start = zones.time(occurrence.start, like: model),
      let end = zones.end(occurrence.end, of: schedule, start: model)
    else { return nil }
    var event = CalendarEvent(
      in: calendar, title: component.summary?.text ?? "", start: start, end: end,
      rule: main?.component.line(named: "RRULE").map { String(decoding: $0.value, as: UTF8.self) },
      location: component.text(of: "LOCATION"), description: component.text(of: "DESCRIPTION"),
      reminders: component.component.reminders.map(\.reminder))
    event.id = EventIdentifier(
      calendar: item.calendar, uid: item.uid, occurrence: name(of: occurrence))
    event.attendees = component.component.lines(named: "ATTENDEE").map(Attendee.init)
    event.organizer = component.component.line(named: "ORGANIZER").map(Attendee.init)
    if case .override = occurrence.source { event.isDetached = true }
    event.lastModified =
      component.lastModified.map { Instant(milliseconds: $0.millisecondsSince1970) }
      ?? stamp.modified
    event.etag = stamp.tag.map { String(decoding: $0.bytes, as: UTF8.self) }
    event.revision = stamp.revision
    event.startInstant = Instant(seconds: Int64(occurrence.start.instant))
    event.endInstant = Instant(seconds: Int64(occurrence.end.instant))
    return event
  }
}

/// What is known of an item beside its text.
struct ItemStamp: Sendable {
  var revision: String
  var tag: EntityTag?
  var modified: Instant?
}

extension ItemComponent {
  /// The first property of a name whose value is a text; nil for none, and for an empty one.
  fileprivate func text(of name: String) -> String? {
    component.line(named: name).map { TextValue(escaped: $0.value).text }
      .flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Attendee {
  fileprivate init(_ line: ContentLine) {
    func word(_ name: String) -> String? {
      line.parameter(named: name)?.texts.first.map { String(decoding: $0, as: UTF8.self) }
    }
    self.init(name: word("CN"), address: String(decoding: line.value, as: UTF8.self))
    if let role = word("ROLE") { self.role = role.uppercased() }
    if let status = word("PARTSTAT") { self.status = status.uppercased() }
  }
}
