import ICalendar

/// The value of an RRULE as it is written: parts can be set without a change of the others.
struct RuleText {
  private struct Part {
    var name: String
    var bytes: [UInt8]
  }

  private var parts: [Part] = []

  init(_ value: [UInt8]) {
    for bytes in value.split(separator: UInt8(ascii: ";")) {
      let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
      let name = String(decoding: bytes[..<end].filter { $0 > 0x20 }, as: UTF8.self)
      parts.append(Part(name: name.uppercased(), bytes: Array(bytes)))
    }
  }

  var value: [UInt8] { Array(parts.map(\.bytes).joined(separator: [UInt8(ascii: ";")])) }

  /// Sets a part in its place, or adds it as the last one.
  mutating func set(_ name: String, _ value: String) {
    let part = Part(name: name, bytes: Array("\(name)=\(value)".utf8))
    guard let first = parts.firstIndex(where: { $0.name == name }) else {
      parts.append(part)
      return
    }
    parts[first] = part
    parts = parts.enumerated().filter { $0.offset <= first || $0.element.name != name }
      .map(\.element)
  }

  mutating func remove(_ name: String) { parts.removeAll { $0.name == name } }

  /// Writes the parts in which one rule differs from another.
  mutating func change(from old: RecurrenceRule, to new: RecurrenceRule) {
    let lists: [(String, KeyPath<RecurrenceRule, [Int]>)] = [
      ("BYSECOND", \.bySecond), ("BYMINUTE", \.byMinute), ("BYHOUR", \.byHour),
      ("BYMONTHDAY", \.byMonthDay), ("BYYEARDAY", \.byYearDay), ("BYWEEKNO", \.byWeekNumber),
      ("BYMONTH", \.byMonth), ("BYSETPOS", \.bySetPosition),
    ]
    for (name, list) in lists where old[keyPath: list] != new[keyPath: list] {
      setList(name, new[keyPath: list].map { String($0) })
    }
    if old.byDay != new.byDay { setList("BYDAY", new.byDay.map(\.description)) }
    if old.weekStart != new.weekStart { setList("WKST", new.weekStart.map { [$0.code] } ?? []) }
    if old.until != new.until { setList("UNTIL", new.until.map { [$0.value] } ?? []) }
    if old.count != new.count { setList("COUNT", new.count.map { [String($0)] } ?? []) }
  }

  private mutating func setList(_ name: String, _ values: [String]) {
    if values.isEmpty { remove(name) } else { set(name, values.joined(separator: ",")) }
  }
}
