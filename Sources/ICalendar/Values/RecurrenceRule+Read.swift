extension RecurrenceRule {
  /// Reads a value as it stands in a line.
  ///
  /// Read too, and noted: parts in any order, twice, empty or unknown; lower case; blanks; INTERVAL
  /// 0; COUNT together with UNTIL; parts and numbered weekdays that RFC 5545 §3.3.10 forbids for
  /// the frequency. RFC 7529 is read as far as it says nothing new: RSCALE=GREGORIAN, SKIP=OMIT.
  /// - Parameters:
  ///   - value: The bytes after the colon.
  ///   - notes: Gains what is odd but read.
  public static func read(
    _ value: some Collection<UInt8>, notes: inout [ValueNote]
  ) throws(RuleError) -> RecurrenceRule {
    var parts: [RecurrencePart] = []
    for (index, bytes) in Array(value).split(separator: ASCII.semicolon).enumerated() {
      let part = try RecurrencePart(bytes, index: index, notes: &notes)
      if parts.contains(where: { $0.name == part.name }) {
        notes.note(.repeatedPart)
        parts.removeAll { $0.name == part.name }
      }
      parts.append(part)
      // There are 16 names; unknown ones are kept, but a text full of them is no rule.
      guard parts.count <= RecurrencePart.limit else { throw .notPart(index: index) }
    }
    guard let frequency = parts.first(where: { $0.name == "FREQ" }) else {
      throw .missingFrequency
    }
    let word = frequency.value.map(\.uppercased)
    guard let frequency = Frequency.allCases.first(where: { $0.word.utf8.elementsEqual(word) })
    else { throw .unknownFrequency }
    var rule = RecurrenceRule(frequency)
    for part in parts { try rule.set(part, notes: &notes) }
    rule.noteOddities(&notes)
    return rule
  }

  private mutating func set(_ part: RecurrencePart, notes: inout [ValueNote]) throws(RuleError) {
    guard !part.value.isEmpty else {
      notes.note(.emptyPart)
      return
    }
    switch part.name {
    case "FREQ": break
    case "INTERVAL":
      interval = try part.number(in: 0...Self.intervalLimit)
      if interval == 0 {
        interval = 1
        notes.note(.zeroInterval)
      }
    case "COUNT": count = try part.number(in: 1...Int.max / 16)
    case "UNTIL":
      do { until = try DateTime.read(part.value, notes: &notes) } catch { throw part.badValue }
    case "BYSECOND": bySecond = try part.numbers(in: 0...60)
    case "BYMINUTE": byMinute = try part.numbers(in: 0...59)
    case "BYHOUR": byHour = try part.numbers(in: 0...23)
    case "BYDAY": byDay = try part.days(notes: &notes)
    case "BYMONTHDAY": byMonthDay = try part.numbers(in: -31...31, withoutZero: true)
    case "BYYEARDAY": byYearDay = try part.numbers(in: -366...366, withoutZero: true)
    case "BYWEEKNO": byWeekNumber = try part.numbers(in: -53...53, withoutZero: true)
    case "BYMONTH": byMonth = try part.numbers(in: 1...12)
    case "BYSETPOS": bySetPosition = try part.numbers(in: -366...366, withoutZero: true)
    case "WKST":
      guard let day = Weekday(code: part.value) else { throw part.badValue }
      weekStart = day
    case "RSCALE": guard part.isWord("GREGORIAN") else { throw .unsupportedCalendar }
    case "SKIP": guard part.isWord("OMIT") else { throw .unsupportedSkip }
    default:
      notes.note(.unknownPart)
      otherParts.append(OtherPart(name: Array(part.name.utf8), value: part.value))
    }
  }

  private func noteOddities(_ notes: inout [ValueNote]) {
    if count != nil, until != nil { notes.note(.countAndUntil) }
    // The cells of the table in RFC 5545 §3.3.10 that say N/A, and the text above it.
    let isMisplaced =
      (!byWeekNumber.isEmpty && frequency != .yearly)
      || (!byYearDay.isEmpty && [.daily, .weekly, .monthly].contains(frequency))
      || (!byMonthDay.isEmpty && frequency == .weekly)
    if isMisplaced { notes.note(.misplacedPart) }
    if byDay.contains(where: { $0.ordinal != nil }), !allowsOrdinals {
      notes.note(.ignoredOrdinal)
    }
  }

  /// Whether a weekday of BYDAY may have a number: in a month or a year, unless weeks are numbered.
  package var allowsOrdinals: Bool {
    frequency == .monthly || (frequency == .yearly && byWeekNumber.isEmpty)
  }
}

