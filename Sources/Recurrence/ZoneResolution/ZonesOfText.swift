public import ICalendar

/// What the TZIDs of a text mean: each VCALENDAR has definitions of its own (RFC 5545 §3.4,
/// §3.6.5).
public struct ZonesOfText: Sendable {
  private let catalog: ZoneCatalog
  /// In a text of several VCALENDARs.
  private var ofCalendars: [Component.ID: ZoneResolver] = [:]
  private let calendars: CalendarZones?
  private let all: ZoneResolver

  /// Definitions that cannot be read are left out.
  public init(_ tree: SyntaxTree, catalog: ZoneCatalog) {
    self.catalog = catalog
    var findings: [ScheduleFinding] = []
    let several = tree.calendars
    let definitions = TimeZoneDefinition.all(in: tree, findings: &findings)
    all = ZoneResolver(catalog: catalog, definitions: definitions)
    calendars = several.count > 1 ? CalendarZones(tree) : nil
    guard calendars != nil else { return }
    for calendar in several {
      let own = TimeZoneDefinition.all(in: [calendar], findings: &findings)
      ofCalendars[calendar.id] = ZoneResolver(
        catalog: catalog, definitions: own, others: definitions)
    }
  }

  /// What the TZIDs of a component's VCALENDAR mean. A name that it does not define means what
  /// another one says.
  public func resolver(for component: Component?) -> ZoneResolver {
    component?.parent.flatMap { ofCalendars[$0.id] } ?? all
  }

  /// A name that components of one item use with two meanings; nil where there is none.
  public func clash(of components: [Component]) -> ZoneClash? {
    calendars?.clashes(of: components).first { !catalog.isKnown($0.name) }
  }
}

extension ZoneCatalog {
  /// A TZID means the same everywhere, whatever a VTIMEZONE says: it is a name of tzdata, or the
  /// one that Windows has for such a zone.
  public func isKnown(_ name: [UInt8]) -> Bool {
    guard let name = String(validating: name, as: UTF8.self) else { return false }
    return WindowsZones.name(of: name) != nil || zone(named: name) != nil
  }
}
