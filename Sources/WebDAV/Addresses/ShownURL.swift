extension WebURL {
  /// The URL in a message. What a query says may be a secret, as a token is that signs somebody in,
  /// so only that there is one is shown.
  package var shown: String {
    origin + String(decoding: PercentCoding.requestSpelling(path), as: UTF8.self)
      + (query == nil ? "" : ShownQuery.mark)
  }
}

/// The address in a message, as `WebURL.shown` has it.
package func withoutQuery(_ address: String) -> String {
  guard let mark = address.utf8.firstIndex(of: UInt8(ascii: "?")) else { return address }
  return address[..<mark] + ShownQuery.mark
}

private enum ShownQuery {
  /// What stands in place of any.
  static let mark = "?…"
}
