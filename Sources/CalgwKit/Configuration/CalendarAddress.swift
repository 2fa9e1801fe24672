import CalDAVStorage
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

  /// The one calendar of a pair with the account is on another server than the account's URL.
  func isElsewhere(_ pair: PairConfiguration) -> Bool {
    guard let text = pair.selection.address, let place = try? WebURL(absolute: url),
      let address = try? WebURL(absolute: address(of: text))
    else { return false }
    return address.origin != place.origin
  }
}

/// Refuses an address of the one calendar that no request can be sent to, or that may not have the
/// account's credentials.
func checkCalendar(
  of pair: PairConfiguration, _ accounts: [AccountConfiguration], _ reader: TableReader
) throws(ConfigurationError) {
  guard let text = pair.selection.address, case .account(let name) = pair.remote,
    let account = accounts.first(where: { $0.name == name })
  else { return }
  let address: WebURL
  do throws(HrefError) {
    address = try WebURL(absolute: account.address(of: text))
  } catch {
    throw reader.error(
      "calendar", "the address cannot be used: \(error.reason)",
      hint: "write a path on the account's server, or https://HOST/PATH without a user name")
  }
  guard let url = try? WebURL(absolute: account.url), address.origin != url.origin else { return }
  try checkServer(of: address, beside: url, account, reader)
}

/// Whoever mistypes a host, or takes an address from elsewhere, would hand his password to whoever
/// is there: what a server may name of its own accord, a person may, and the rest has to be written
/// out.
private func checkServer(
  of address: WebURL, beside url: WebURL, _ account: AccountConfiguration, _ reader: TableReader
) throws(ConfigurationError) {
  let hosts = TrustedHosts(account.trustedHosts)
  if let line = hosts.refusal(of: address) {
    throw reader.error("calendar", DAVClient.refused(by: line), hint: DAVClient.allowing(line))
  }
  // A redirect from http to the same server by TLS is followed, too.
  let isUpgrade = url.scheme == .http && url.port == 80
  let places = isUpgrade ? [url, url.byTLS] : [url]
  guard account.showsCredentials, !places.contains(where: { hosts.allow(address, namedBy: $0) })
  else { return }
  throw reader.error(
    "calendar",
    "\(address.origin) is not the server of account \(account.name), \(url.origin), and would get"
      + " its credentials",
    hint: "write a path on the account's server; or, if that server belongs to your provider, "
      + CalDAVAccount.vouching(for: [address.trustedName]))
}

extension AccountConfiguration {
  /// A server that is asked may get to know something secret. Through a Unix socket all goes to one
  /// place, whatever server an address names.
  fileprivate var showsCredentials: Bool {
    if case .unixSocket = proxy { return false }
    return password != nil || token != nil || oauth != nil || clientCertificate != nil
  }
}

extension WebURL {
  fileprivate var byTLS: WebURL {
    WebURL(
      scheme: .https, host: host, port: Scheme.https.defaultPort, path: path, query: query)
  }
}
