import SyncModel
import WebDAV

/// Finds an account's calendars from any of its URLs (RFC 6764 §6, RFC 5397, RFC 4791 §6.2.1).
///
/// Tried in order: the URL itself; and where it need not lead anywhere itself, as at first,
/// `/.well-known/caldav` and the root. Each may be a calendar, a principal, a home set, or merely
/// lead to one.
struct Discovery {
  struct Found {
    var principal: String?
    var location: AccountLocation
    var otherOrigins: [String]
    /// The URL itself led nowhere.
    var isGuessed = false
    /// What might have named more home sets.
    var unseen: [UnseenPlace] = []
    /// Home sets on servers for which nobody has vouched, one a server.
    var homesElsewhere: [String] = []
  }

  let client: DAVClient
  let url: WebURL
  let hosts: TrustedHosts
  let now: @Sendable () -> Instant
  /// How long its requests are put off.
  var waiting = DAVRequest.Waiting.untilEnd
  /// Learned on the way, and trusted.
  private var otherOrigins: [String] = []
  /// Servers that are named to a person: of more nobody would look at each.
  private static let mostForeign = 8
  /// Learned on the way, and not trusted without a person's consent.
  private var foreign: [WebURL] = []
  /// Of those, the home sets: each may have calendars although others have some.
  private var homesElsewhere: [WebURL] = []
  /// Why the first of the places that the server itself named, or that answered as WebDAV, led
  /// nowhere: it says more than what came of an address that was guessed.
  private var lead: StorageError?
  /// Where a place that led nowhere says that nobody is signed in there: the account may have
  /// something at another one.
  private var guestPlace: WebURL?
  /// The server failed at the URL itself: what a guess would lead to is not what was named.
  private var failsAtURL = false

  init(
    client: DAVClient, url: WebURL, hosts: TrustedHosts, now: @escaping @Sendable () -> Instant
  ) {
    self.client = client
    self.url = url
    self.hosts = hosts
    self.now = now
  }

