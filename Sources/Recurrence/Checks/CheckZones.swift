import ICalendar

/// Looks at the VTIMEZONEs of an object, and at the names of zones that its times have.
struct ZoneCheck {
  let object: CalendarObject
  let catalog: ZoneCatalog

  func run() -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var defined: Set<TimeZoneName> = []
    let zones = object.tree.calendars.flatMap(\.components).filter { $0.isNamed("VTIMEZONE") }
    findings += unlike(zones)
    for zone in zones {
      if let name = zone.line(named: "TZID") {
        defined.insert(TimeZoneName(bytes: TextValue(escaped: name.value).bytes))
      }
      findings += check(zone)
    }
    findings += namesWithoutDefinition(defined)
    return findings
  }

  private func check(_ zone: Component) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    let parts = zone.components.filter { $0.isNamed("STANDARD") || $0.isNamed("DAYLIGHT") }
    if zone.line(named: "TZID") == nil || parts.isEmpty {
      findings.append(CheckFinding(.badTimeZone, at: zone.position))
    }
    for part in parts {
      let missing = ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"].filter {
        part.line(named: $0) == nil
      }
      if let first = missing.first {
        findings.append(
          CheckFinding(
            .badTimeZone, message: "a part of the VTIMEZONE has no \(first)", at: part.position))
      }
      var read: [ScheduleFinding] = []
      _ = TimeZoneDefinition.Observance(part, findings: &read)
      findings += CheckFinding.all(read, in: part)
    }
    return findings
  }

  /// The definitions that differ from the first one of their name, unless everybody knows the name.
  private func unlike(_ zones: [Component]) -> [CheckFinding] {
    guard zones.count > 1 else { return [] }
    var variants = ZoneVariants()
    return zones.filter { zone in
      guard let name = zone.line(named: "TZID")?.value, !catalog.isKnown(name) else { return false }
      return variants.number(of: zone.bytes, named: name) > 0
    }.map { CheckFinding(.unlikeTimeZones, at: $0.position) }
  }

  /// Each name once, where it is used first.
  private func namesWithoutDefinition(_ defined: Set<TimeZoneName>) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var seen: Set<TimeZoneName> = []
    let resolver = ZoneResolver(catalog: catalog)
    var noted: [ScheduleFinding] = []
    let definitions = TimeZoneDefinition.all(in: object.tree, findings: &noted)
    let known = ZoneResolver(catalog: catalog, definitions: definitions)
    for item in object.components {
      for line in item.component.lines {
        guard let bytes = line.parameter(named: "TZID")?.texts.first, !bytes.isEmpty else {
          continue
        }
        let name = TimeZoneName(bytes: bytes)
        guard seen.insert(name).inserted else { continue }
        if known.zone(named: name) == nil {
          findings.append(CheckFinding(.unknownZone, at: line.position))
        } else if !defined.contains(name), resolver.zone(named: name) != nil {
          findings.append(CheckFinding(.missingTimeZone, at: line.position))
        }
        guard seen.count <= CheckFinding.limit else { return findings }
      }
    }
    return findings
  }
}
