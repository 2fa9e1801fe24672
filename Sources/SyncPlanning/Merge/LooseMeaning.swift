import ICalendar

/// What both sides say of what neither has said before: where there is no base that would show who
/// respelled what, more counts as one thing than where there is one. Two such things stay, as each
/// side has them.
enum LooseMeaning {
  /// Of the lines of one name: whatever is escaped in them, and where a list of words is cut.
  static func of(_ group: PropertyGroups.Group?) -> [[UInt8]] {
    FormedLine.all(group).flatMap { formed in
      let name = String(decoding: formed.line.name, as: UTF8.self).uppercased()
      let isSomebody = name == "ATTENDEE" || name == "ORGANIZER"
      return isSomebody ? Meaning.of(formed) : LooseText.all(in: formed)
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of an alarm: what it does, when and where. A UID (RFC 9074 §4), when it was seen last, and
  /// most extensions come from programs, and a day before is 24 hours before.
  static func of(alarm: Component, without leftOut: [[UInt8]] = []) -> [[UInt8]] {
    let all = alarm.components.map { canonicalForm(of: $0) }
    let said = said(by: alarm) { !isPrograms($0) && !leftOut.contains($0) }
    return (all + said).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of an alarm: what it says by properties of these names.
  static func of(alarm: Component, only names: [[UInt8]]) -> [[UInt8]] {
    said(by: alarm, where: names.contains).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func said(
    by alarm: Component, where isAsked: ([UInt8]) -> Bool
  ) -> [[UInt8]] {
    alarm.lines.compactMap { line in
      let name = line.name.uppercased
      return !name.isEmpty && isAsked(name) ? name + [0x3A] + essence(of: line, name) : nil
    }
  }

  private static func essence(of line: ContentLine, _ name: [UInt8]) -> [UInt8] {
    switch String(decoding: name, as: UTF8.self) {
    case "ATTENDEE": return line.attendeeAddress
    case "ACTION": return Array(String(decoding: line.value, as: UTF8.self).uppercased().utf8)
    case "TRIGGER", "DURATION":
      let related = line.parameter(named: "RELATED")?.values.first ?? []
      let isEnd = String(decoding: related, as: UTF8.self).uppercased() == "END"
      return (isEnd ? [0x45] : []) + (seconds(line.value) ?? line.value)
    default: return LooseText.plain(line.value)
    }
  }

  /// No person sees a property of an alarm: programs write it for themselves.
  static func isPrograms(_ name: [UInt8]) -> Bool {
    if places.contains(where: { name.elementsEqual($0.utf8) }) { return false }
    return name.starts(with: "X-".utf8) || PropertyRule.isNoise(name)
      || ["UID", "ACKNOWLEDGED"].contains { name.elementsEqual($0.utf8) }
  }

  /// Where an alarm goes off, as Apple writes it.
  private static let places = ["X-APPLE-PROXIMITY", "X-APPLE-STRUCTURED-LOCATION"]

  private static func seconds(_ value: [UInt8]) -> [UInt8]? {
    var notes: [ValueNote] = []
    return (try? CivilDuration.read(value, notes: &notes)).map { Array("\($0.length)".utf8) }
  }
}

extension CivilDuration {
  /// In seconds, with days of 24 hours.
  var length: Int { days * 86_400 + seconds }
}
