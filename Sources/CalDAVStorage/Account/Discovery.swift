import SyncModel
import WebDAV

/// Finds an account's calendars from any of its URLs (RFC 6764 §6, RFC 5397, RFC 4791 §6.2.1).
///
/// Tried in order: the URL itself, `/.well-known/caldav`, the root. Each may be a calendar, a
/// principal, a home set, or merely lead to one.
struct Discovery {
  struct Found {
    var principal: String?
    var location: AccountLocation
    var otherOrigins: [String]
  }

  let client: DAVClient
  let url: WebURL
  let hosts: TrustedHosts
  /// Learned on the way, and trusted.
  private var otherOrigins: [String] = []
  /// Servers that are named to a person: of more nobody would look at each.
  private static let mostForeign = 8
  /// Learned on the way, and not trusted without a person's consent.
  private var foreign: [WebURL] = []

  init(client: DAVClient, url: WebURL, hosts: TrustedHosts) {
    self.client = client
    self.url = url
    self.hosts = hosts
  }

  /// - Parameter foreign: gets the servers that a person would have to vouch for.
  func run(foreign: inout [String]) async throws(StorageError) -> Found {
    var search = self
    defer { foreign = search.foreign.map(\.trustedName) }
    var trouble: StorageError?
    var tried: Set<WebURL> = []
    for candidate in [url, url.replacingPath("/.well-known/caldav"), url.replacingPath("/")]
    where tried.insert(candidate).inserted {
      do throws(StorageError) {
        if let found = try await search.follow(candidate) { return found }
      } catch {
        switch error.kind {
        case .unreachable, .tryLater, .io, .stopped: throw error
        // A wrong password stays wrong; asking on would only lock the account. But a page that
        // nobody may list (403) says nothing of the calendars.
        case .denied where client.wasRefused: throw error
        case .denied: trouble = trouble ?? error
        case .vanished, .protocolBroken, .cannotCreate: trouble = trouble ?? error
        }
      }
    }
    if let address = search.foreign.first { throw search.wantsConsent(address) }
    let strangers = client.strangers
    if let stranger = strangers.last {
      search.foreign = strangers
      throw wantsConsent(
        stranger, because: "a redirect from \(url.origin) leads there", with: strangers)
    }
    throw trouble.map { search.notFound(because: $0) } ?? search.notFound(because: nil)
  }

  /// Throws where a redirect led to a server that nobody vouches for.
  func checkOwner(of place: WebURL) throws(StorageError) {
    if client.accepts(place.origin) || hosts.allow(place, namedBy: url) { return }
    throw wantsConsent(place)
  }

  private func wantsConsent(_ address: WebURL) -> StorageError {
    wantsConsent(
      address, because: "\(url.origin) says so, and nobody has vouched for that server",
      with: [address])
  }

  /// - Parameter all: the servers that have to be vouched for.
  private func wantsConsent(
    _ address: WebURL, because why: String, with all: [WebURL]
  ) -> StorageError {
    let names = all.map { "\"\($0.trustedName)\"" }.joined(separator: ", ")
    return StorageError(
      .denied, "the calendars are on another server, \(address.origin), which gets no password",
      why: why,
      hint: "if that server belongs to your provider, set url to \(address.text), or add this line "
        + "to the account: trusted_hosts = [\(names)]")
  }

  private func notFound(because error: StorageError?) -> StorageError {
    guard let error, error.kind != .vanished else {
      return StorageError(
        .protocolBroken, "no calendars were found from \(url.text)",
        why: error.map { "\($0.message): \($0.why)" }
          ?? "the server names no principal, no calendar home and no calendar",
        hint: "check the URL; your provider's help names it, often under CalDAV")
    }
    return error
  }

  /// What one starting point leads to; nil if nowhere.
  private mutating func follow(_ start: WebURL) async throws(StorageError) -> Found? {
    // What is written would go where the redirects led, even if that server answers everybody.
    guard let (here, properties) = try await inspect(start),
      client.accepts(here.origin) || vouch(for: here, namedBy: url)
    else { return nil }
    if properties.resourceType?.contains(.calendar) ?? false {
      return Found(
        principal: nil, location: .calendar(here.asCollection.text), otherOrigins: otherOrigins)
    }
    let principal = properties.principal.flatMap { learn($0, from: here) }
    var homes = properties.homeSets.compactMap { learn($0, from: here) }
    if homes.isEmpty, let principal, !principal.isSameCollection(as: here),
      let (there, own) = try await inspectIfAny(principal)
    {
      homes = own.homeSets.compactMap { learn($0, from: there) }
      if homes.isEmpty, !(try await calendarsIfAny(in: there)).isEmpty { homes = [there] }
    }
    // Servers without principals: the URL given is the home.
    if homes.isEmpty, !(try await calendarsIfAny(in: here)).isEmpty { homes = [here] }
    guard !homes.isEmpty else { return nil }
    var seen: Set<String> = []
    homes = homes.map(\.asCollection).filter { seen.insert($0.identity).inserted }
    return Found(
      principal: principal?.text, location: .homeSets(homes.map(\.text)),
      otherOrigins: otherOrigins)
  }

