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

  /// Lists what a search found, which is what is known from then on. So it is where none of several
  /// homes answers for now and nothing else was known: the next run begins with another one.
  func list(_ found: Discovery.Found) async throws(StorageError) -> CalendarListing {
    var round = HomeRound()
    do throws(StorageError) {
      let listing = try await list(found.location, sparing: .any, noting: &round)
      keep(found, with: round)
      return listing
    } catch {
      if error.mayPass, round.homes.count > 1, self.found == nil, found.unseen.isEmpty {
        keep(found, with: round)
      }
      throw error
    }
  }

  private func keep(_ found: Discovery.Found, with round: HomeRound) {
    var place = FoundLocation(
      found.location, isGuessed: found.isGuessed, failedHomes: Set(round.refused),
      foundAt: surroundings.now(), trusting: options.trustedHosts,
      elsewhere: found.homesElsewhere)
    place.note(ailing: round.ailing, answered: round.answered)
    known.withLock { [place] in $0.found = place }
  }

  /// Lists what is known, and forgets of the homes that failed those that have answered. Which of
  /// them did not answer for now is noted although none did.
  private func list(_ location: AccountLocation) async throws(StorageError) -> CalendarListing {
    var round = HomeRound()
    defer {
      known.withLock { [ailing = round.ailing, answered = round.answered] in
        $0.found?.note(ailing: ailing, answered: answered)
      }
    }
    let listing = try await list(location, sparing: .failedBefore, noting: &round)
    known.withLock { [refused = round.refused] in
      $0.found?.failedHomes.formIntersection(refused)
    }
    return listing
  }

  /// Reads what the location holds and keeps it for `open`.
  ///
  /// - Parameters:
  ///   - spared: home sets that cannot be listed, which is no error where another one answers.
  ///   - round: gets what comes of the home sets.
  private func list(
    _ location: AccountLocation, sparing spared: SparedHomes, noting round: inout HomeRound
  ) async throws(StorageError) -> CalendarListing {
    var listing = HomeListing()
    switch location {
    case .calendar(let text): listing.calendars = [try await look(at: try parse(text))]
    case .homeSets(let homes):
      listing = try await listed(in: homes, sparing: spared, noting: &round)
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

  /// A remembered address, which may be on another server than the configured one.
  func parse(_ text: String) throws(StorageError) -> WebURL {
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
