public import SyncModel
import Synchronization
import WebDAV

/// What an account holds, as its servers list it.
extension CalDAVAccount {
  /// Lists the calendars: one request per home set where their location is known. Once a day it is
  /// searched for anew after that; one that fails is, too, as `discover(insteadOf:)` says.
  public func listCalendars() async throws(StorageError) -> CalendarListing {
    if let refusal = known.withLock(\.refusal) { throw refusal }
    do throws(StorageError) { return try await listWhereKnown() } catch {
      if error.kind == .denied, client.wasRefused { known.withLock { $0.refusal = error } }
      throw error
    }
  }

  private func listWhereKnown() async throws(StorageError) -> CalendarListing {
    guard let found else { return try await discover().listing }
    // What is known may be on a server that is not to be asked any more.
    if !found.isTrusting(options.trustedHosts), let listing = try await listHomesOfNow() {
      return listing
    }
    let listing = try await listHomes(at: found.location)
    // By now the server has let the account in: what is refused at another place is about that.
    return try await listHomesOfNow() ?? listing
  }

  private func listHomes(at location: AccountLocation) async throws(StorageError)
    -> CalendarListing
  {
    let listing: CalendarListing
    do throws(StorageError) { listing = try await list(location) } catch {
      if client.lacksToken { throw error }
      switch error.kind {
      case .vanished, .protocolBroken: return try await listAnew(insteadOf: location, after: error)
      case .denied where isElsewhere(location) || location.isSplit && mayHaveOtherHomes:
        return try await listAnew(insteadOf: location, after: error)
      case .unreachable where isElsewhere(location), .tryLater where isElsewhere(location):
        let silent = location.addresses
        guard let now = try await listWhereItIsNow(insteadOf: location, without: silent) else {
          throw error
        }
        return now
      case .unreachable, .tryLater, .denied, .cannotCreate, .io, .stopped: throw error
      }
    }
    let silent = listing.unseen.filter(\.trouble.mayPass).map(\.address)
      .filter { location.addresses.contains($0) }
    guard !silent.isEmpty, isElsewhere(location) else { return listing }
    return try await listWhereItIsNow(insteadOf: location, without: silent) ?? listing
  }

  /// One of several homes may be closed to the account, whose credentials are taken at others.
  private var mayHaveOtherHomes: Bool {
    !client.wasRefused || client.isRefusedAtCollection && client.shutOut == nil
  }

  /// Lists what a search found, which is what is known from then on.
  func list(_ found: Discovery.Found) async throws(StorageError) -> CalendarListing {
    var failed: [String] = []
    let listing = try await list(found.location, sparing: .any, noting: &failed)
    let place = FoundLocation(
      found.location, isGuessed: found.isGuessed, failedHomes: Set(failed),
      foundAt: surroundings.now(), trusting: options.trustedHosts,
      elsewhere: found.homesElsewhere)
    known.withLock { $0.found = place }
    return listing
  }

  /// Lists what is known, and forgets of the homes that failed those that have answered.
  private func list(_ location: AccountLocation) async throws(StorageError) -> CalendarListing {
    var failed: [String] = []
    let listing = try await list(location, sparing: .failedBefore, noting: &failed)
    known.withLock { [failed] in $0.found?.failedHomes.formIntersection(failed) }
    return listing
  }

  /// Reads what the location holds and keeps it for `open`.
  ///
  /// - Parameters:
  ///   - spared: home sets that cannot be listed, which is no error where another one answers.
  ///   - failed: gets those that are asked for in vain.
  private func list(
    _ location: AccountLocation, sparing spared: SparedHomes, noting failed: inout [String]
  ) async throws(StorageError) -> CalendarListing {
    var listing = HomeListing()
    switch location {
    case .calendar(let text): listing.calendars = [try await look(at: try parse(text))]
    case .homeSets(let homes):
      listing = try await listed(in: homes, sparing: spared, noting: &failed)
      known.withLock { [foreign = listing.foreign, elsewhere = listing.elsewhere] in
        $0.foreignOfListing = foreign.map(\.trustedName)
        $0.foreignCalendars = elsewhere
      }
    }
    var seen: Set<Href> = []
    let calendars = listing.calendars.filter { seen.insert($0.href).inserted }
    keep(calendars)
    known.withLock {
      if $0.listedAtFirst == nil { $0.listedAtFirst = Set(calendars.map(\.href)) }
    }
    learn(from: calendars)
    return CalendarListing(
      calendars: calendars.map(\.description).sorted {
        ($0.name, $0.identity) < ($1.name, $1.identity)
      }, unseen: listing.unseen)
  }

  /// Of several homes one may be gone or closed to the account, or on a server that does not answer
  /// or asks to wait, which does not harm the others. One that is not gone may hold calendars all
  /// the same, and is named. Others on a server that does not answer for now are not asked: each
  /// would be waited for anew.
  ///
  /// - Parameter failed: gets those that are asked for in vain.
  private func listed(
    in homes: [String], sparing spared: SparedHomes, noting failed: inout [String]
  ) async throws(StorageError) -> HomeListing {
    var listing = HomeListing()
    let failedBefore = found?.failedHomes ?? []
    var trouble: StorageError?
    var answered = 0
    var discovery = discovery
    // What a server of all of them asks for holds for all.
    let servers = Set(homes.map { (try? WebURL(absolute: $0))?.origin })
    discovery.waitsBriefly = servers.count > 1
    var ailing: [String: StorageError] = [:]
    for text in homes {
      let server = (try? WebURL(absolute: text))?.origin ?? text
      do throws(StorageError) {
        if let trouble = ailing[server] { throw trouble }
        listing.add(try await discovery.listing(of: try parse(text)))
        answered += 1
      } catch {
        if error.mayPass { ailing[server] = error }
        let isSpared =
          switch spared {
          case _ where error.mayPass: homes.count > 1
          case .any: error.isAboutOneAddress
          case .failedBefore: error.isAboutOneAddress && failedBefore.contains(text)
          }
        guard isSpared, !client.lacksToken else { throw error }
        if error.isAboutOneAddress { failed.append(text) }
        // What passes says the most: without that, there might have been an answer.
        let saysMore = trouble.map { $0.kind == .vanished || error.mayPass && !$0.mayPass }
        if saysMore ?? true { trouble = error }
        guard error.kind != .vanished else { continue }
        listing.unseen.append(UnseenPlace(text, error))
      }
    }
    if answered == 0, let trouble { throw trouble }
    return listing
  }

  /// A remembered address, which may be on another server than the configured one.
  private func parse(_ text: String) throws(StorageError) -> WebURL {
    do throws(HrefError) {
      let address = try WebURL(absolute: text)
      if options.trustedHosts.allow(address, namedBy: url) { client.trust(address.origin) }
      return address
    } catch {
      throw StorageError(
        .protocolBroken, "a remembered address cannot be used", why: error.reason,
        hint: "run `calgw discover`")
    }
  }

  private func isElsewhere(_ location: AccountLocation) -> Bool {
    switch location {
    case .calendar(let text): !text.hasPrefix(url.origin + "/")
    case .homeSets(let texts): !texts.allSatisfy { $0.hasPrefix(url.origin + "/") }
    }
  }
}

/// Which of several home sets may fail without harm to the others, but for what passes.
enum SparedHomes {
  /// Whichever it is: the location has just been found out.
  case any
  /// Those that have failed since then.
  case failedBefore
}
