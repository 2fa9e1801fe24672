import ICalendar
import Recurrence

/// An item as an edit works on it: its tree, and what its components say about time.
///
/// The schedules are those of the text that was read; they do not follow changes of the tree.
struct Series {
  /// A component of the item.
  struct Member {
    let id: Component.ID
    /// As `VEVENT`.
    let kind: String
    let schedule: Schedule
  }

  var tree: SyntaxTree
  /// The first component without RECURRENCE-ID; nil where there are overrides alone.
  let main: Member?
  /// In the order of the text.
  private(set) var overrides: [Member]
  let set: RecurrenceSet
  let clock: Clock
  let uid: [UInt8]?
  /// The first line about time that cannot be read.
  let unreadable: (property: String, line: Int?, reason: String)?
  /// TZIDs that mean nothing here.
  let missingZones: [TimeZoneName]

  static let kinds = ["VEVENT", "VTODO", "VJOURNAL"]

  init(_ object: CalendarObject, context: EditContext) throws(EditError) {
    let items = object.components.filter { Self.kinds.contains($0.kind) }
    guard Set(items.map(\.uid)).count <= 1 else { throw .severalItems }
    guard !items.isEmpty else { throw .noItem }
    guard items.allSatisfy(\.component.isClosed) else { throw .brokenText }
    tree = object.tree
    uid = items.first?.uid
    var findings: [ScheduleFinding] = []
    let members = items.map { item in
      Member(
        id: item.component.id, kind: item.kind,
        schedule: Schedule.read(item, findings: &findings))
    }
    main = zip(items, members).first { !$0.0.isOverride }?.1
    overrides = zip(items, members).filter { $0.0.isOverride }.map(\.1)
    unreadable = findings.lazy.compactMap(\.unreadable).first
    let definitions = TimeZoneDefinition.all(in: tree, findings: &findings)
    clock = Clock(
      ZoneResolver(catalog: context.catalog, definitions: definitions), user: context.zone)
    set = RecurrenceSet(
      main: main?.schedule, overrides: overrides.map(\.schedule), zones: clock.resolver,
      placement: clock.placement)
    missingZones = set.problems.compactMap {
      if case .missingZone(let name) = $0 { name } else { nil }
    }
  }

  /// The same with those overrides alone whose RECURRENCE-ID fits.
  init(_ whole: Series, where fits: (DateTime) -> Bool) {
    self = whole
    overrides = whole.overrides.filter { $0.schedule.recurrenceID.map(fits) ?? false }
  }

  /// Something recurs, so an edit is for one occurrence, for later ones or for all.
  var recurs: Bool {
    guard let main else { return true }
    let schedule = main.schedule
    return !overrides.isEmpty || !schedule.rules.isEmpty || !schedule.additions.isEmpty
      || unreadable.map { ["RRULE", "RDATE"].contains($0.property) } ?? false
  }

  /// An occurrence by its original start, as it is printed.
  func name(ofKey key: Int) -> String {
    guard let home = set.home else { return "" }
    let wall = home.wall(ofKey: key)
    return Clock.name(
      wall: wall, offset: home.zone == nil ? nil : wall - key, isDate: home.isDate)
  }

  /// The time of a key in the form of the series: what RECURRENCE-ID and EXDATE have. The second of
  /// two equal wall times can be named in UTC only.
  func time(ofKey key: Int) throws(EditError) -> DateTime {
    guard let home = set.home, let civil = CivilDateTime(secondsSince1970: home.wall(ofKey: key))
    else { throw .outOfRange }
    if home.zone != nil, home.key(ofWall: home.wall(ofKey: key)) != key {
      guard let civil = CivilDateTime(secondsSince1970: key) else { throw .outOfRange }
      return .utc(civil)
    }
    return model?.with(civil) ?? .floating(civil)
  }

  /// A time in the form of the series.
  private var model: DateTime? {
    main?.schedule.effectiveStart ?? overrides.lazy.compactMap(\.schedule.recurrenceID).first
  }

  /// The form of the series where it goes by the wall of a zone: so what is given of an occurrence
  /// is meant, in whatever form its override is written.
  var zoneForm: TimeForm? {
    guard let form = model.map(TimeForm.init), case .zone = form, clock.zone(of: form) != nil
    else { return nil }
    return form
  }

  /// Refuses what needs to know every occurrence where a line cannot be read.
  func checkReadable() throws(EditError) {
    if let unreadable {
      throw .unreadable(property: unreadable.property, line: unreadable.line)
    }
  }
}

extension ScheduleFinding {
  fileprivate var unreadable: (property: String, line: Int?, reason: String)? {
    guard case .unreadable(let error) = kind else { return nil }
    return (property, line, error.description)
  }
}

/// Carries out changes of a tree; what it refuses is a text that is not as RFC 5545 wants it.
func editing<R>(_ body: () throws(EditRefusal) -> R) throws(EditError) -> R {
  do { return try body() } catch { throw .brokenText }
}
