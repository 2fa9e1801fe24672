import ICalendar
import Recurrence

extension Series {
  /// Adds a VTIMEZONE for every zone that components have now and that the item did not have before
  /// (RFC 5545 §3.6.5), in front of the other components.
  /// - Parameter known: Zones that need none; those that the item had before, unless it is said.
  mutating func addZones(
    of components: [Component.ID], known: [TimeZoneName]? = nil
  ) throws(EditError) {
    var known = Set(known ?? members.flatMap { $0.schedule.ownZones })
    for component in tree.calendars.flatMap(\.components) where component.isNamed("VTIMEZONE") {
      guard let line = component.line(named: "TZID") else { continue }
      known.insert(TimeZoneName(bytes: TextValue(escaped: line.value).bytes))
    }
    for component in components {
      guard let schedule = schedule(of: component) else { continue }
      for name in schedule.ownZones where known.insert(name).inserted {
        try addZone(name, for: component, from: schedule.effectiveStart)
      }
    }
  }

  private mutating func addZone(
    _ name: TimeZoneName, for component: Component.ID, from start: DateTime?
  ) throws(EditError) {
    guard let zone = clock.zone(of: .zone(name)) else { throw .unknownZone(name.text) }
    let text = zone.definitionText(as: name.text, from: start.map(clock.instant(of:)) ?? 0)
    guard let definition = SyntaxTree(bytes: Array(text.utf8)).root.components.first,
      let calendar = tree[component]?.parent?.id
    else { throw .brokenText }
    try editing { () throws(EditRefusal) in
      _ = try tree.insertFirst(definition, in: calendar)
    }
  }

  /// What a component says about time by now; nil for one that is gone.
  func schedule(of component: Component.ID) -> Schedule? {
    var findings: [ScheduleFinding] = []
    return tree[component].map { Schedule.read(ItemComponent($0), findings: &findings) }
  }

  /// The main component, if there is one, and the overrides.
  var members: [Member] { (main.map { [$0] } ?? []) + overrides }
}

extension Schedule {
  /// The zones of the start, the end, and what is added and left out.
  fileprivate var ownZones: [TimeZoneName] {
    var names = [start?.zone]
    if case .end(let end) = ending { names.append(end.zone) }
    for addition in additions {
      switch addition {
      case .start(let time): names.append(time.zone)
      case .period(let period): names.append(period.start.zone)
      }
    }
    return (names + exclusions.map(\.zone)).compactMap { $0 }
  }
}
