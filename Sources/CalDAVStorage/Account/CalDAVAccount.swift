public import SyncModel
import Synchronization
public import WebDAV

/// A user's account on a CalDAV server (RFC 4791): the calendars it holds.
public final class CalDAVAccount: CollectionHost {
  /// Settings beside the URL and the credentials.
  public struct Options: Sendable {
    /// Allows plain http to other machines too.
    public var allowsHTTP = false
    /// Connections, and so requests at once over HTTP/1; over HTTP/2 there may be more requests,
    /// but where this is 1.
    public var maxConnections = 4
    /// Sent as User-Agent; nil leaves it to the transport.
    public var userAgent: String?
    /// Bytes of one item that are read.
    public var itemLimit = 16 << 20
    /// Bytes of items that are read at once, but for a single one.
    public var bytesAtOnce = StorageTraits.usualBytesAtOnce
    /// Where the calendars were the last time.
    public var found: FoundLocation?
    /// What earlier runs learned of the server.
    public var learned: Learned?
    /// Servers beside the URL's that may get the credentials.
    public var trustedHosts = TrustedHosts()
    /// All goes through a Unix socket, so that nobody on a network overhears it.
    public var staysHere = false
    /// What servers may send back, and is not shown then; the credentials are added to it.
    package var secrets = KnownSecrets()

    public init() {}
  }

  /// What is learned of a server, to be kept for the next run.
  public struct Learned: Sendable, Hashable {
    public var profile: ServerProfile
    /// The Schedule-Tags of items with an organizer; only an account can read it.
    public var scheduleTags: [UInt8]
    /// The CTags under which the run wrote; only an account can read it.
    public var writtenTags: [UInt8]

    public init(profile: ServerProfile, scheduleTags: [UInt8], writtenTags: [UInt8]) {
      self.profile = profile
      self.scheduleTags = scheduleTags
      self.writtenTags = writtenTags
    }
  }

  struct Known {
    var found: FoundLocation?
    /// The password was refused: it stays wrong.
    var refusal: StorageError?
    var calendars: [Href: RemoteCalendar] = [:]
    /// The calendars that the first listing of this run had; nil before it.
    var listedAtFirst: Set<Href>?
    /// Those that this run made since, took for what it was to make, or found where none is listed.
    var given: Set<Href> = []
    /// Servers that the last look found named, and trusted.
    var otherOrigins: [String] = []
    var foreignHosts: [String] = []
    /// Of calendars that the last listing named.
    var foreignOfListing: [String] = []
    var foreignCalendars: [ForeignCalendar] = []
  }
  let url: WebURL
  let client: DAVClient
  let options: Options
  let surroundings: Surroundings
  let digest: DigestFunction
  let memory: ServerMemory
  let known: Mutex<Known>

  /// - Parameters:
  ///   - url: any URL of the account to start from: a calendar, a home set, a principal, the root.
  ///   - credentials: nil for a server that asks for none.
  /// - Throws: `protocolBroken` if the URL is none that can be used.
  public init(
    url: String, credentials: Credentials?, transport: any HTTPTransport,
    surroundings: Surroundings, digest: @escaping DigestFunction, options: Options = Options()
  ) throws(StorageError) {
    do throws(HrefError) { self.url = try WebURL(absolute: url) } catch {
      throw StorageError(
        .protocolBroken, "the account's URL cannot be used", why: error.reason,
        hint: "write it as https://host/path, the user name apart from it")
    }
    memory = ServerMemory(
      options.learned, hiding: options.secrets, now: surroundings.now)
    var access = DAVAccess { surroundings.now().milliseconds }
    if let tokens = credentials?.tokens {
      access.tokens = tokens
    } else if let credentials {
      access.username = credentials.username
      access.password = credentials.password
      access.schemes = memory.likelierFirst(credentials.schemes)
    }
    access.secrets = options.secrets
    if let query = self.url.query { access.secrets.add(address: query) }
    access.allowsHTTP = options.allowsHTTP
    access.staysHere = options.staysHere
    access.userAgent = options.userAgent
    access.maxConnections = options.maxConnections
    access.patience = Patience(surroundings)
    access.vouchesFor = options.trustedHosts.isNamed
    access.refusal = options.trustedHosts.refusal(of:)
    access.beginning = memory.beginning
    access.avoidsHTTP2 = memory.lacks(.http2)
    client = DAVClient(transport: transport, access: access, trusting: self.url.origin)
    self.options = options
    self.surroundings = surroundings
    self.digest = digest
    known = Mutex(Known(found: options.found))
  }

  var discovery: Discovery {
    Discovery(client: client, url: url, hosts: options.trustedHosts, now: surroundings.now)
  }

  /// Finds the account's calendars from its URL, whatever it remembers.
  public func discover() async throws(StorageError) -> AccountDescription {
    try await discover(insteadOf: nil)
  }

