extension ContentLine {
  /// It says in words what holds without it: the default of CLASS, TRANSP or PRIORITY (RFC 5545
  /// §3.8.1.3, §3.8.2.7, §3.8.1.9). Some servers write these into all that they are given.
  package var saysTheDefault: Bool {
    guard let value = Self.defaults[String(decoding: name.map(\.uppercased), as: UTF8.self)] else {
      return false
    }
    return parameters.isEmpty && self.value.map(\.uppercased).elementsEqual(value.utf8)
  }

  private static let defaults = ["CLASS": "PUBLIC", "TRANSP": "OPAQUE", "PRIORITY": "0"]
}
