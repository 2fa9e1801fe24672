package import WebDAV

/// The servers beside the configured one that an account may live on, and so get its password.
///
/// Over https, hosts of the configured one's own domain are among them without being named: a
/// provider that spreads its accounts over many (iCloud) names them in its answers.
public struct TrustedHosts: Sendable, Hashable {
  /// As a person wrote them: `host`, `host:port`, or `*.domain` for all hosts below it.
  public var names: [String]

  public init(_ names: [String] = []) { self.names = names.map { $0.lowercased() } }

  /// Whether an address that `place` named may be trusted.
  func allow(_ address: WebURL, namedBy place: WebURL) -> Bool {
    if isNamed(address) { return true }
    guard address.scheme == .https, place.scheme == .https else { return false }
    return address.host == place.host
      || Self.domain(of: place.host).map { Self.isBelow($0, address.host) } ?? false
  }

  /// Whether a person named the address's server.
  package func isNamed(_ address: WebURL) -> Bool {
    names.contains { Self.matches($0, address) }
  }

  private static func matches(_ name: String, _ address: WebURL) -> Bool {
    if name.hasPrefix("*.") { return address.host.hasSuffix(name.dropFirst()) }
    return [address.host, "\(address.host):\(address.port)"].contains(name)
  }

  private static func isBelow(_ domain: String, _ host: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }

  /// `icloud.com` of `caldav.icloud.com`. Nil for addresses, and where it would be no domain of
  /// one owner, as `co.uk`: two labels that are both short.
  private static func domain(of host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.first != "[", labels.count > 1, let last = labels.last, Int(last) == nil else {
      return nil
    }
    if labels.count == 2 { return host }
    let parent = labels.dropFirst()
    /// `co`, `com`, `org`, `gov`: what registries of countries call their branches.
    let longestBranch = 3
    let isBranch =
      parent.count == 2 && last.utf8.count == 2
      && (parent.first?.utf8.count ?? 0) <= longestBranch
    return isBranch ? nil : parent.joined(separator: ".")
  }
}
