import ICalendar

/// What lines and components say, whatever the spelling and the order: the case of a scheme, `\N`
/// for `\n`, sixty minutes for an hour, words of a list in another order or in two lines (RFC 5545
/// §3.3), a default written out, a text of no words. Where two have one meaning nobody has edited
/// anything.
enum Meaning {
  /// Of the lines of one name, sorted.
  ///
  /// - Parameter counts: whether a parameter does, by its name in upper case.
  static func of(
    _ group: PropertyGroups.Group?, counting counts: ([UInt8]) -> Bool = { _ in true }
  ) -> [[UInt8]] {
    FormedLine.all(group).filter { !$0.line.saysNothing }.flatMap { elements($0, counts) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of one line.
  static func of(
    _ line: FormedLine, counting counts: ([UInt8]) -> Bool = { _ in true }
  ) -> [[UInt8]] {
    elements(line, counts).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of the lines of one name, by their values alone: a parameter that says of a text in which
  /// language it is, or of an address whose it is, makes no other one of it.
  static func values(of group: PropertyGroups.Group?) -> [[UInt8]] {
    FormedLine.all(group).filter { !$0.line.saysNothing }.map(value)
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of one line, by its value alone; where it cannot be read, all of it.
  static func value(of formed: FormedLine) -> [UInt8] {
    if formed.line.isDamaged { return formed.form }
    let all = elements(formed, isOfValue)
    return Array(all.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x0A]))
  }

  /// A parameter without which the value would say something else.
  private static func isOfValue(_ parameter: [UInt8]) -> Bool {
    ["VALUE", "ENCODING", "TZID", "RELTYPE"].contains { parameter.elementsEqual($0.utf8) }
  }

  /// Of a component: its properties by name and what is in it, without the fields that only say
  /// that it was touched, and alarms that do nothing.
  ///
  /// - Parameters:
  ///   - isLeftOut: by the name of a property in upper case.
  ///   - counts: whether a parameter does, by its name in upper case.
  static func of(
    _ component: Component, without isLeftOut: ([UInt8]) -> Bool = PropertyRule.isNoise,
    counting counts: ([UInt8]) -> Bool = { _ in true }
  ) -> [[UInt8]] {
    let groups = PropertyGroups(of: component)
    var all = groups.names.filter { !isLeftOut($0) }.flatMap { of(groups[$0], counting: counts) }
    for child in component.components where !AlarmMatch.doesNothing(child) {
      let said = of(child, without: isLeftOut, counting: counts)
      all.append(Array(said.joined(separator: [0x0A])))
    }
    all.append(ComponentIdentity(component).kind)
    return all.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// - Parameter counts: whether a parameter does, by its name in upper case.
  private static func elements(
    _ formed: FormedLine, _ counts: ([UInt8]) -> Bool = { _ in true }
  ) -> [[UInt8]] {
    let name = String(decoding: formed.line.name, as: UTF8.self).uppercased()
    let value = formed.line.value
    if name == "ATTENDEE" || name == "ORGANIZER" {
      return [withPlainAddress(withoutDefaults(formed.form, counts))]
    }
    guard formed.form.suffix(value.count).elementsEqual(value) else {
      // The canonical form has another value: a length.
      return [withoutDefaults(formed.form, counts)]
    }
    let head = withoutDefaults(Array(formed.form.dropLast(value.count)), counts)
    switch name {
    case "CATEGORIES", "RESOURCES":
      return ListElement.values(of: formed.line).map { head + withPlainLineEnds($0) }
    case "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT":
      return [head + withPlainLineEnds(value)]
    case "DURATION", "TRIGGER": return [head + (length(value) ?? value)]
    case "STATUS", "CLASS", "TRANSP", "ACTION": return [head + value.uppercased]
    default: return [head + value]
    }
  }

  /// A canonical line without parameters that say the default, and keywords in one case (RFC 5545
  /// §3.2).
  private static func withoutDefaults(
    _ form: [UInt8], _ counts: ([UInt8]) -> Bool
  ) -> [UInt8] {
    guard form.contains(0x3B) else { return form }
    var result: [UInt8] = []
    var part: [UInt8] = []
    var isQuoted = false
    for (index, byte) in form.enumerated() {
      if byte == 0x22 { isQuoted.toggle() }
      if !isQuoted, byte == 0x3B || byte == 0x3A {
        result += plain(part, counts)
        part = []
        if byte == 0x3A { return result + form[index...] }
      }
      part.append(byte)
    }
    return form
  }

  /// A parameter as canonical lines have it; nothing where it says the default, or does not count.
  private static func plain(
    _ parameter: [UInt8], _ counts: ([UInt8]) -> Bool
  ) -> [UInt8] {
    guard parameter.first == 0x3B, let equals = parameter.firstIndex(of: 0x3D) else {
      return parameter
    }
    if !counts(Array(parameter[1..<equals])) { return [] }
    if isOfAddresses(parameter[1..<equals]) {
      return parameter[...equals] + CalendarAddress.key(of: parameter[(equals + 1)...])
    }
    guard let ordinary = keywords[String(decoding: parameter[..<equals], as: UTF8.self)] else {
      return parameter
    }
    let keyword = parameter.uppercased
    return keyword[(equals + 1)...].elementsEqual("\"\(ordinary)\"".utf8) ? [] : keyword
  }

  /// Whether the values of a parameter are addresses of people, by its name in upper case.
  static func isOfAddresses(_ name: some Sequence<UInt8>) -> Bool {
    ["SENT-BY", "DELEGATED-TO", "DELEGATED-FROM", "MEMBER"].contains { name.elementsEqual($0.utf8) }
  }

  /// Whether values of a parameter, by its name in upper case, are those that hold without it.
  static func isDefault(_ name: [UInt8], _ values: [[UInt8]]) -> Bool {
    guard let ordinary = keywords[";" + String(decoding: name, as: UTF8.self)] else { return false }
    return values.map(\.uppercased) == [Array(ordinary.utf8)]
  }

  /// The parameters whose values are keywords, with the one that holds where there is none.
  private static let keywords = [
    ";CUTYPE": "INDIVIDUAL", ";PARTSTAT": "NEEDS-ACTION", ";RELATED": "START",
    ";RELTYPE": "PARENT", ";ROLE": "REQ-PARTICIPANT", ";RSVP": "FALSE",
  ]

  /// A canonical line of somebody with his address in the one spelling by which it is compared.
  private static func withPlainAddress(_ line: [UInt8]) -> [UInt8] {
    var isQuoted = false
    let colon = line.firstIndex { byte in
      if byte == 0x22 { isQuoted.toggle() }
      return byte == 0x3A && !isQuoted
    }
    guard let colon else { return line }
    return line[...colon] + CalendarAddress.key(of: line[(colon + 1)...])
  }

  /// `\N` and `\n` are the same (RFC 5545 §3.3.11).
  private static func withPlainLineEnds(_ value: [UInt8]) -> [UInt8] {
    var result = value
    var isEscaped = false
    for index in result.indices {
      if isEscaped, result[index] == UInt8(ascii: "N") { result[index] = UInt8(ascii: "n") }
      isEscaped = result[index] == 0x5C && !isEscaped
    }
    return result
  }

  /// A duration as days and seconds; nil for what is none.
  private static func length(_ value: [UInt8]) -> [UInt8]? {
    var notes: [ValueNote] = []
    return (try? CivilDuration.read(value, notes: &notes)).map {
      Array("\($0.days) days, \($0.seconds) seconds".utf8)
    }
  }
}
