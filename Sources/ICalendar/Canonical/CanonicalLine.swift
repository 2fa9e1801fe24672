/// The canonical form of one content line.
enum CanonicalLine {
  /// Marks what is kept as it is because it cannot be read; no name and no separator looks so.
  static let oddMark: UInt8 = 0x3F

  /// What a line is part of, as far as that says which lines count.
  struct Context {
    var isCalendar: Bool

    init(_ component: Component) { isCalendar = component.isNamed("VCALENDAR") }
  }

  /// Appends a line with a line feed; nothing if the line does not count.
  static func append(
    _ line: LineRecord, of storage: TreeStorage, in context: Context, to output: inout [UInt8]
  ) {
    storage.withContent(of: line) { content in
      guard line.kind == .property else {
        output.append(oddMark)
        output.append(contentsOf: content)
        output.append(ASCII.lineFeed)
        return
      }
      let name = content.part(0, Int(line.nameEnd))
      let parameters = content.part(Int(line.nameEnd), Int(line.colon))
      let value = content.part(Int(line.colon) + 1, content.count).withoutTrailingBlanks
      guard counts(name, parameters, value, in: context) else { return }
      output.append(uppercased: name)
      if parameters.isEmpty || appendParameters(parameters, of: name, to: &output) {
        output.append(ASCII.colon)
        appendValue(value, of: name, parameters, to: &output)
      } else {
        output.append(oddMark)
        output.append(contentsOf: content.part(Int(line.nameEnd), content.count))
      }
      output.append(ASCII.lineFeed)
    }
  }

  /// PRODID and DTSTAMP say who wrote the text and when, not what it says; GREGORIAN is the
  /// default of CALSCALE (RFC 5545 §3.7.1), and 2.0 the VERSION of every text that names none: a
  /// vCalendar 1.0 has to name its own.
  private static func counts(
    _ name: UnsafeBufferPointer<UInt8>, _ parameters: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>, in context: Context
  ) -> Bool {
    let isPlain = context.isCalendar && parameters.isEmpty
    return switch name.count {
    case 6: !(context.isCalendar && sameName(name, "PRODID"))
    case 7:
      !sameName(name, "DTSTAMP")
        && !(isPlain && sameName(name, "VERSION") && sameName(value, "2.0"))
    case 8: !(isPlain && sameName(name, "CALSCALE") && sameName(value, "GREGORIAN"))
    default: true
    }
  }

  /// Appends parameters sorted by name, every value in quotes. Gives false, having appended
  /// nothing, where one of them is not built as RFC 5545 §3.2 wants it.
  private static func appendParameters(
    _ text: UnsafeBufferPointer<UInt8>, of property: UnsafeBufferPointer<UInt8>,
    to output: inout [UInt8]
  ) -> Bool {
    var ranges = ParameterScanner.scan(text)
    for range in ranges where !isWellBuilt(range, in: text) { return false }
    ParameterScanner.sortByName(&ranges, in: text)
    for range in ranges {
      let name = text.part(range.start, range.nameEnd)
      let values = text.part(range.nameEnd + 1, range.end)
      if sameName(name, "VALUE"),
        ValueType.isDefault(ParameterScanner.unquoted(values), of: property)
      {
        continue
      }
      output.append(ASCII.semicolon)
      output.append(uppercased: name)
      output.append(ASCII.equals)
      appendQuoted(values, to: &output)
    }
    return true
  }

  private static func isWellBuilt(
    _ range: ParameterScanner.Range, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let name = text.part(range.start, range.nameEnd)
    guard range.nameEnd < range.end, !name.isEmpty, name.allSatisfy(\.isNameByte) else {
      return false
    }
    let values = text.part(range.nameEnd + 1, range.end)
    guard values.contains(ASCII.quote) else { return true }
    return ParameterScanner.values(values).allSatisfy {
      !ParameterScanner.unquoted($0).contains(ASCII.quote)
    }
  }

