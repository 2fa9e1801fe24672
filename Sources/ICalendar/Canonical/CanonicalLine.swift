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
      output.append(contentsOf: name.lazy.map(\.uppercased))
      if parameters.isEmpty || appendParameters(parameters, of: name, to: &output) {
        output.append(ASCII.colon)
        appendValue(value, of: name, to: &output)
      } else {
        output.append(oddMark)
        output.append(contentsOf: content.part(Int(line.nameEnd), content.count))
      }
      output.append(ASCII.lineFeed)
    }
  }

  /// PRODID and DTSTAMP say who wrote the text and when, not what it says; GREGORIAN is the
  /// default of CALSCALE (RFC 5545 §3.7.1).
  private static func counts(
    _ name: UnsafeBufferPointer<UInt8>, _ parameters: UnsafeBufferPointer<UInt8>,
    _ value: UnsafeBufferPointer<UInt8>, in context: Context
  ) -> Bool {
    switch name.count {
    case 6: !(context.isCalendar && sameName(name, "PRODID".utf8))
    case 7: !sameName(name, "DTSTAMP".utf8)
    case 8:
      !(context.isCalendar && parameters.isEmpty && sameName(name, "CALSCALE".utf8)
        && sameName(value, "GREGORIAN".utf8))
    default: true
    }
  }

  /// Appends parameters sorted by name, every value in quotes. Gives false, having appended
  /// nothing, where one of them is not built as RFC 5545 §3.2 wants it.
  private static func appendParameters(
    _ text: UnsafeBufferPointer<UInt8>, of property: UnsafeBufferPointer<UInt8>,
    to output: inout [UInt8]
  ) -> Bool {
    var parameters: [(name: [UInt8], order: Int, text: [UInt8])] = []
    for range in ParameterScanner.scan(text) {
      let name = text.part(range.start, range.nameEnd)
      guard range.nameEnd < range.end, !name.isEmpty, name.allSatisfy(\.isNameByte) else {
        return false
      }
      var written: [UInt8] = []
      for value in ParameterScanner.values(text.part(range.nameEnd + 1, range.end)) {
        let inner = ParameterScanner.unquoted(value)
        guard !inner.contains(ASCII.quote) else { return false }
        written.append(written.isEmpty ? ASCII.equals : ASCII.comma)
        written.append(ASCII.quote)
        written.append(contentsOf: inner)
        written.append(ASCII.quote)
      }
      let upper = name.map(\.uppercased)
      if upper == valueName, ValueType.isDefault(written.dropFirst(2).dropLast(), of: property) {
        continue
      }
      parameters.append((upper, parameters.count, written))
    }
    parameters.sort {
      $0.name == $1.name ? $0.order < $1.order : $0.name.lexicographicallyPrecedes($1.name)
    }
    for parameter in parameters {
      output.append(ASCII.semicolon)
      output += parameter.name
      output += parameter.text
    }
    return true
  }

  private static let valueName = Array("VALUE".utf8)

  private static func appendValue(
    _ value: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>,
    to output: inout [UInt8]
  ) {
    let isRule = name.count == 5 && sameName(name, "RRULE".utf8)
    let isExclusion = name.count == 6 && sameName(name, "EXRULE".utf8)
    if (isRule || isExclusion), let rule = RulePart.sorted(value) {
      output += rule
    } else {
      output.append(contentsOf: value)
    }
  }
}

/// A part of a recurrence rule, as `FREQ=DAILY` (RFC 5545 §3.3.10).
enum RulePart {
  /// The parts of a rule in the order of their names, in upper case. Nil if it is not built of
  /// such parts.
  static func sorted(_ rule: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var parts: [(name: [UInt8], order: Int, value: [UInt8])] = []
    for part in rule.split(separator: ASCII.semicolon, omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: ASCII.equals) else { return nil }
      let name = part[part.startIndex..<equals].map(\.uppercased)
      let value = [UInt8](part[(equals + 1)..<part.endIndex])
      let isKeyword = keywords.contains(name)
      parts.append((name, parts.count, isKeyword ? value.map(\.uppercased) : value))
    }
    parts.sort {
      $0.name == $1.name ? $0.order < $1.order : $0.name.lexicographicallyPrecedes($1.name)
    }
    return [UInt8](
      parts.map { $0.name + [ASCII.equals] + $0.value }
        .joined(separator: [ASCII.semicolon]))
  }

  /// The parts whose values are numbers, dates and keywords, in which case does not count.
  private static let keywords: Set<[UInt8]> = Set(
    [
      "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY",
      "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
    ].map { Array($0.utf8) })
}
