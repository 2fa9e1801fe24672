import WebDAV

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

  fileprivate var origin: String? { (try? WebURL(absolute: url))?.origin }
}

/// A domain whose name servers may say where its calendars are (RFC 6764 §3).
package struct ServiceDomain: Sendable, Hashable {
  /// In lower case and ASCII, as name servers know it.
  let name: String

  init(name: String) { self.name = name }

  /// Of a URL that names a server and nothing on it, so that it says no more than the domain does;
  /// nil for any other one, and where the server has no name that a name server would know.
  package init?(ofServerAt url: String) {
    guard let address = try? WebURL(absolute: url), address.scheme == .https, address.query == nil,
      address == address.replacingPath("/"), !address.isLoopback
    else { return nil }
    let labels = address.host.split(separator: ".")
    guard labels.count > 1, labels.last?.first?.isLetter ?? false else { return nil }
    name = address.host
  }

  /// What its name servers say.
  private struct Services {
    var points: [StartingPoint] = []
    var isAnswered = true
    /// The domain says that it has no calendars.
    var areNone = false
  }

  /// Servers that are tried at the most.
  private static let mostServers = 4

  /// Where the domain says that its calendars are, and the domain's own host. Plain http is never
  /// one of them. None: the domain says that it has no calendars.
  package func startingPoints(_ resolver: ServiceResolver) async -> [StartingPoint] {
    let services = await services(resolver)
    if services.areNone { return [] }
    let own = StartingPoint(
      url: "https://\(name)/", host: name, isElsewhere: false,
      isForWantOfAnswer: !services.isAnswered)
    return services.points + (services.points.contains(own) ? [] : [own])
  }

  /// Where the domain says that its calendars are, but for a URL that was looked at before.
  package func namedPlaces(
    besides url: String, _ resolver: ServiceResolver
  ) async -> [StartingPoint] {
    let known = try? WebURL(absolute: url)
    return await services(resolver).points.filter { (try? WebURL(absolute: $0.url)) != known }
  }

  private func services(_ resolver: ServiceResolver) async -> Services {
    let service = "_caldavs._tcp." + name
    guard let records = await resolver.records(service, .location) else {
      return Services(isAnswered: false)
    }
    var servers: [(priority: UInt16, weight: UInt16, port: UInt16, target: String)] = []
    for case .location(let priority, let weight, let port, let target) in records {
      servers.append((priority, weight, port, target.lowercased()))
    }
    // RFC 2782: a single record of the root says that there is no such service.
    if servers.map(\.target) == [""] { return Services(areNone: true) }
    // RFC 2782: by priority; within one, chance would share the load, but a configuration that is
    // written once has to be the same each time.
    servers.sort { ($0.priority, $1.weight, $0.target) < ($1.priority, $0.weight, $1.target) }
    let path = servers.isEmpty ? "/" : await self.path(service, resolver)
    return Services(
      points: servers.filter { !$0.target.isEmpty }.prefix(Self.mostServers).map { server in
        let port = server.port == 443 || server.port == 0 ? "" : ":\(server.port)"
        return StartingPoint(
          url: "https://\(server.target)\(port)\(path)", host: server.target,
          isElsewhere: server.target != name && !server.target.hasSuffix("." + name))
      })
  }

  /// The path of a TXT record (RFC 6764 §4).
  private func path(_ name: String, _ resolver: ServiceResolver) async -> String {
    for case .text(let strings) in await resolver.records(name, .text) ?? [] {
      for string in strings {
        let key = string.prefix(5).map { $0 | 0x20 }
        let path = string.dropFirst(5)
        // `=` has this bit set already.
        guard key.elementsEqual("path=".utf8), path.first == UInt8(ascii: "/"),
          path.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"#`".utf8.contains($0) })
        else { continue }
        return String(decoding: path, as: UTF8.self)
      }
    }
    return "/"
  }
}

extension RunFailure {
  /// It is about a server that has no calendars, or is not there: they may be elsewhere.
  var leavesOtherPlaces: Bool { [.protocolBroken, .unreachable].contains(status) }

  /// Adds where the domain's name servers say that the calendars are to which a URL of the domain
  /// did not lead. Nobody goes there before a person has written it down. Where the server says
  /// that it failed itself, or the connection is not trusted, nobody is asked: its URL may be the
  /// right one, and who came between may as well answer for the name servers.
  ///
  /// - Parameter isAdhoc: the URL stands on the command line, and in no configuration.
  mutating func addPlace(
    besides url: String, _ resolver: ServiceResolver, isAdhoc: Bool = false
  ) async {
    guard leavesOtherPlaces, !sparesAddress, let domain = ServiceDomain(ofServerAt: url)
    else { return }
    let places = await domain.namedPlaces(besides: url, resolver)
    // Where nobody answers, another path of the same server leads no further.
    let silent = status == .unreachable ? (try? WebURL(absolute: url))?.origin : nil
    guard let place = places.first(where: { silent == nil || $0.origin != silent }) else { return }
    let mend = isAdhoc ? "give that as --remote" : "set url to that"
    hint +=
      "; the name servers of \(domain.name) say that its calendars are at \(place.url): \(mend) if"
      + " it is your provider's"
  }

  /// The same of an account that failed in a run or in `doctor`. Nothing is asked past a proxy: who
  /// has one may not want the name to be seen.
  mutating func addPlace(
    of account: AccountConfiguration, _ resolver: ServiceResolver?, isAdhoc: Bool = false
  ) async {
    guard leavesOtherPlaces, let resolver, ServiceDomain(ofServerAt: account.url) != nil,
      let url = try? WebURL(absolute: account.url), account.detour(to: url) == nil
    else { return }
    await addPlace(besides: account.url, resolver, isAdhoc: isAdhoc)
  }
}