  /// Trusts another server if a person or its own name vouches for it; else notes it, so that
  /// a person can.
  private mutating func vouch(for address: WebURL, namedBy place: WebURL) -> Bool {
    guard hosts.allow(address, namedBy: place) else {
      Self.note(address, in: &foreign)
      return false
    }
    client.trust(address.origin)
    otherOrigins.append(address.origin)
    return true
  }

  private static func note(_ address: WebURL, in foreign: inout [WebURL]) {
    guard address.scheme == .https || address.isLoopback, foreign.count < mostForeign,
      !foreign.contains(where: { $0.origin == address.origin })
    else { return }
    foreign.append(address)
  }

  /// Resolves an href of the account's structure. Another origin is trusted if a trusted one named
  /// it and a person or its own name vouches for it, as for iCloud's `pNN-caldav` hosts.
  private mutating func learn(_ href: [UInt8], from place: WebURL) -> WebURL? {
    guard let address = try? place.resolve(href: href) else { return nil }
    guard !client.trusts(address.origin) else { return address }
    guard client.trusts(place.origin) else {
      // A stranger speaks for himself alone, and that to an account with nothing to lose.
      return client.accepts(place.origin) && address.origin == place.origin ? address : nil
    }
    return vouch(for: address, namedBy: place) ? address : nil
  }

  // MARK: Requests

  /// Reads what a resource says of itself (PROPFIND, Depth 0): its own address and properties. Nil
  /// if it is missing inside a multistatus, as xandikos has it.
  func inspect(_ address: WebURL) async throws(StorageError) -> (WebURL, DAVProperties)? {
    let request = PropertyRequests.propfind(address, depth: 0, PropertyRequests.description)
    let (multistatus, place) = try await ask(request, doing: "looking for calendars")
    guard let own = multistatus.responses.first, own.isSuccess else { return nil }
    // The server's own spelling is the one that its listings will have.
    let spelled = try? place.resolve(href: own.href)
    let address = spelled.map { $0.origin == place.origin ? $0 : place } ?? place
    return (address, own.properties)
  }

  /// As `inspect`; a refusal is nothing found.
  private func inspectIfAny(
    _ address: WebURL
  ) async throws(StorageError) -> (WebURL, DAVProperties)? {
    do { return try await inspect(address) } catch {
      guard error.isAboutOneAddress else { throw error }
      return nil
    }
  }

  /// The calendars directly in a home set (PROPFIND, Depth 1). Everything else there is left out:
  /// the home itself, inboxes, proxies, files beside the calendars.
  ///
  /// - Parameter foreign: gets the calendars that are left out since they are on another server.
  func calendars(
    in home: WebURL, foreign: inout [WebURL]
  ) async throws(StorageError) -> [RemoteCalendar] {
    let request = PropertyRequests.propfind(home, depth: 1, PropertyRequests.description)
    let (multistatus, place) = try await ask(request, doing: "listing calendars")
    try checkOwner(of: place)
    guard let first = multistatus.responses.first else {
      throw StorageError(
        .protocolBroken, "the listing of \(place.text) names nothing, not even itself",
        hint: "check the URL")
    }
    if multistatus.responses.count == 1, first.isGone {
      throw StorageError(
        .vanished, "the calendar home \(place.text) is not there",
        why: "the server answered 404 for it", hint: "run `calgw discover`")
    }
    var found: [RemoteCalendar] = []
    for response in multistatus.responses {
      guard response.isSuccess, response.properties.resourceType?.contains(.calendar) ?? false,
        let address = try? place.resolve(href: response.href),
        !address.isSameCollection(as: place)
      else { continue }
      guard address.origin == place.origin || admits(address, namedBy: place) else {
        Self.note(address, in: &foreign)
        continue
      }
      found.append(
        RemoteCalendar(
          url: address.asCollection, properties: response.properties, home: url.origin))
    }
    return found
  }

  /// Whether a calendar on another server than its home is one of the account's. Neither the home
  /// nor its own name vouches for that server: a person has to have named it.
  private func admits(_ address: WebURL, namedBy place: WebURL) -> Bool {
    if client.trusts(address.origin) { return true }
    guard client.trusts(place.origin), hosts.isNamed(address) else { return false }
    client.trust(address.origin)
    return true
  }

  /// As `calendars(in:)`; a refusal is no calendars, for example iCloud's 400 at a principal.
  private func calendarsIfAny(in place: WebURL) async throws(StorageError) -> [RemoteCalendar] {
    // The listing that counts, and names them, comes once all is found.
    var foreign: [WebURL] = []
    do { return try await calendars(in: place.asCollection, foreign: &foreign) } catch {
      guard error.isAboutOneAddress else { throw error }
      return []
    }
  }

  private func ask(
    _ request: DAVRequest, doing what: String
  ) async throws(StorageError) -> (Multistatus, WebURL) {
    let answer: MultistatusAnswer
    // Who answers is looked at before anything is believed (`checkOwner`).
    var request = request
    request.mayMeetStrangers = true
    do throws(DAVError) { answer = try await client.multistatus(request) } catch {
      throw StorageError(error)
    }
    switch answer {
    case .multistatus(let multistatus, let place): return (multistatus, place)
    case .refused(let refusal): throw StorageError(refusal, doing: what)
    }
  }
}
