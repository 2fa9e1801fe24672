import ICalendar
import Recurrence

/// An element of EXDATE or RDATE.
struct ListedTime {
  /// As it stands in the line.
  let bytes: [UInt8]
  let addition: Schedule.Addition
}

extension ContentLine {
  /// The elements of an EXDATE or RDATE; nil where one cannot be read.
  var listedTimes: [ListedTime]? {
    var notes: [ValueNote] = []
    var times: [ListedTime] = []
    for bytes in timeElements {
      if bytes.contains(UInt8(ascii: "/")) {
        guard let period = try? Period.read(bytes, zone: zoneName, notes: &notes) else {
          return nil
        }
        times.append(ListedTime(bytes: Array(bytes), addition: .period(period)))
      } else {
        guard let time = try? time(bytes, notes: &notes) else { return nil }
        times.append(ListedTime(bytes: Array(bytes), addition: .start(time)))
      }
    }
    return times
  }
}

extension SyntaxTree {
  /// Keeps those elements of a component's EXDATEs or RDATEs that fit. A line of which all stay
  /// keeps its bytes, one of which none stays is removed.
  mutating func filterTimes(
    _ name: String, in component: Component.ID, keep: (Schedule.Addition) -> Bool
  ) throws(EditError) {
    let lines = self[component]?.lines(named: name).map(\.id) ?? []
    for line in lines {
      guard let times = self[line]?.listedTimes, var property = self[line]?.property else {
        throw .brokenText
      }
      let kept = times.filter { keep($0.addition) }
      guard kept.count < times.count else { continue }
      property.value = Array(kept.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))
      try editing { () throws(EditRefusal) in
        if kept.isEmpty { try remove(line) } else { try replace(line, with: property) }
      }
    }
  }

  /// Writes other times into a component's EXDATEs or RDATEs, in the type and zone of each. A line
  /// whose times stay keeps its bytes.
  mutating func mapTimes(
    _ name: String, in component: Component.ID,
    _ change: (Schedule.Addition) throws(EditError) -> Schedule.Addition
  ) throws(EditError) {
    let lines = self[component]?.lines(named: name).map(\.id) ?? []
    for line in lines {
      guard let times = self[line]?.listedTimes, let old = self[line]?.property else {
        throw .brokenText
      }
      var groups: [Property] = []
      var isChanged = false
      for time in times {
        let changed = try change(time.addition)
        isChanged = isChanged || changed != time.addition
        let element = changed == time.addition ? time.bytes : changed.value
        let parameters = changed.parameters(keeping: old.parameters)
        if let last = groups.indices.last, groups[last].parameters == parameters {
          groups[last].value += [UInt8(ascii: ",")] + element
        } else {
          groups.append(Property(name: old.name, parameters: parameters, value: element))
        }
      }
      guard isChanged, let first = groups.first else { continue }
      try editing { () throws(EditRefusal) in
        for group in groups.dropFirst().reversed() {
          try insert(group, in: component, after: line)
        }
        try replace(line, with: first)
      }
    }
  }

  /// Adds an EXDATE, behind those that are there.
  mutating func addExclusion(
    _ time: DateTime, in component: Component.ID
  ) throws(EditError) {
    guard let view = self[component] else { throw .brokenText }
    let place =
      (view.lines(named: "EXDATE").last ?? view.lines(named: "RRULE").last
      ?? view.lines(named: "RDATE").last ?? view.line(named: "DTSTART"))?.id
    let property = Property(
      name: Array("EXDATE".utf8), parameters: time.parameters(keeping: view.zoneParameters),
      value: Array(time.value.utf8))
    try editing { () throws(EditRefusal) in
      try insert(property, in: component, after: place)
    }
  }
}

extension Component {
  /// The TZID of DTSTART, as it is written.
  var zoneParameters: [Parameter] {
    line(named: "DTSTART")?.parameters.filter { $0.isNamed("TZID") } ?? []
  }
}

extension Schedule.Addition {
  /// The value as it is to stand in a line.
  fileprivate var value: [UInt8] {
    switch self {
    case .start(let time): return Array(time.value.utf8)
    case .period(let period):
      let end =
        switch period.extent {
        case .end(let end): end.value
        case .duration(let duration): duration.value
        }
      return Array("\(period.start.value)/\(end)".utf8)
    }
  }

  fileprivate func parameters(keeping old: [Parameter]) -> [Parameter] {
    switch self {
    case .start(let time): return time.parameters(keeping: old.filter { !$0.isPeriod })
    case .period(let period):
      let others = period.start.parameters(keeping: old.filter { !$0.isNamed("VALUE") })
      return [Parameter("VALUE", text: "PERIOD")] + others
    }
  }
}

extension Parameter {
  fileprivate var isPeriod: Bool {
    isNamed("VALUE")
      && values.first.map { String(decoding: $0, as: UTF8.self).uppercased() } == "PERIOD"
  }
}
