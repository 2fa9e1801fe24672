extension ContentLine {
  /// It says in words what holds without it: the default of CLASS, TRANSP or PRIORITY (RFC 5545
  /// §3.8.1.3, §3.8.2.7, §3.8.1.9). Some servers write these into all that they are given.
  package var saysTheDefault: Bool { parameters.isEmpty && says(Self.defaults) }

  /// A program has filled it in where nobody said anything: a default; an event that takes place, a
  /// to-do of which nothing is done (§3.8.1.11, §3.8.1.8); a text without any. Google, Exchange and
  /// others write these into what they are given.
  package var saysNothing: Bool { saysTheDefault || says(Self.fillings) || isEmptyText }

  /// A text of no words.
  private var isEmptyText: Bool {
    Self.texts.contains(String(decoding: name.map(\.uppercased), as: UTF8.self))
      && value.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private func says(_ values: [String: Set<String>]) -> Bool {
    guard let words = values[String(decoding: name.map(\.uppercased), as: UTF8.self)] else {
      return false
    }
    return words.contains(String(decoding: value.map(\.uppercased), as: UTF8.self))
  }

  private static let defaults: [String: Set<String>] = [
    "CLASS": ["PUBLIC"], "TRANSP": ["OPAQUE"], "PRIORITY": ["0"],
  ]
  /// No two kinds of components share one of these values.
  private static let fillings: [String: Set<String>] = [
    "STATUS": ["CONFIRMED", "NEEDS-ACTION"], "PERCENT-COMPLETE": ["0"],
  ]
  private static let texts: Set<String> = [
    "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CONTACT", "URL", "CATEGORIES", "RESOURCES",
  ]
}