  /// - Parameters:
  ///   - foreign: gets the servers that a person would have to vouch for.
  ///   - isGuessing: the URL itself need not lead anywhere.
  func run(
    foreign: inout [String], isGuessing: Bool = true
  ) async throws(StorageError) -> Found {
    var search = self
    defer { foreign = search.foreign.map(\.trustedName) }
    var trouble: StorageError?
    var tried: Set<WebURL> = []
    let guesses = [url.replacingPath("/.well-known/caldav"), url.replacingPath("/")]
    for candidate in [url] + (isGuessing ? guesses : []) where tried.insert(candidate).inserted {
      do throws(StorageError) {
        if var found = try await search.follow(candidate) {
          found.isGuessed = candidate != url
          found.homesElsewhere = search.homesElsewhere.map(\.text)
          // What a person wants nothing of is no news, unless it is all that there is.
          search.foreign.removeAll(where: hosts.refuse)
          return found
        }
      } catch {
        if client.lacksToken { throw error }
        if search.failsAtURL {
          var told = error
          told.hint += "; or set url to \(url.replacingPath("/").shown), to look for all calendars"
          throw told
        }
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
    if let address = search.foreign.first(where: { !hosts.refuse($0) }) ?? search.foreign.first {
      throw search.wantsConsent(address)
    }
    let strangers = client.strangers
    if let stranger = strangers.last {
      search.foreign = strangers
      throw wantsConsent(
        stranger, because: "a redirect from \(url.origin) leads there", with: strangers)
    }
    if let downgrade = client.downgrade { throw leadsToHTTP(downgrade) }
    throw search.notFound(
      because: search.lead ?? search.guestPlace.map(search.takenForGuest) ?? trouble)
  }

  mutating func noteLead(_ trouble: StorageError) { lead = lead ?? trouble }

  /// Throws where a redirect led to a server that nobody vouches for.
  func checkOwner(of place: WebURL) throws(StorageError) {
    if client.accepts(place.origin) || hosts.allow(place, namedBy: url) { return }
    throw wantsConsent(place)
  }

  private func notFound(because error: StorageError?) -> StorageError {
    guard let error, error.kind != .vanished else {
      return StorageError(
        .protocolBroken, "no calendars were found from \(url.shown)",
        why: error.map { [$0.message, $0.why].filter { !$0.isEmpty }.joined(separator: ": ") }
          ?? "the server names no principal, no calendar home and no calendar",
        hint: "check the URL; your provider's help names it, often under CalDAV")
    }
    return error
  }

  /// What one starting point leads to; nil if nowhere.
  private mutating func follow(_ start: WebURL) async throws(StorageError) -> Found? {
    // What is written would go where the redirects led, even if that server answers everybody.
    let answer = try await answer(about: start)
    failsAtURL = start == url && !start.isRoot && answer.isServerError
    guard let (here, properties) = try described(by: answer),
      client.accepts(here.origin) || vouch(for: here, namedBy: url)
    else { return nil }
    if properties.resourceType?.contains(.calendar) ?? false {
      return Found(
        principal: nil, location: .calendar(here.asCollection.text), otherOrigins: otherOrigins)
    }
    let principal = properties.principal.flatMap { learn($0, from: here) }
    var homes = properties.homeSets.compactMap { learnHome($0, from: here) }
    var unseen: [UnseenPlace] = []
    if homes.isEmpty, let principal, !principal.isSameCollection(as: here) {
      homes = try await homeSets(of: principal, noting: &unseen)
    }
    // Servers without principals: the URL given is the home. So it is where it names somebody who
    // has another one: it is a team's.
    if homes.isEmpty {
      if !(try await calendarsIfAny(in: here)).isEmpty { homes = [here] }
    } else if start == url, here.mayBeAnotherHome(properties, than: homes),
      try await isHome(here)
    {
      homes = [here]
    }
    guard !homes.isEmpty else {
      if start == url || !here.isSameCollection(as: start) {
        if properties.isForGuests {
          guestPlace = guestPlace ?? here
        } else {
          noteLead(namesNothing(here))
        }
      }
      return nil
    }
    var seen: Set<String> = []
    homes = homes.map(\.asCollection).filter { seen.insert($0.identity).inserted }
    return Found(
      principal: principal?.text, location: .homeSets(homes.map(\.text)),
      otherOrigins: otherOrigins, unseen: unseen)
  }

  /// What a principal names, or itself where it holds the calendars. One that may not be read says
  /// nothing; one at which the server fails might name more than what is found without it.
  private mutating func homeSets(
    of principal: WebURL, noting unseen: inout [UnseenPlace]
  ) async throws(StorageError) -> [WebURL] {
    var hasFailed = false
    do throws(StorageError) {
      let answer = try await answer(about: principal)
      hasFailed = answer.isServerError
      guard let (there, own) = try described(by: answer) else { return [] }
      if own.homeSets.isEmpty {
        noteLead(
          StorageError(
            .vanished, "the principal \(client.secrets.shown(there)) names no calendar home",
            hint: "check the URL"))
      }
      let homes = own.homeSets.compactMap { learnHome($0, from: there) }
      if homes.isEmpty, !(try await calendarsIfAny(in: there)).isEmpty { return [there] }
      return homes
    } catch {
      guard error.isAboutOneAddress, !client.lacksToken else { throw error }
      noteLead(error)
      if hasFailed { unseen.append(UnseenPlace(client.secrets.shown(principal), error)) }
      return []
    }
  }

  /// As `listing(of:)`; a refusal is no calendars, for example iCloud's 400 at a principal. The
  /// listing that counts, and names what is left out, comes once all is found.
  private mutating func calendarsIfAny(
    in place: WebURL
  ) async throws(StorageError) -> [RemoteCalendar] {
    do { return try await listing(of: place.asCollection).calendars } catch {
      guard error.isAboutOneAddress, !client.lacksToken else { throw error }
      noteLead(error)
      return []
    }
  }

  /// A place has calendars. Where the server does not say so now, those that it named are enough.
  private mutating func isHome(_ place: WebURL) async throws(StorageError) -> Bool {
    do { return !(try await calendarsIfAny(in: place)).isEmpty } catch {
      guard error.kind != .stopped, !client.lacksToken, !client.wasRefused else { throw error }
      return false
    }
  }

  /// Trusts another server if a person or its own name vouches for it; else notes it, so that
  /// a person can.
  private mutating func vouch(for address: WebURL, namedBy place: WebURL) -> Bool {
    guard hosts.allow(address, namedBy: place) else {
      if Self.isSafe(address) {
        Self.note(address, in: &foreign)
      } else {
        noteLead(overheard(address))
      }
      return false
    }
    client.trust(address.origin)
    otherOrigins.append(address.origin)
    return true
  }

  static func note(_ address: WebURL, in foreign: inout [WebURL]) {
    guard isSafe(address), foreign.count < mostForeign,
      !foreign.contains(where: { $0.origin == address.origin })
    else { return }
    foreign.append(address)
  }

  static func isSafe(_ address: WebURL) -> Bool {
    address.scheme == .https || address.isLoopback
  }

  private func overheard(_ address: WebURL) -> StorageError {
    StorageError(
      overheard: address,
      "the calendars are on another server, \(address.origin), which is not asked")
  }

  /// Resolves an href of the account's structure. Another origin is trusted if a trusted one named
  /// it and a person or its own name vouches for it, as for iCloud's `pNN-caldav` hosts.
  private mutating func learn(_ href: [UInt8], from place: WebURL) -> WebURL? {
    let address: WebURL
    do throws(HrefError) { address = try place.resolve(href: href.withoutUserInfo) } catch {
      noteLead(namesUnusable(place, error))
      return nil
    }
    guard !client.trusts(address.origin) else { return address }
    guard client.trusts(place.origin) else {
      // A stranger speaks for himself alone, and that to an account with nothing to lose.
      return client.accepts(place.origin) && address.origin == place.origin ? address : nil
    }
    return vouch(for: address, namedBy: place) ? address : nil
  }

  /// The same of a home set, which is noted where nobody vouches for its server.
  private mutating func learnHome(_ href: [UInt8], from place: WebURL) -> WebURL? {
    if let home = learn(href, from: place) { return home }
    if client.trusts(place.origin), let home = try? place.resolve(href: href.withoutUserInfo) {
      Self.note(home, in: &homesElsewhere)
    }
    return nil
  }
}

extension WebURL {
  /// It names a server, and nothing on it.
  var isRoot: Bool { path == [UInt8(ascii: "/")] || path.isEmpty }

  /// It is a place that may have calendars of its own.
  fileprivate func mayBeAnotherHome(_ properties: DAVProperties, than homes: [WebURL]) -> Bool {
    let types: DAVProperties.ResourceType = properties.resourceType ?? []
    return !isRoot && types.contains(.collection) && !types.contains(.principal)
      && !homes.contains { $0.isSameCollection(as: self) }
  }
}
