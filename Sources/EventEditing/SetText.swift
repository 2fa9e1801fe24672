import ICalendar

/// A change as it is given on a command line, `NAME;PARAM=x=VALUE`.
struct SetText {
  let given: String
  /// In upper case.
  private(set) var name = ""
  private(set) var parameters: [Parameter] = []
  private(set) var value: [UInt8] = []

  init(_ text: String) throws(EditError) {
    given = text
    var rest = Array(text.utf8)[...]
    guard let end = rest.firstIndex(where: { $0 == Self.equals || $0 == Self.semicolon }),
      end > rest.startIndex, rest[..<end].allSatisfy(Self.isNameByte)
    else { throw .badSetting(text) }
    name = String(decoding: rest[..<end], as: UTF8.self).uppercased()
    rest = rest[end...]
    while rest.first == Self.semicolon { parameters.append(try Self.parameter(&rest, of: text)) }
    guard let first = rest.first, first == Self.equals || first == Self.colon else {
      throw .badSetting(text)
    }
    rest = rest.dropFirst()
    // In `CN=Bo:x=mailto:…` the first colon may be one of the parameter, which would have to stand
    // in quotes then (RFC 5545 §3.2).
    if first == Self.colon, let sign = rest.first(where: { $0 == Self.equals || $0 == Self.colon }),
      sign == Self.equals
    {
      throw .badSetting(text)
    }
    value = Array(rest)
  }

  private static let equals = UInt8(ascii: "=")
  private static let semicolon = UInt8(ascii: ";")
  private static let colon = UInt8(ascii: ":")
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ((byte | 0x20) &- 0x61) < 26 || (byte &- 0x30) < 10 || byte == UInt8(ascii: "-")
  }

  /// Takes `;NAME=value,"value"` from the front, up to what ends it.
  private static func parameter(
    _ rest: inout ArraySlice<UInt8>, of text: String
  ) throws(EditError) -> Parameter {
    rest = rest.dropFirst()
    guard let end = rest.firstIndex(of: equals), end > rest.startIndex,
      rest[..<end].allSatisfy(isNameByte)
    else { throw .badSetting(text) }
    let name = Array(rest[..<end])
    rest = rest[(end + 1)...]
    var values: [[UInt8]] = [[]]
    var isQuoted = false
    while let byte = rest.first {
      if byte == quote {
        isQuoted.toggle()
      } else if !isQuoted, byte == semicolon || byte == equals || byte == colon {
        break
      } else if !isQuoted, byte == comma {
        values.append([])
      } else {
        values[values.count - 1].append(byte)
      }
      rest = rest.dropFirst()
    }
    guard !isQuoted else { throw .badSetting(text) }
    return Parameter(name: name, values: values)
  }
}

extension EventEdit {
  mutating func apply(_ setting: SetText) throws(EditError) {
    if sets(setting.name) { throw .setTwice(setting.name) }
    switch setting.name {
    case "UID", "RECURRENCE-ID", "BEGIN", "END": throw .fixedProperty(setting.name)
    case "DTSTAMP", "LAST-MODIFIED": throw .timeOfEdit(property: setting.name)
    case "DTSTART": start = .exactly(try setting.time())
    case let name where setting.value.isEmpty && ["DTEND", "DUE", "DURATION"].contains(name):
      removesEnd = true
    case "DTEND", "DUE": end = .exactly(try setting.time())
    case "DURATION":
      duration = try CivilDuration(given: String(decoding: setting.value, as: UTF8.self))
    case "RRULE": recurrence = setting.value.isEmpty ? .removed : .rule(setting.value)
    case "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT":
      properties.append(
        PropertyChange(
          setting.name, parameters: setting.givenParameters,
          value: TextValue(bytes: setting.value).escaped))
    default:
      properties.append(
        PropertyChange(
          setting.name, parameters: setting.givenParameters, value: setting.value))
    }
  }
}

extension EventEdit {
  /// It changes that property already.
  private func sets(_ name: String) -> Bool {
    switch name {
    case "DTSTART": start != nil
    case "DTEND", "DUE", "DURATION": end != nil || duration != nil || removesEnd
    case "RRULE": recurrence != nil
    default: properties.contains { $0.name == name }
    }
  }
}

extension SetText {
  /// Nil where none are given, which keeps those that are there.
  fileprivate var givenParameters: [Parameter]? { parameters.isEmpty ? nil : parameters }

  /// The value as a time of a line with these parameters.
  fileprivate func time() throws(EditError) -> DateTime {
    let zone = parameters.first { $0.name.map { $0 & 0xDF } == Array("TZID".utf8) }?.values.first
    var notes: [ValueNote] = []
    do {
      return try DateTime.read(
        value, zone: zone.map { TimeZoneName(bytes: $0) }, notes: &notes)
    } catch {
      throw .badTime(String(decoding: value, as: UTF8.self))
    }
  }
}
