import ICalendar
import Recurrence

extension SyntaxTree {
  /// Writes the times of a component where they differ; other lines keep their bytes.
  /// - Parameter place: What a new DTSTART follows.
  mutating func write(
    _ times: OwnTimes, insteadOf old: OwnTimes, in component: Component.ID,
    after place: String = "RECURRENCE-ID"
  ) throws(EditError) {
    let endName = times.kind == .todo ? "DUE" : "DTEND"
    if let start = times.start, start != old.start {
      try setTime("DTSTART", start, in: component, after: place)
    }
    guard times.ending != old.ending else { return }
    switch times.ending {
    case .none:
      for name in [endName, "DURATION"] { try removeAll(name, in: component) }
    case .end(let end):
      try setTime(endName, end, in: component, after: "DTSTART")
      try editing { () throws(EditRefusal) in
        try removeProperties(named: "DURATION", in: component)
      }
    case .duration(let duration):
      let property = Property("DURATION", value: duration.value)
      try setProperty(property, in: component, after: "DTSTART")
      try editing { () throws(EditRefusal) in
        try removeProperties(named: endName, in: component)
      }
    }
  }

  /// Sets a property that has one time; its other parameters stay.
  mutating func setTime(
    _ name: String, _ time: DateTime, in component: Component.ID, after: String
  ) throws(EditError) {
    let old = self[component]?.line(named: name)?.property
    let property = Property(
      name: old?.name ?? Array(name.utf8),
      parameters: time.parameters(keeping: old?.parameters ?? []), value: Array(time.value.utf8))
    try setProperty(property, in: component, after: after)
  }

  /// Sets a property; a new line follows the named one, or else UID, or stands last.
  mutating func setProperty(
    _ property: Property, in component: Component.ID, after: String
  ) throws(EditError) {
    guard let view = self[component] else { throw .brokenText }
    let name = String(decoding: property.name, as: UTF8.self)
    let place = (view.lines(named: after).last ?? view.line(named: "UID"))?.id
    let isThere = view.line(named: name) != nil
    try editing { () throws(EditRefusal) in
      if isThere {
        try set(property, in: component)
      } else {
        try insert(property, in: component, after: place)
      }
    }
  }

  /// Removes all properties of a name.
  mutating func removeAll(_ name: String, in component: Component.ID) throws(EditError) {
    try editing { () throws(EditRefusal) in try removeProperties(named: name, in: component) }
  }
}

extension DateTime {
  /// The parameters of a line with this time: VALUE and TZID as it needs them, the others as they
  /// are. A TZID that says the same keeps its bytes.
  func parameters(keeping old: [Parameter]) -> [Parameter] {
    var parameters = old
    let isDate = isDate
    parameters.removeAll { parameter in
      parameter.isNamed("VALUE") && isDate != parameter.says("DATE")
    }
    if isDate, !parameters.contains(where: { $0.isNamed("VALUE") }) {
      parameters.append(Parameter("VALUE", text: "DATE"))
    }
    let isSame = parameters.first { $0.isNamed("TZID") }.map { $0.zoneName == zone } ?? false
    guard !isSame else { return parameters }
    parameters.removeAll { $0.isNamed("TZID") }
    if let zone { parameters.append(Parameter("TZID", text: zone.text)) }
    return parameters
  }
}

extension Parameter {
  func isNamed(_ name: String) -> Bool { says(name, self.name) }

  fileprivate func says(_ word: String) -> Bool { values.first.map { says(word, $0) } ?? false }

  private func says(_ word: String, _ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).uppercased() == word
  }

  /// A TZID without the blanks that some programs leave behind it.
  fileprivate var zoneName: TimeZoneName? {
    guard let text = texts.first else { return nil }
    let trimmed = text.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
    return trimmed.isEmpty ? nil : TimeZoneName(bytes: Array(trimmed))
  }
}
