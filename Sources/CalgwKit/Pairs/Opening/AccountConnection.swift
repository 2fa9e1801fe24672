import CalDAVStorage
import CurlTransport
import SyncModel
import Synchronization
import WebDAV

/// What earlier runs found out of an account.
struct AccountMemory: Sendable {
  /// Where its calendars are.
  var found: FoundLocation?
  /// What its server does and does not.
  var learned: CalDAVAccount.Learned?
}

/// An account with the transport that its requests go over.
package struct AccountConnection: Sendable {
  let configuration: AccountConfiguration
  let account: CalDAVAccount
  let transport: CurlTransport

  /// Under what a pair's store remembers something of an account. Another URL or user is another
  /// place.
  enum MemoryKey: String {
    case location, profile
    case scheduleTags = "schedule-tags"
    case writtenTags = "written-tags"
    /// Servers that nobody has vouched for, and that a run has told of.
    case foreignHosts = "foreign-hosts"
    /// Servers that get the password unasked, and that a run has told of.
    case otherServers = "other-servers"
    /// Places that may not be looked into, and that a run has told of.
    case forbiddenPlaces = "forbidden-places"
    /// Calendars that a probe had to leave, and that a run has told of.
    case leftProbes = "left-probes"
  }

  static func key(_ kind: MemoryKey, of account: AccountConfiguration) -> String {
    "\(kind.rawValue) \(account.username ?? "") \(account.url)"
  }

  func key(_ kind: MemoryKey) -> String { Self.key(kind, of: configuration) }

  /// What a person should know of a place that nobody could look into.
  func notice(ofUnseen place: UnseenPlace) -> String {
    "\(configuration.place) does not show all of its calendars (\(place.words)): those that it"
      + " shows are synced, and none is made or taken to be gone; \(place.trouble.hint)"
  }

  /// The same where it is a failure, since its server asks to be asked later; nil for any other.
  func failure(ofUnseen place: UnseenPlace, at side: String) -> RunFailure? {
    guard place.isPutOff else { return nil }
    var failure = RunFailure(place.trouble, place: side)
    failure.message =
      "\(configuration.place) does not show all of its calendars: those that it shows are synced,"
      + " and none is made or taken to be gone"
    failure.why = place.words
    return failure
  }

  /// What a person should know of a calendar that a probe had to leave.
  func notice(ofProbe address: String) -> String {
    "\(configuration.place): the calendar \(address) has the name of one that"
      + " `calgw doctor --write` could not remove, and is not synced; if somebody uses it, give it"
      + " another name on the server's own pages, or write this one into `collections`"
  }

  /// What a person should know of a server that the account has more on.
  func notice(ofForeign host: String) -> String {
    "\(configuration.place) has more on \(host), which is not asked: see trusted_hosts"
  }

  /// What a person should know of a server that gets the password because the account lives there.
  func notice(ofOther origin: String) -> String {
    "\(configuration.place) also lives on \(origin), which gets the same user name and password or"
      + " token; if it is not your provider's, change them, and set url to the right server"
  }

  /// What a person should know where the URL itself led to no calendars: a pair to which it has led
  /// before goes to no other ones by itself.
  var noticeOfGuess: String? {
    guard let address = account.guessedAddress.map(withoutQuery) else { return nil }
    return
      "\(configuration.place): url leads to no calendars itself; those of \(address) are shown,"
      + " and a pair that has synced others by this url does not go over to them. If they are"
      + " meant, set url to \(address)"
  }

  /// Connects nothing yet, but fetches the password: may block as long as its program runs.
  init(
    _ configuration: AccountConfiguration, memory: AccountMemory, _ context: AccountContext
  ) throws(RunFailure) {
    self.configuration = configuration
    let place = "account \(configuration.name)"
    let credentials = try configuration.credentials(context)
    transport = try configuration.transport(configuration.transportOptions(context.secrets))
    var options = CalDAVAccount.Options()
    options.allowsHTTP = configuration.allowsPlainHTTP
    options.maxConnections = configuration.maxConnections
    options.userAgent = configuration.userAgent
    options.found = memory.found
    options.learned = memory.learned
    options.trustedHosts = TrustedHosts(configuration.trustedHosts)
    if case .unixSocket = configuration.proxy { options.staysHere = true }
    options.secrets = context.secrets.known
    do {
      account = try CalDAVAccount(
        url: configuration.url, credentials: credentials, transport: transport,
        surroundings: context.surroundings, digest: liveDigest, options: options)
    } catch {
      throw RunFailure(
        .configuration, code: "bad-configuration", message: error.message, place: place,
        why: error.why, hint: error.hint)
    }
  }

  var traffic: PairTraffic { PairTraffic(transport.traffic) }
}

extension PairTraffic {
  init(_ traffic: HTTPTraffic) {
    self.init()
    requests = traffic.requests
    bytesIn = traffic.bytesIn
    bytesOut = traffic.bytesOut
  }

  /// What came on top of an earlier count.
  func since(_ before: PairTraffic) -> PairTraffic {
    var difference = PairTraffic()
    difference.requests = requests - before.requests
    difference.bytesIn = bytesIn - before.bytesIn
    difference.bytesOut = bytesOut - before.bytesOut
    return difference
  }

  func adding(_ other: PairTraffic) -> PairTraffic {
    var sum = PairTraffic()
    sum.requests = requests + other.requests
    sum.bytesIn = bytesIn + other.bytesIn
    sum.bytesOut = bytesOut + other.bytesOut
    return sum
  }
}
