package import WebDAV

/// The servers beside the configured one that an account may live on, and so get its password.
///
/// Three need not be named: the server that named the address; over https a host below that one, as
/// `caldav.example.org` is below `example.org`; and hosts beside each other of a provider that is
/// known for them, as iCloud. A host beside another may be a stranger's, as below `github.io`. None
/// is what a person refuses.
public struct TrustedHosts: Sendable, Hashable {
  /// As a person wrote them: `host`, `host:port`, or `*.domain` for all hosts below it; with a `!`
  /// before it what is none of his.
  public var names: [String]

  public init(_ names: [String] = []) { self.names = names.map { $0.lowercased() } }

  /// Whether an address that `place` named may be trusted.
  package func allow(_ address: WebURL, namedBy place: WebURL) -> Bool {
    if isNamed(address) || address.origin == place.origin { return true }
    guard !refuse(address), address.scheme == .https, place.scheme == .https,
      address.port == place.port || address.port == address.scheme.defaultPort
    else { return false }
    return Self.isBelow(place.host, address.host)
      || Self.areOfOneProvider(place.host, address.host)
  }

  /// Whether a person named the address's server.
  package func isNamed(_ address: WebURL) -> Bool {
    !refuse(address) && names.contains { Self.matches($0, address) }
  }

  /// Whether a person wants nothing of what the address's server has.
  func refuse(_ address: WebURL) -> Bool { refusal(of: address) != nil }

  /// What a person wrote that says so, as `!host`; nil where nothing does.
  package func refusal(of address: WebURL) -> String? {
    names.first { $0.hasPrefix("!") && Self.matches(String($0.dropFirst()), address) }
  }

  /// Whether a person wrote the address's server out, and not merely a domain that it is in.
  func writeOut(_ address: WebURL) -> Bool {
    names.contains { !$0.hasPrefix("*.") && Self.matches($0, address) }
  }

  private static func matches(_ name: String, _ address: WebURL) -> Bool {
    if name.hasPrefix("*.") { return address.host.hasSuffix(name.dropFirst()) }
    return [address.host, "\(address.host):\(address.port)"].contains(name)
  }

  /// Domains of providers that are known to spread an account over hosts which stand beside each
  /// other. Nobody else has hosts there.
  private static let spreadDomains = ["icloud.com"]

  /// One host of the domain is as good as another.
  private static func areOfOneProvider(_ host: String, _ other: String) -> Bool {
    spreadDomains.contains { domain in
      [host, other].allSatisfy { $0 == domain || isBelow(domain, $0) }
    }
  }

  /// Whoever has a name has the names below it. Nothing is below an address, nor below a name of
  /// one label, which no registry gives to anybody.
  private static func isBelow(_ domain: String, _ host: String) -> Bool {
    let labels = domain.split(separator: ".")
    guard labels.count > 1, labels.last?.first?.isLetter ?? false else { return false }
    return host.hasSuffix("." + domain)
  }
}
