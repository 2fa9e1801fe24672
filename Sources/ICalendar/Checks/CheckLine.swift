extension ContentLine {
  /// What is not as RFC 5545 wants it in a line by itself.
  func findings(named name: String) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    if let place = badParameter { findings.append(CheckFinding(.badParameter, at: place)) }
    let value = value
    guard !value.isEmpty else {
      // A UID without a value is one that is missing.
      if name != "UID" { findings.append(CheckFinding(.emptyValue, at: position)) }
      return findings
    }
    switch name {
    case "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT":
      if let place = Self.badEscape(in: value) {
        findings.append(CheckFinding(.badEscape, at: position(inValue: place)))
      }
    case "DTSTAMP", "CREATED", "LAST-MODIFIED", "COMPLETED":
      guard UTCDateTime(value) == nil else { break }
      // Programs in the wild write days for COMPLETED and odd years for CREATED, and others cope.
      findings.append(
        CheckFinding(
          .badTimestamp, severity: name == "DTSTAMP" ? .error : .warning,
          message: "\(name) is no date-time in UTC", at: position(inValue: 0)))
    case "SEQUENCE", "PRIORITY", "PERCENT-COMPLETE":
      let limit = name == "PRIORITY" ? 9 : name == "SEQUENCE" ? Int(Int32.max) : 100
      let number = Int(String(decoding: value, as: UTF8.self))
      guard number.map({ !(0...limit).contains($0) }) ?? true else { break }
      findings.append(
        CheckFinding(
          .badNumber, severity: name == "SEQUENCE" ? .error : .warning,
          message: "\(name) is no number from 0 to \(limit)", at: position(inValue: 0)))
    case "GEO":
      guard !isTwoNumbers else { break }
      findings.append(
        CheckFinding(
          .badNumber, severity: .warning,
          message: "GEO is not two numbers with a semicolon between them",
          at: position(inValue: 0)))
    default: break
    }
    return findings
  }

  /// The first comma or semicolon without a backslash, or backslash before anything else than
  /// `\`, `;`, `,`, `n` and `N` (RFC 5545 §3.3.11).
  private static func badEscape(in value: [UInt8]) -> Int? {
    var index = 0
    while index < value.count {
      switch value[index] {
      case ASCII.comma, ASCII.semicolon: return index
      case ASCII.backslash:
        let next = index + 1 < value.count ? value[index + 1] : 0
        let isEscape =
          [ASCII.backslash, ASCII.semicolon, ASCII.comma, 0x6E, 0x4E].contains(next)
        guard isEscape else { return index }
        index += 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// It has a parameter that is none, or coordinates that are not two numbers (RFC 5545 §3.2,
  /// §3.8.1.6): no program can make sense of it.
  package var isDamaged: Bool {
    if badParameter != nil { return true }
    return isNamed("GEO") && !isTwoNumbers
  }

  private var isTwoNumbers: Bool {
    let numbers = value.split(separator: ASCII.semicolon, omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { Double(String(decoding: $0, as: UTF8.self))?.isFinite ?? false }
  }

  /// Where the first parameter is that has no name or no value, or a quote inside of its value.
  private var badParameter: TextPosition? {
    let record = record
    guard record.kind == .property, record.colon > record.nameEnd else { return nil }
    let place = storage.withContent(of: record) { content -> Int? in
      let text = content.part(Int(record.nameEnd), Int(record.colon))
      let bad = ParameterScanner.scan(text).first { range in
        let name = text.part(range.start, range.nameEnd)
        guard !name.isEmpty, name.allSatisfy(\.isNameByte), range.nameEnd < range.end else {
          return true
        }
        return ParameterScanner.values(text.part(range.nameEnd + 1, range.end)).contains {
          ParameterScanner.unquoted($0).contains(ASCII.quote)
        }
      }
      return bad.map { Int(record.nameEnd) + $0.start }
    }
    return place.map { position(unfolded: $0) }
  }
}
