import SyncModel
import Synchronization
import WebDAV

/// The search for an account, by which homes are found that it has got since the last one.
extension CalDAVAccount {
  /// Where the account's URL leads to by now.
  ///
  /// - Parameter isBrief: what is known is used where a server asks to wait.
  func search(
    isGuessing: Bool, isBrief: Bool = false
  ) async throws(StorageError) -> Discovery.Found {
    var foreign: [String] = []
    defer { known.withLock { [foreign] in $0.foreignHosts = foreign } }
    var discovery = discovery
    discovery.waiting = isBrief ? .briefly : .untilEnd
    let found = try await discovery.run(foreign: &foreign, isGuessing: isGuessing)
    known.withLock { $0.otherOrigins = found.otherOrigins }
    return found
  }

  /// Searches anew where that is due, and lists what is known by then: the homes that were found,
  /// and those that were known and are named no more, which may answer all the same. Nil where the
  /// homes stay as they were: none was due, or it came to nothing, or leads to others alone.
  func listHomesOfNow() async throws(StorageError) -> CalendarListing? {
    let now = surroundings.now()
    guard let former = found, former.isDue(at: now, trusting: options.trustedHosts) else {
      return nil
    }
    let standing = standing(of: former)
    var found: Discovery.Found
    do throws(StorageError) {
      found = try await search(isGuessing: mayGuess, isBrief: !standing.isEmpty)
    } catch {
      if error.kind == .stopped || isRefused || standing.isEmpty { throw error }
      noteSearch(isInVain: true)
      return nil
    }
    guard found.unseen.isEmpty, case .homeSets(let homes) = found.location else {
      noteSearch(isInVain: !found.unseen.isEmpty)
      return nil
    }
    let addresses = homes.compactMap { try? WebURL(absolute: $0) }
    let others = standing.filter { known in !addresses.contains { $0.isSameCollection(as: known) } }
    let isElsewhere = !standing.isEmpty && others.count == standing.count
    found.location = .homeSets(homes + others.map(\.text))
    if isElsewhere || found.location == former.location {
      noteSearch(isInVain: false, elsewhere: found.homesElsewhere)
      return nil
    }
    // What an earlier listing of this run had is in this one.
    known.withLock { $0.listedAtFirst = nil }
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

  /// - Parameter homes: those that it found on other servers; nil: as before.
  private func noteSearch(isInVain: Bool, elsewhere homes: [String]? = nil) {
    let (now, hosts) = (surroundings.now(), options.trustedHosts)
    known.withLock {
      $0.found?.noteSearch(at: now, trusting: hosts, isInVain: isInVain, elsewhere: homes)
    }
  }
}
