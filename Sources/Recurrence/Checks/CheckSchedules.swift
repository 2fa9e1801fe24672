public import ICalendar

/// What is not as RFC 5545 wants it in the times, rules and zones of an object. Sorted by place,
/// and bounded.
///
/// Zones are looked up in the object and the catalog; occurrences are asked for one at a time, so a
/// rule with a billion of them takes no longer than one with three.
public func checkSchedules(of object: CalendarObject, catalog: ZoneCatalog) -> [CheckFinding] {
  var findings = ZoneCheck(object: object, catalog: catalog).run()
  for series in SeriesCheck.all(in: object, catalog: catalog) {
    findings += series.run()
    guard findings.count <= CheckFinding.limit else { break }
  }
  return CheckFinding.listed(findings)
}

extension CheckFinding {
  /// What a reader of times says of a component, with the places in the lines that it tells.
  static func all(_ findings: [ScheduleFinding], in component: Component) -> [CheckFinding] {
    if findings.isEmpty { return [] }
    let lines = Dictionary(
      component.lines.map { ($0.lineNumber, $0) }, uniquingKeysWith: { first, _ in first })
    return findings.compactMap { CheckFinding($0, in: lines[$0.line]) }
  }

  private init?(_ finding: ScheduleFinding, in line: ContentLine?) {
    let start = line?.position() ?? TextPosition(startOf: finding.line)
    switch finding.kind {
    // The check of components says so, for all properties.
    case .repeated: return nil
    case .odd(let note):
      self.init(CheckCode(note), message: "\(finding.property): \(note.message)", at: start)
    case .unreadable(let error):
      var place = start
      if case .rule(let rule) = error, let line {
        place = line.position(inValue: rule.offset(in: line.value))
      }
      self.init(CheckCode(error), message: "\(finding.property): \(error)", at: place)
    }
  }
}

extension RuleError {
  /// Which byte of a rule's value it is about.
  fileprivate func offset(in value: [UInt8]) -> Int {
    func start(ofPart fits: (ArraySlice<UInt8>, Int) -> Bool) -> Int {
      var index = 0
      for part in value.split(separator: 0x3B) {
        if fits(part, index) { return part.startIndex }
        index += 1
      }
      return 0
    }
    func isNamed(_ name: String) -> (ArraySlice<UInt8>, Int) -> Bool {
      { part, _ in
        let word = part.prefix { $0 != 0x3D }
        return String(decoding: word, as: UTF8.self).uppercased().hasSuffix(name)
      }
    }
    return switch self {
    case .missingFrequency: 0
    case .unknownFrequency: start(ofPart: isNamed("FREQ"))
    case .notPart(let index): start { $1 == index }
    case .badValue(let part): start(ofPart: isNamed(part))
    case .unsupportedCalendar: start(ofPart: isNamed("RSCALE"))
    case .unsupportedSkip: start(ofPart: isNamed("SKIP"))
    }
  }
}
