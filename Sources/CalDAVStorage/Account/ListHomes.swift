import SyncModel
import WebDAV

extension CalDAVAccount {
  /// Of several homes one may be gone or closed to the account, or not answer for now, or ask to
  /// wait, which does not harm the others. One that is not gone may hold calendars all the same,
  /// and is named.
  ///
  /// Where one fails or asks to wait, others of its server are asked: it may be the only one for
  /// which something behind the server is broken, and for good. So a home that asks to wait is
  /// asked again when the others were, and of a server none of whose homes answers one alone is
  /// waited for. Others on a server that cannot be reached, or is silent, are not asked, since each
  /// would be waited for anew: those that failed the last time come after all others.
  ///
  /// - Parameter round: gets what comes of them, also where it throws.
  func listed(
    in homes: [String], sparing spared: SparedHomes, noting round: inout HomeRound
  ) async throws(StorageError) -> HomeListing {
    let ailing = found?.ailingHomes ?? []
    round = HomeRound(homes)
    let inOrder = homes.filter { !ailing.contains($0) } + ailing.filter(homes.contains)
    for home in inOrder { try await ask(for: home, sparing: spared, in: &round) }
    // The last ones may not have been asked at all yet.
    for home in inOrder.reversed() where round.isPutOff(home) {
      try await ask(for: home, sparing: spared, in: &round)
    }
    return try round.listing()
  }

  private func ask(
    for home: String, sparing spared: SparedHomes, in round: inout HomeRound
  ) async throws(StorageError) {
    if round.leavesOut(home) { return }
    var discovery = discovery
    discovery.waiting = round.waiting(for: home)
    var isSilent = false
    do throws(StorageError) {
      let address = try parse(home)
      let description: Discovery.Description
      do throws(DAVError) { description = try await discovery.describe(address, depth: 1) } catch {
        isSilent = error.kind == .unreachable || error.kind == .unanswered
        throw StorageError(error)
      }
      round.note(try await discovery.listing(by: description), of: home)
    } catch {
      let isSpared =
        switch spared {
        case _ where error.mayPass: round.homes.count > 1
        case .any: error.isAboutOneAddress
        case .failedBefore:
          error.isAboutOneAddress && found?.failedHomes.contains(home) ?? false
        }
      guard isSpared, !client.lacksToken else { throw error }
      round.note(error, of: home, isSilent: isSilent)
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

/// What comes of the home sets of an account in one listing.
struct HomeRound {
  /// In the order in which the server names them.
  let homes: [String]
  private var listings: [String: HomeListing] = [:]
  private var troubles: [String: StorageError] = [:]
  /// Those that were put off, for others to be asked first.
  private var putOff: Set<String> = []
  /// Servers that cannot be reached, are silent, or were waited for in vain, and by what that
  /// showed.
  private var silent: [String: StorageError] = [:]
  /// Servers that have asked to wait: what is said of further homes of theirs no request may have
  /// shown.
  private var resting: Set<String> = []
  /// Homes that were asked for, and did not answer for now.
  private(set) var ailing: [String] = []

  init(_ homes: [String] = []) { self.homes = homes }

  /// Those that have answered.
  var answered: [String] { homes.filter { listings[$0] != nil } }

  /// Those of which their servers say what another request would not change, as that they are gone.
  var refused: [String] { homes.filter { troubles[$0]?.isAboutOneAddress ?? false } }

  func isPutOff(_ home: String) -> Bool { putOff.contains(home) }

  /// How long a home is put off where its server asks to wait.
  func waiting(for home: String) -> DAVRequest.Waiting {
    let server = Self.server(of: home)
    let neighbours = homes.filter { Self.server(of: $0) == server }
    if neighbours.contains(where: { listings[$0] != nil }) { return .besideOthers }
    if neighbours.count > 1, !putOff.contains(home) { return .notNow }
    // What a server of all of them asks for holds for all.
    return neighbours.count < homes.count ? .briefly : .untilEnd
  }

  /// Whether a home is not asked for, since others of its server have shown what would come of it.
  mutating func leavesOut(_ home: String) -> Bool {
    guard let trouble = silent[Self.server(of: home)] else { return false }
    troubles[home] = troubles[home] ?? trouble
    return true
  }

  mutating func note(_ listing: HomeListing, of home: String) {
    listings[home] = listing
    troubles[home] = nil
    ailing.removeAll { $0 == home }
  }

  /// - Parameter isSilent: there was no answer at all.
  mutating func note(_ trouble: StorageError, of home: String, isSilent: Bool) {
    let server = Self.server(of: home)
    let waiting = waiting(for: home)
    // What it answered the first time stands, unless it says more by now.
    if !putOff.contains(home) || !trouble.mayPass { troubles[home] = trouble }
    guard trouble.mayPass else { return }
    if !resting.contains(server) { ailing.append(home) }
    if isSilent { silent[server] = trouble }
    guard case .tryLater = trouble.kind else { return }
    resting.insert(server)
    switch waiting {
    case .notNow: putOff.insert(home)
    case .untilEnd, .briefly: silent[server] = trouble
    case .besideOthers: break
    }
  }

  /// All that is listed; throws where nothing is.
  func listing() throws(StorageError) -> HomeListing {
    var listing = HomeListing()
    var trouble: StorageError?
    for home in homes {
      if let own = listings[home] { listing.add(own) }
      guard let error = troubles[home] else { continue }
      // What passes says the most: without that, there might have been an answer.
      let saysMore = trouble.map { $0.kind == .vanished || error.mayPass && !$0.mayPass }
      if saysMore ?? true { trouble = error }
      if error.kind != .vanished { listing.unseen.append(UnseenPlace(home, error)) }
    }
    if listings.isEmpty, let trouble { throw trouble }
    return listing
  }

  private static func server(of home: String) -> String {
    (try? WebURL(absolute: home))?.origin ?? home
  }
}