  /// - Parameter former: where they were. What the URL named stays what it is: where it was a
  ///   calendar, a home is another place; and where it led to them itself, and names more than a
  ///   server, no guess is as good.
  func discover(
    insteadOf former: AccountLocation?
  ) async throws(StorageError) -> AccountDescription {
    let found = try await search(isGuessing: former == nil || mayGuess)
    if case .calendar(let text)? = former, case .homeSets = found.location {
      throw StorageError(
        .vanished, "\(text) is no calendar any more", hint: "set the account's url to one that is")
    }
    var listing = try await list(found)
    listing.unseen += found.unseen
    // The next run looks for what might have been named.
    if !found.unseen.isEmpty { known.withLock { $0.found = nil } }
    return AccountDescription(
      principal: found.principal, location: found.location, calendars: listing.calendars,
      unseen: listing.unseen, otherOrigins: found.otherOrigins)
  }

  /// A server has taken user and password, or what there is instead, and none has refused them.
  public var isLetIn: Bool { client.isWelcome && !client.wasRefused }

  /// Its servers have let it in during this run, and refuse it by now; nothing is sent any more.
  public var shutOut: StorageError? { client.shutOut.map { StorageError($0) } }

  /// Where the calendars are, and how that was found out, once it is known: to be remembered.
  public var found: FoundLocation? { known.withLock { $0.found } }

  /// Where the calendars are, once that is known.
  public var location: AccountLocation? { found?.location }

  /// The calendars may be looked for elsewhere than where the URL leads.
  var mayGuess: Bool { found?.isGuessed ?? false || url.isRoot }

  /// What is known of the server by now: to be remembered.
  public var learned: Learned { memory.learned }

  /// Takes down whether the server let the requests go as they came, and whether HTTP/2 worked: for
  /// the end of a run, when all of them tell.
  public func learnThrottling() {
    let most = client.mostAtOnce
    let requests = most == 1 ? "one request at a time" : "up to \(most) requests at once"
    switch client.multiplexing {
    // A server may speak nothing else, and have failed this once.
    case .unknown, .failed: break
    case .works: memory.learn(.http2, true, requests, "each was answered")
    case .replaced(let request, let error): memory.learn(.http2, false, request, error)
    }
    switch client.throttling {
    case .unknown: return
    case .none:
      memory.learn(.unthrottled, true, requests, "each was answered")
      if most > 1 { memory.learn(.parallel, true, requests, "each was answered") }
    case .asked(let answer): memory.learn(.unthrottled, false, requests, answer)
    case .alone(let answer): memory.learn(.parallel, false, requests, answer)
    }
  }

  /// Takes down what somebody else found out about the server, as by a probe.
  public func learn(
    _ capability: ServerProfile.Capability, holds: Bool, request: String, answer: String
  ) {
    memory.learn(capability, holds, request, answer)
  }

  /// The calendars of `listCalendars`.
  public func listCollections() async throws(StorageError) -> [CollectionDescription] {
    try await listCalendars().calendars
  }

  /// Opens a calendar. One that was not listed before is looked at first.
  public func open(
    _ collection: CollectionDescription
  ) async throws(StorageError) -> any Storage {
    try await openCalendar(collection)
  }

  /// As `open`, with the type it has.
  ///
  /// - Parameter tryingWrites: a calendar that says it may only be read is written to all the same,
  ///   and what the server answers counts: some say it of calendars that take everything.
  public func openCalendar(
    _ collection: CollectionDescription, tryingWrites: Bool = false
  ) async throws(StorageError) -> CalDAVStorage {
    let calendar: RemoteCalendar
    if let listed = listed(collection.href) {
      calendar = listed
    } else {
      calendar = try await look(at: try resolve(collection.href))
    }
    return CalDAVStorage(calendar, account: self, tryingWrites: tryingWrites)
  }

  /// The calendars that were listed so far.
  var allKnown: [Href] { known.withLock { $0.calendars.keys.sorted() } }

  /// Those that this run saw at first, and `givenByRun`; nil where it has not looked yet.
  var seenByRun: Set<Href>? {
    known.withLock { known in known.listedAtFirst.map { $0.union(known.given) } }
  }

  /// Those that this run made, took for what it was to make, or found where none is listed.
  var givenByRun: Set<Href> { known.withLock(\.given) }

  func give(_ calendar: Href) { known.withLock { _ = $0.given.insert(calendar) } }

  /// A calendar as it was listed; nil where it was not.
  func listed(_ href: Href) -> RemoteCalendar? { known.withLock { $0.calendars[href] } }

  func keep(_ calendars: [RemoteCalendar]) {
    known.withLock { known in
      for calendar in calendars { known.calendars[calendar.href] = calendar }
    }
  }

  /// The address that a collection's href stands for.
  package func resolve(_ href: Href) throws(StorageError) -> WebURL {
    do throws(HrefError) {
      let address = try url.resolve(href: href.spelling)
      guard address.origin == url.origin || client.accepts(address.origin) else {
        throw HrefError.badHost
      }
      return address
    } catch {
      throw StorageError(
        .protocolBroken, "a calendar's address cannot be used", why: error.reason,
        hint: "run `calgw discover`")
    }
  }

  /// Reads one calendar's properties (PROPFIND, Depth 0).
  func look(at address: WebURL) async throws(StorageError) -> RemoteCalendar {
    guard let calendar = try await discovery.inspectCalendar(address) else {
      throw StorageError(
        .vanished, "there is no calendar at \(address.shown)",
        hint: "check the URL, and whether the calendar was removed, renamed or unshared")
    }
    return calendar
  }
}
