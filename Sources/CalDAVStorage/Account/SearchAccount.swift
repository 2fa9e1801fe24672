import SyncModel
import Synchronization
import WebDAV

/// The search for an account, by which homes are found that it has got since the last one.
extension CalDAVAccount {
  /// Where the account's URL leads to by now.
  func search(isGuessing: Bool) async throws(StorageError) -> Discovery.Found {
    var foreign: [String] = []
    defer { known.withLock { [foreign] in $0.foreignHosts = foreign } }
    let found = try await discovery.run(foreign: &foreign, isGuessing: isGuessing)
    known.withLock { $0.otherOrigins = found.otherOrigins }
    return found
  }

  /// Searches anew where that is due, and lists what it finds, where that has every home that was
  /// known: the account has more by now, or the same. Nil where what was known stays, which is to
  /// be listed then: none was due, or it came to nothing, or leads elsewhere.
  func listHomesOfNow(besides former: FoundLocation) async throws(StorageError) -> CalendarListing?
  {
    guard former.isDue(at: surroundings.now(), trusting: options.trustedHosts) else { return nil }
    let found: Discovery.Found
    do throws(StorageError) { found = try await search(isGuessing: mayGuess) } catch {
      if error.kind == .stopped || isRefused || standing(of: former).isEmpty { throw error }
      noteSearch(isInVain: true)
      return nil
    }
    guard found.unseen.isEmpty, holds(found.location, all: standing(of: former)) else {
      noteSearch(isInVain: !found.unseen.isEmpty)
      return nil
    }
    return try await list(found)
  }

  /// The credentials are refused, and not merely at one address.
  private var isRefused: Bool {
    guard client.wasRefused else { return false }
    return client.lacksToken || client.shutOut != nil
      || !client.isRefusedAtCollection && !client.isLetInElsewhere
  }

  /// Of the places that were known, those that count: not what has failed since the last search,
  /// and not what is on a server for which nobody vouches any more.
  private func standing(of former: FoundLocation) -> [WebURL] {
    former.location.addresses.filter { !former.failedHomes.contains($0) }
      .compactMap { try? WebURL(absolute: $0) }
      .filter { client.trusts($0.origin) || options.trustedHosts.allow($0, namedBy: url) }
  }

  private func holds(_ location: AccountLocation, all places: [WebURL]) -> Bool {
    guard case .homeSets(let homes) = location else { return false }
    let found = homes.compactMap { try? WebURL(absolute: $0) }
    return places.allSatisfy { place in found.contains { $0.isSameCollection(as: place) } }
  }

  private func noteSearch(isInVain: Bool) {
    let (now, hosts) = (surroundings.now(), options.trustedHosts)
    known.withLock { $0.found?.noteSearch(at: now, trusting: hosts, isInVain: isInVain) }
  }
}