  private static func appendQuoted(
    _ values: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) {
    let isPlain = !values.contains { $0 == ASCII.quote || $0 == ASCII.comma }
    for (index, value) in (isPlain ? [values] : ParameterScanner.values(values)).enumerated() {
      if index > 0 { output.append(ASCII.comma) }
      output.append(ASCII.quote)
      output.append(contentsOf: ParameterScanner.unquoted(value))
      output.append(ASCII.quote)
    }
  }

  private static func appendValue(
    _ value: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>,
    _ parameters: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) {
    let isDone =
      switch name.count {
      case 5 where sameName(name, "RRULE"), 6 where sameName(name, "EXRULE"):
        RulePart.append(value, to: &output)
      case 7 where sameName(name, "TRIGGER"), 8 where sameName(name, "DURATION"):
        appendLength(value, to: &output)
      case 8 where sameName(name, "ATTENDEE"), 9 where sameName(name, "ORGANIZER"):
        appendAddress(value, to: &output)
      default: false
      }
    if isDone { return }
    let start = output.count
    output.append(contentsOf: value)
    if hasCapitalBreak(value), ValueType.isText(name, parameters) {
      lowerBreaks(in: &output, from: start)
    }
  }

  /// A line break is written `\N` somewhere, which is the same as `\n` (RFC 5545 §3.3.11).
  private static func hasCapitalBreak(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = value.firstIndex(of: ASCII.backslash) else { return false }
    return zip(value[first...], value[first...].dropFirst()).contains {
      $0 == ASCII.backslash && $1 == capitalN
    }
  }

  private static func lowerBreaks(in text: inout [UInt8], from start: Int) {
    var isEscaped = false
    for index in start..<text.count {
      if isEscaped, text[index] == capitalN { text[index] = UInt8(ascii: "n") }
      isEscaped = !isEscaped && text[index] == ASCII.backslash
    }
  }

  private static let capitalN = UInt8(ascii: "N")

  /// Appends a duration as days and seconds: sixty minutes are an hour (RFC 5545 §3.3.6). Gives
  /// false, having appended nothing, for what is none, or none as it should be.
  private static func appendLength(
    _ value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) -> Bool {
    var notes: [ValueNote] = []
    guard let length = try? CivilDuration.read(value, notes: &notes), notes.isEmpty,
      length.isWithinLimits
    else { return false }
    output.append(contentsOf: "P\(length.days)D\(length.seconds)S".utf8)
    return true
  }

  /// Appends an address with its scheme in lower case (RFC 3986 §3.1). Gives false, having appended
  /// nothing, where it has none.
  private static func appendAddress(
    _ value: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]
  ) -> Bool {
    guard let colon = value.firstIndex(of: ASCII.colon) else { return false }
    for byte in value[..<colon] {
      output.append((byte &- 0x41) < 26 ? byte | 0x20 : byte)
    }
    output.append(contentsOf: value[colon...])
    return true
  }
}

/// A part of a recurrence rule, as `FREQ=DAILY` (RFC 5545 §3.3.10).
private enum RulePart {
  /// Appends the parts of a rule in the order of their names, in upper case. Gives false, having
  /// appended nothing, if it is not built of such parts.
  static func append(_ rule: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) -> Bool {
    var parts: [ParameterScanner.Range] = []
    var start = 0
    while start <= rule.count {
      let end = rule[start...].firstIndex(of: ASCII.semicolon) ?? rule.count
      guard let equals = rule[start..<end].firstIndex(of: ASCII.equals) else { return false }
      parts.append(ParameterScanner.Range(start: start, nameEnd: equals, end: end))
      start = end + 1
    }
    ParameterScanner.sortByName(&parts, in: rule)
    for (index, part) in parts.enumerated() {
      if index > 0 { output.append(ASCII.semicolon) }
      let name = rule.part(part.start, part.nameEnd)
      output.append(uppercased: name)
      let value = rule.part(part.nameEnd, part.end)
      if hasKeywords(name) {
        output.append(uppercased: value)
      } else {
        output.append(contentsOf: value)
      }
    }
    return true
  }

  /// The value is made of numbers, dates and keywords, in which case does not count.
  private static func hasKeywords(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    keywords.contains { sameName(name, $0) }
  }

  private static let keywords: [StaticString] = [
    "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
  ]
}
