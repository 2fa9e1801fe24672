import CalDAVStorage
import WebDAV

/// Finds an account from an e-mail address, or a URL that names no more than a domain: from one
/// server and one user name to the next.
public struct AccountSearch: Sendable {
  /// What was found, and how.
  public struct Found: Sendable {
    public var url: String
    public var username: String
    public var calendars: [FoundCalendar]
  }

  let domain: ServiceDomain
  public var resolver: ServiceResolver
  /// The names to try; the address gives two.
  public var usernames: [String]
  /// Servers of other domains that may have the password, whoever names them.
  var trustedHosts: TrustedHosts
  /// A URL of the domain that led to no calendars.
  private var given: (url: String, failure: RunFailure)?

  /// From an e-mail address.
  public init(
    _ address: AccountAddress, usernames: [String]? = nil, trustedHosts: [String] = [],
    resolver: ServiceResolver = .live
  ) {
    domain = address.service
    self.usernames = usernames ?? address.usernames
    self.trustedHosts = TrustedHosts(trustedHosts)
    self.resolver = resolver
  }

  /// Goes on from a URL that names a server and nothing on it, where that led to no calendars: its
  /// name servers may know more (RFC 6764 §6). Nil for another URL, where it failed otherwise, and
  /// where nobody signs in.
  public init?(
    besides url: String, after failure: RunFailure, username: String?, trustedHosts: [String] = [],
    resolver: ServiceResolver = .live
  ) {
    guard let username, failure.leavesOtherPlaces, let domain = ServiceDomain(ofServerAt: url)
    else { return nil }
    self.domain = domain
    usernames = [username]
    self.trustedHosts = TrustedHosts(trustedHosts)
    self.resolver = resolver
    given = (url, failure)
  }

  /// The domain's name.
  public var domainName: String { domain.name }

  /// Tries the starting points in order until one leads to calendars.
  ///
  /// - Parameters:
  ///   - agrees: whether a server of another domain that is not trusted yet may have the password;
  ///     nil: nobody can say.
  ///   - attempt: looks for calendars.
  /// - Throws: what a refusal of the password said, else the first failure, that of a URL that was
  ///   given before.
  public func run(
    agrees: ((StartingPoint) -> Bool)?,
    attempt: (_ url: String, _ username: String) async throws(RunFailure) -> FoundAccount
  ) async throws(RunFailure) -> Found {
    var failures: [RunFailure] = []
    let points = await points()
    for point in points {
      if point.isElsewhere, !isTrusted(point) {
        guard let agrees else { throw elsewhere(point) }
        guard agrees(point) else { continue }
      }
      for username in usernames {
        do throws(RunFailure) {
          let account = try await attempt(point.url, username)
          let url = account.noticeOfGuess == nil ? point.url : point.server
          return Found(url: url, username: username, calendars: account.calendars)
        } catch {
          switch error.status {
          case .interrupted, .hungUp, .terminated, .configuration, .tryLater: throw error
          default: failures.append(error)
          }
          // Another name helps where this one was refused, and nowhere else: not where no name was
          // shown, since nobody has vouched for the server.
          guard error.status == .denied, error.otherHosts.isEmpty else { break }
        }
      }
    }
    let refusal = failures.first { $0.status == .denied }
    if refusal == nil, let given { throw given.failure.adding(failures.first, of: domain) }
    guard var failure = refusal ?? failures.first else { throw nothing }
    if given != nil { throw failure }
    let known = commandForProvider(besides: points)
    // Which server it is was guessed from the address.
    if failure.status == .protocolBroken, let known { failure.hint = known }
    if failure.status == .unreachable {
      failure.hint = "check the address, or \(known ?? Self.hint)"
    }
    if failure.status != .denied, points.contains(where: \.isForWantOfAnswer) {
      failure.why = [failure.message, failure.why].filter { !$0.isEmpty }.joined(separator: ": ")
      failure.message =
        "no name server said where \(domain.name) has its calendars, and they are not there"
      failure.hint = "try again later, on another network perhaps; or \(known ?? Self.hint)"
    }
    throw failure
  }

  private func points() async -> [StartingPoint] {
    guard let given else { return await domain.startingPoints(resolver) }
    return await domain.namedPlaces(besides: given.url, resolver)
  }

  private func isTrusted(_ point: StartingPoint) -> Bool {
    (try? WebURL(absolute: point.url)).map(trustedHosts.isNamed) ?? false
  }

  /// What to do where the provider of an address is known and its calendars are at none of the
  /// places that the address gave; nil where nobody knows more.
  private func commandForProvider(besides points: [StartingPoint]) -> String? {
    func origin(_ url: String) -> String? { (try? WebURL(absolute: url))?.origin }
    guard given == nil, let username = usernames.first,
      let url = PasswordAdvice.server(forMailIn: domain.name),
      !points.contains(where: { origin($0.url) == origin(url) })
    else { return nil }
    return "run `\(shellCommand("init", options: [url, "--username", username]))`"
  }

  private static let hint = "give --url; your provider's help names it, often under CalDAV"

  private func elsewhere(_ point: StartingPoint) -> RunFailure {
    RunFailure(
      .denied, code: "denied",
      message: "\(domain.name) says that its calendars are at \(point.host), in another domain",
      place: domain.name, why: given?.failure.message ?? "",
      hint: "if that server belongs to your provider, run this again with --trusted-host "
        + point.host)
  }

  private var nothing: RunFailure {
    RunFailure(
      .unreachable, code: "unreachable",
      message: "\(domain.name) says that it has no calendars", place: domain.name,
      hint: commandForProvider(besides: []) ?? Self.hint)
  }
}

extension RunFailure {
  /// The same with what came of the servers that the domain's name servers named.
  fileprivate func adding(_ other: RunFailure?, of domain: ServiceDomain) -> RunFailure {
    guard let other else { return self }
    var failure = self
    failure.why = [
      why, "nor are they where the name servers of \(domain.name) say (\(other.message))",
    ].filter { !$0.isEmpty }.joined(separator: "; ")
    return failure
  }
}
