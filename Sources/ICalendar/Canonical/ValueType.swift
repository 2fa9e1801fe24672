/// The value types that properties have without a VALUE parameter (RFC 5545 §3.7, §3.8; RFC 7986
/// §5; RFC 9074 §6).
enum ValueType {
  /// Whether a VALUE parameter only says what holds without it.
  static func isDefault(
    _ type: UnsafeBufferPointer<UInt8>, of property: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    standard(of: property).map { sameName(type, $0) } ?? false
  }

  /// Whether the value of a property is a TEXT (RFC 5545 §3.3.11), as far as that is known.
  static func isText(
    _ property: UnsafeBufferPointer<UInt8>, _ parameters: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for range in ParameterScanner.scan(parameters)
    where sameName(parameters.part(range.start, range.nameEnd), "VALUE") {
      let type = parameters.part(min(range.nameEnd + 1, range.end), range.end)
      return sameName(ParameterScanner.unquoted(type), "TEXT")
    }
    return standard(of: property) == "TEXT"
  }

  private static func standard(of property: UnsafeBufferPointer<UInt8>) -> String? {
    let name = String(decoding: property.lazy.map(\.uppercased), as: UTF8.self)
    // RFC 5545 §3.8.8.2: the default of a non-standard property is TEXT.
    return defaults[name] ?? (name.hasPrefix("X-") ? "TEXT" : nil)
  }

  private static let defaults: [String: String] = {
    let byType: KeyValuePairs<String, [String]> = [
      "DATE-TIME": [
        "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "EXDATE", "RDATE", "COMPLETED", "CREATED",
        "DTSTAMP", "LAST-MODIFIED", "ACKNOWLEDGED",
      ],
      "DURATION": ["DURATION", "TRIGGER"],
      "TEXT": [
        "CALSCALE", "METHOD", "PRODID", "VERSION", "CATEGORIES", "CLASS", "COMMENT", "DESCRIPTION",
        "LOCATION", "RESOURCES", "STATUS", "SUMMARY", "TRANSP", "TZID", "TZNAME", "CONTACT",
        "RELATED-TO", "UID", "ACTION", "REQUEST-STATUS", "NAME", "COLOR", "PROXIMITY",
      ],
      "URI": ["ATTACH", "URL", "TZURL"],
      "CAL-ADDRESS": ["ATTENDEE", "ORGANIZER"],
      "RECUR": ["RRULE", "EXRULE"],
      "INTEGER": ["SEQUENCE", "PRIORITY", "PERCENT-COMPLETE", "REPEAT"],
      "UTC-OFFSET": ["TZOFFSETFROM", "TZOFFSETTO"],
      "PERIOD": ["FREEBUSY"],
      "FLOAT": ["GEO"],
    ]
    var defaults: [String: String] = [:]
    for (type, names) in byType {
      for name in names { defaults[name] = type }
    }
    return defaults
  }()
}
