import WebDAV

extension PairConfiguration.Selection {
  /// The path or URL of the one calendar; nil where a name is given, or many are meant.
  var address: String? {
    if case .calendar(let text) = self, isAddress(text) { text } else { nil }
  }
}

extension AccountConfiguration {
  /// The URL of a calendar of which a path on the account's server is given; a URL as it is.
  func address(of calendar: String) -> String {
    if calendar.contains("://") { return calendar }
    guard let scheme = url.firstRange(of: "://") else { return calendar }
    let origin = url[..<(url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex)]
    return origin + (calendar.hasPrefix("/") ? "" : "/") + calendar
  }
}

/// Refuses an address of the one calendar that no request can be sent to.
func checkCalendar(
  of pair: PairConfiguration, _ accounts: [AccountConfiguration], _ reader: TableReader
) throws(ConfigurationError) {
  guard let text = pair.selection.address, case .account(let name) = pair.remote,
    let account = accounts.first(where: { $0.name == name })
  else { return }
  do throws(HrefError) {
    _ = try WebURL(absolute: account.address(of: text))
  } catch {
    throw reader.error(
      "calendar", "the address cannot be used: \(error.reason)",
      hint: "write a path on the account's server, or https://HOST/PATH without a user name")
  }
}
