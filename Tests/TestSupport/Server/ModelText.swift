/// What the model server does to iCalendar texts, line by line.
public enum ModelText {
  /// Unfolded lines without line ends.
  static func lines(_ data: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = data[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 10) ?? rest.endIndex
      let raw = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      let line = raw.last == 13 ? raw.dropLast() : raw
      if let first = line.first, first == 32 || first == 9, !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else if !line.isEmpty {
        lines.append(Array(line))
      }
    }
    return lines
  }

  static func uid(_ data: [UInt8]) -> [UInt8] {
    let line = lines(data).first { $0.starts(with: "UID:".utf8) || $0.starts(with: "UID;".utf8) }
    guard let line, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return [] }
    return Array(line[(colon + 1)...])
  }

  /// A text under another UID.
  static func renamed(_ data: [UInt8], to uid: [UInt8]) -> [UInt8] {
    lines(data).flatMap { (name($0) == "UID" ? Array("UID:".utf8) + uid : $0) + [13, 10] }
  }

  static func hasAttendees(_ data: [UInt8]) -> Bool {
    lines(data).contains { name($0) == "ATTENDEE" }
  }

  /// The kinds of components directly in the calendar, without time zones.
  static func components(_ data: [UInt8]) -> [String] {
    lines(data).filter { name($0) == "BEGIN" }.map {
      String(decoding: $0.dropFirst(6), as: UTF8.self)
    }
    .filter { ["VEVENT", "VTODO", "VJOURNAL"].contains($0.uppercased()) }
  }

  /// The day on which the first component begins, as 20260301; nil where it does not say.
  static func startDay(_ data: [UInt8]) -> Int? {
    let kinds = ["BEGIN:VEVENT", "BEGIN:VTODO", "BEGIN:VJOURNAL"].map { Array($0.utf8) }
    let own = lines(data).drop { !kinds.contains($0) }
    guard let start = own.first(where: { name($0) == "DTSTART" }),
      let colon = start.lastIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return Int(String(decoding: start[(colon + 1)...].prefix(8), as: UTF8.self))
  }

  static func isCalendar(_ data: [UInt8]) -> Bool {
    let lines = lines(data)
    return lines.first?.elementsEqual("BEGIN:VCALENDAR".utf8) ?? false
      && lines.last?.elementsEqual("END:VCALENDAR".utf8) ?? false
  }

  static func name(_ line: [UInt8]) -> String {
    let end = line.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
    return String(decoding: line[..<(end ?? line.endIndex)], as: UTF8.self).uppercased()
  }

  /// What a server makes of what it is given.
  static func rewritten(_ data: [UInt8], _ switches: ModelSwitches) -> [UInt8] {
    var acts: Set<ModelAct> = []
    return rewritten(data, switches, &acts)
  }

  /// The same, with what was done to it.
  static func rewritten(
    _ data: [UInt8], _ switches: ModelSwitches, _ acts: inout Set<ModelAct>
  ) -> [UInt8] {
    let isTouched =
      switches.rewritesOrder || switches.dropsExtensions || switches.dropsAttachments
      || switches.addsStamps || switches.addsAlarm || switches.truncatesAt != nil
      || switches.definitions != .kept || switches.addsEmptyTexts || switches.fillsInAttendees
      || switches.isAuthor
    guard isTouched, isCalendar(data) else { return data }
    var lines = lines(data)
    func change(_ act: ModelAct, _ body: (inout [[UInt8]]) -> Void) {
      let before = lines
      body(&lines)
      if lines != before { acts.insert(act) }
    }
    if switches.dropsExtensions {
      change(.extensionsDropped) { lines in
        lines.removeAll { name($0).hasPrefix("X-") || name($0) == "RELATED-TO" }
      }
    }
    if switches.dropsAttachments {
      change(.attachmentsDropped) { lines in lines.removeAll(where: isAttachment) }
    }
    if switches.definitions != .kept {
      change(.definitionsChanged) {
        $0 = withoutDefinitions($0, replaced: switches.definitions == .replaced)
      }
    }
    if switches.fillsInAttendees { change(.attendeesFilledIn) { $0 = $0.map(filledIn) } }
    if switches.isAuthor { change(.authored) { $0 = $0.map(authored) } }
    if let limit = switches.truncatesAt {
      change(.cutOff) { lines in lines = lines.map { Array($0.prefix(limit)) } }
    }
    if switches.rewritesOrder {
      change(.reordered) { lines in
        var rest = lines[...]
        lines = sorted(&rest)
      }
    }
    if switches.addsStamps {
      change(.stamped) { lines in
        lines.removeAll { name($0) == "LAST-MODIFIED" }
        lines = beforeEnds(of: "VEVENT", in: lines, ["LAST-MODIFIED:20260101T000000Z"])
      }
    }
    if switches.addsEmptyTexts, !lines.contains(where: { name($0) == "DESCRIPTION" }) {
      change(.emptyTextAdded) { lines in
        lines = beforeEnds(of: "VEVENT", in: lines, ["DESCRIPTION:"])
      }
    }
    if switches.addsAlarm, !lines.contains(where: { $0.elementsEqual("BEGIN:VALARM".utf8) }) {
      change(.alarmAdded) { lines in
        lines = beforeEnds(
          of: "VEVENT", in: lines,
          ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT15M", "END:VALARM"])
      }
    }
    return lines.flatMap { folded($0, width: switches.rewritesOrder ? 60 : 75) + [13, 10] }
  }

  /// What a server stores of what any client gives it, byte for byte but for attachments.
  static func kept(_ data: [UInt8], _ switches: ModelSwitches) -> [UInt8] {
    guard switches.dropsAttachments, isCalendar(data) else { return data }
    return lines(data).filter { !isAttachment($0) }.flatMap { $0 + [13, 10] }
  }

  private static func filledIn(_ line: [UInt8]) -> [UInt8] {
    guard name(line) == "ATTENDEE" else { return line }
    let text = String(decoding: line, as: UTF8.self).replacing(";RSVP=TRUE", with: "")
    if text.contains("SCHEDULE-STATUS") { return Array(text.utf8) }
    return Array(text.replacing("ATTENDEE", with: "ATTENDEE;CN=Known;SCHEDULE-STATUS=1.1").utf8)
  }

  private static func authored(_ line: [UInt8]) -> [UInt8] {
    switch name(line) {
    case "PRODID": Array("PRODID:-//model//server//EN".utf8)
    case "DTSTAMP": Array("DTSTAMP:20260102T030405Z".utf8)
    default: line
    }
  }

  private static func isAttachment(_ line: [UInt8]) -> Bool { name(line) == "ATTACH" }

  /// A definition of a zone that any item of January 2026 can do with: no line is longer than 32
  /// bytes, and it begins with the last summer time before.
  public static func serversDefinition(of zone: String) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(zone)", "X-LIC-LOCATION:\(zone)", "BEGIN:STANDARD",
      "DTSTART:20251026T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD",
      "END:VTIMEZONE",
    ]
  }

  /// The zones whose offsets are those of the definition.
  private static let knownZones = ["CET", "Europe/Vienna"]

  private static func withoutDefinitions(_ lines: [[UInt8]], replaced: Bool) -> [[UInt8]] {
    var output: [[UInt8]] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard line.elementsEqual("BEGIN:VTIMEZONE".utf8),
        let end = rest.firstIndex(where: { $0.elementsEqual("END:VTIMEZONE".utf8) })
      else {
        output.append(line)
        continue
      }
      let definition = rest[...end]
      rest = rest[(end + 1)...]
      let zone = definition.first { name($0) == "TZID" }.map {
        String(decoding: $0.dropFirst(5), as: UTF8.self)
      }
      if !replaced { continue }
      if let zone, knownZones.contains(zone) {
        output += serversDefinition(of: zone).map { Array($0.utf8) }
      } else {
        output += [line] + definition
      }
    }
    return output
  }

  /// Each event of a calendar as a calendar of its own, in order.
  static func split(_ data: [UInt8]) -> [[UInt8]] {
    let lines = lines(data)
    let starts = lines.indices.filter { lines[$0].elementsEqual("BEGIN:VEVENT".utf8) }
    guard let first = starts.first, let last = lines.last else { return [data] }
    let ends = starts.dropFirst() + [lines.count - 1]
    return zip(starts, ends).map { start, end in
      (lines[..<first] + lines[start..<end] + [last]).flatMap { $0 + [13, 10] }
    }
  }

  /// Sorts the lines of each component by name, those of one name in their order.
  private static func sorted(_ rest: inout ArraySlice<[UInt8]>) -> [[UInt8]] {
    var own: [[UInt8]] = []
    var nested: [[UInt8]] = []
    var end: [UInt8]?
    while let line = rest.popFirst() {
      if name(line) == "BEGIN" {
        nested += [line] + sorted(&rest)
      } else if name(line) == "END" {
        end = line
        break
      } else {
        own.append(line)
      }
    }
    let order = own.enumerated().sorted {
      (name($0.element), $0.offset) < (name($1.element), $1.offset)
    }
    return order.map(\.element) + nested + (end.map { [$0] } ?? [])
  }

  private static func beforeEnds(
    of component: String, in lines: [[UInt8]], _ added: [String]
  ) -> [[UInt8]] {
    lines.flatMap { line in
      line.elementsEqual("END:\(component)".utf8) ? added.map { Array($0.utf8) } + [line] : [line]
    }
  }

  private static func folded(_ line: [UInt8], width: Int) -> [UInt8] {
    var output: [UInt8] = []
    var used = 0
    for byte in line {
      // Never within a character.
      if used >= width, byte & 0xC0 != 0x80 {
        output += [13, 10, 32]
        used = 1
      }
      output.append(byte)
      used += 1
    }
    return output
  }
}
