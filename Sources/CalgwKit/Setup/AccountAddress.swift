import CurlTransport
import WebDAV

/// An e-mail address, from which an account can be found (RFC 6764 §6).
public struct AccountAddress: Sendable, Hashable {
  /// As it was written.
  public let text: String
  /// What stands before the last `@`.
  public let user: String
  /// In lower case and ASCII, as name servers know it.
  public let domain: String

  /// Nil where the text is a URL, or no address of a domain that has a name in ASCII.
  public init?(_ text: String) {
    guard !text.contains("://"), let at = text.lastIndex(of: "@") else { return nil }
    user = String(text[..<at])
    let written = text[text.index(after: at)...].lowercased()
    let isPlain = written.utf8.allSatisfy { $0 < 0x80 }
    domain = isPlain ? written : CurlTransport.asciiName(of: written) ?? written
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    // RFC 1035 §2.3.4.
    guard !user.isEmpty, domain.utf8.count <= 253,
      labels.allSatisfy({ 1...63 ~= $0.utf8.count && $0.utf8.allSatisfy(isHostByte) }),
      user.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "/" })
    else { return nil }
    self.text = text
  }

  /// The names to sign in with, the likelier one first (RFC 6764 §7).
  public var usernames: [String] { [text, user] }
}

/// Where to look for an account.
public struct StartingPoint: Sendable, Hashable {
  public var url: String
  public var host: String
  /// The domain's name servers named another domain: whoever changes their answers on the way
  /// would get the password, so a person has to agree.
  public var isElsewhere: Bool
  /// The domain's name servers could not be asked where its calendars are.
  public var isForWantOfAnswer = false

  /// The same without the path that the domain's name servers gave.
  var server: String { (try? WebURL(absolute: url))?.replacingPath("/").text ?? url }
}

extension AccountAddress {
  /// Servers that are tried at the most.
  private static let mostServers = 4

  /// Where the domain says that its calendars are, and the domain's own host. Plain http is never
  /// one of them. None: the domain says that it has no calendars.
  public func startingPoints(_ resolver: ServiceResolver) async -> [StartingPoint] {
    let name = "_caldavs._tcp." + domain
    let services = await resolver.records(name, .location)
    var servers: [(priority: UInt16, weight: UInt16, port: UInt16, target: String)] = []
    for case .location(let priority, let weight, let port, let target) in services ?? [] {
      servers.append((priority, weight, port, target.lowercased()))
    }
    // RFC 2782: a single record of the root says that there is no such service.
    if servers.map(\.target) == [""] { return [] }
    // RFC 2782: by priority; within one, chance would share the load, but a configuration that is
    // written once has to be the same each time.
    servers.sort { ($0.priority, $1.weight, $0.target) < ($1.priority, $0.weight, $1.target) }
    let path = servers.isEmpty ? "/" : await self.path(name, resolver)
    var points = servers.filter { !$0.target.isEmpty }.prefix(Self.mostServers).map { server in
      let port = server.port == 443 || server.port == 0 ? "" : ":\(server.port)"
      return StartingPoint(
        url: "https://\(server.target)\(port)\(path)", host: server.target,
        isElsewhere: server.target != domain && !server.target.hasSuffix("." + domain))
    }
    let own = StartingPoint(
      url: "https://\(domain)/", host: domain, isElsewhere: false,
      isForWantOfAnswer: services == nil)
    if !points.contains(own) { points.append(own) }
    return points
  }

  /// The path of a TXT record (RFC 6764 §4).
  private func path(_ name: String, _ resolver: ServiceResolver) async -> String {
    for case .text(let strings) in await resolver.records(name, .text) ?? [] {
      for string in strings {
        let key = string.prefix(5).map { $0 | 0x20 }
        let path = string.dropFirst(5)
        // `=` has this bit set already.
        guard key.elementsEqual("path=".utf8), path.first == UInt8(ascii: "/"),
          path.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { continue }
        return String(decoding: path, as: UTF8.self)
      }
    }
    return "/"
  }
}
