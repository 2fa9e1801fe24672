import CalDAVStorage
import WebDAV

/// Finds an account from an e-mail address: from one server and one user name to the next.
public struct AccountSearch: Sendable {
  /// What was found, and how.
  public struct Found: Sendable {
    public var url: String
    public var username: String
    public var calendars: [FoundCalendar]
  }

  public var address: AccountAddress
  public var resolver: ServiceResolver
  /// The names to try; the address gives two.
  public var usernames: [String]
  /// Servers of other domains that may have the password, whoever names them.
  var trustedHosts: TrustedHosts

  public init(
    _ address: AccountAddress, usernames: [String]? = nil, trustedHosts: [String] = [],
    resolver: ServiceResolver = .live
  ) {
    self.address = address
    self.usernames = usernames ?? address.usernames
    self.trustedHosts = TrustedHosts(trustedHosts)
    self.resolver = resolver
  }

  /// Tries the starting points in order until one leads to calendars.
  ///
  /// - Parameters:
  ///   - agrees: whether a server of another domain that is not trusted yet may have the password;
  ///     nil: nobody can say.
  ///   - attempt: looks for calendars.
  /// - Throws: what a refusal of the password said, else the first failure.
  public func run(
    agrees: ((StartingPoint) -> Bool)?,
    attempt: (_ url: String, _ username: String) async throws(RunFailure) -> FoundAccount
  ) async throws(RunFailure) -> Found {
    var failures: [RunFailure] = []
    let points = await address.startingPoints(resolver)
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
    guard var failure = failures.first(where: { $0.status == .denied }) ?? failures.first else {
      throw nothing
    }
    // Which server it is was guessed from the address.
    if failure.status == .unreachable { failure.hint = "check the address, or \(Self.hint)" }
    if failure.status != .denied, points.contains(where: \.isForWantOfAnswer) {
      failure.why = [failure.message, failure.why].filter { !$0.isEmpty }.joined(separator: ": ")
      failure.message =
        "no name server said where \(address.domain) has its calendars, and they are not there"
      failure.hint = "try again later, on another network perhaps; or \(Self.hint)"
    }
    throw failure
  }

  private func isTrusted(_ point: StartingPoint) -> Bool {
    (try? WebURL(absolute: point.url)).map(trustedHosts.isNamed) ?? false
  }

  private static let hint = "give --url; your provider's help names it, often under CalDAV"

  private func elsewhere(_ point: StartingPoint) -> RunFailure {
    RunFailure(
      .denied, code: "denied",
      message: "\(address.domain) says that its calendars are at \(point.host), in another domain",
      place: address.domain,
      hint: "if that server belongs to your provider, run this again with --trusted-host "
        + point.host)
  }

  private var nothing: RunFailure {
    RunFailure(
      .unreachable, code: "unreachable",
      message: "\(address.domain) says that it has no calendars", place: address.domain,
      hint: Self.hint)
  }
}
