/// The VTIMEZONEs of a text, each for the components of its own VCALENDAR: what a TZID means ends
/// with the iCalendar object (RFC 5545 §3.4, §3.6.5).
package struct CalendarZones: Sendable {
  private struct Definition {
    let component: Component
    /// As `ZoneVariants` numbers it; 0 in a text of one VCALENDAR.
    let variant: Int
  }

  /// The first one of each name.
  private var ofCalendars: [Component.ID: [[UInt8]: Definition]] = [:]
  /// The first one of each name in any of them, for those that do not define what they name.
  private var all: [[UInt8]: Definition] = [:]

  package init(_ tree: SyntaxTree) {
    var variants = ZoneVariants()
    let calendars = tree.calendars
    for calendar in calendars {
      var own: [[UInt8]: Definition] = [:]
      for zone in calendar.components where zone.isNamed("VTIMEZONE") {
        let name = zone.line(named: "TZID")?.value ?? []
        guard own[name] == nil else { continue }
        let variant = calendars.count < 2 ? 0 : variants.number(of: zone.bytes, named: name)
        own[name] = Definition(component: zone, variant: variant)
      }
      ofCalendars[calendar.id] = own
      all.merge(own) { first, _ in first }
    }
  }

  /// The definitions of what components name, in the order in which they name it: one of each
  /// name.
  package func named(by components: [Component]) -> [Component] {
    var order: [[UInt8]] = []
    var found: [[UInt8]: Definition] = [:]
    var seen: Set<[UInt8]> = []
    for component in components {
      for name in zoneNames(of: component) {
        if seen.insert(name).inserted { order.append(name) }
        if found[name] == nil { found[name] = own(name, component) }
      }
    }
    return order.compactMap { (found[$0] ?? all[$0])?.component }
  }

  /// The names that components use with two meanings, so that they are no one item.
  package func clashes(of components: [Component]) -> [ZoneClash] {
    guard ofCalendars.count > 1, components.count > 1 else { return [] }
    var uses = ZoneUses()
    for component in components {
      for name in zoneNames(of: component) {
        guard let zone = own(name, component) else { continue }
        uses.add(name, line: zone.component.lineNumber ?? 0, variant: zone.variant)
      }
    }
    return uses.clashes
  }

  private func own(_ name: [UInt8], _ component: Component) -> Definition? {
    component.parent.flatMap { ofCalendars[$0.id]?[name] }
  }
}