/// A part of a rule, as `BYDAY=MO,TU`.
private struct RecurrencePart {
  /// More parts than RFC 5545 and 7529 have names, with room for others.
  static let limit = 64

  /// In upper case.
  let name: String
  let value: [UInt8]

  init(
    _ bytes: ArraySlice<UInt8>, index: Int, notes: inout [ValueNote]
  ) throws(RuleError) {
    let trimmed = ValueScanner(bytes, notes: &notes).rest
    guard let equals = trimmed.firstIndex(of: ASCII.equals), equals > trimmed.startIndex else {
      throw .notPart(index: index)
    }
    let written = ValueScanner(trimmed[..<equals], notes: &notes).rest
    name = String(decoding: written.map(\.uppercased), as: UTF8.self)
    if !name.utf8.elementsEqual(written) { notes.note(.lowerCase) }
    value = Array(ValueScanner(trimmed[(equals + 1)...], notes: &notes).rest)
  }

  var badValue: RuleError { .badValue(part: String(name.prefix(16))) }

  func isWord(_ word: String) -> Bool { sameName(value, word) }

  func number(in range: ClosedRange<Int>) throws(RuleError) -> Int {
    guard let number = Self.number(value[...], limit: range.upperBound), range.contains(number)
    else { throw badValue }
    return number
  }

  func numbers(
    in range: ClosedRange<Int>, withoutZero: Bool = false
  ) throws(RuleError) -> [Int] {
    var numbers: [Int] = []
    for element in value.split(separator: ASCII.comma) {
      // One more than the range allows, so that a number out of it is not held to its end.
      guard let number = Self.number(element, limit: range.upperBound + 1),
        range.contains(number), number != 0 || !withoutZero
      else { throw badValue }
      numbers.append(number)
    }
    guard !numbers.isEmpty else { throw badValue }
    return numbers
  }

  func days(notes: inout [ValueNote]) throws(RuleError) -> [RecurrenceRule.Day] {
    var days: [RecurrenceRule.Day] = []
    for element in value.split(separator: ASCII.comma) {
      let text = ValueScanner(element, notes: &notes).rest
      guard let weekday = Weekday(code: text.suffix(2)) else { throw badValue }
      if text.suffix(2).contains(where: { $0 != $0.uppercased }) { notes.note(.lowerCase) }
      let digits = text.dropLast(2)
      guard !digits.isEmpty else {
        days.append(.init(nil, weekday))
        continue
      }
      guard let ordinal = Self.number(digits, limit: 54), ordinal != 0, (-53...53).contains(ordinal)
      else { throw badValue }
      days.append(.init(ordinal, weekday))
    }
    guard !days.isEmpty else { throw badValue }
    return days
  }

  /// A number with an optional sign and blanks around it, held to ±`limit`.
  private static func number(_ bytes: ArraySlice<UInt8>, limit: Int) -> Int? {
    var notes: [ValueNote] = []
    var scanner = ValueScanner(bytes, notes: &notes)
    let sign = scanner.takeSign() ?? 1
    guard let number = scanner.takeNumber(upTo: limit), scanner.isAtEnd else { return nil }
    return sign * number
  }
}
