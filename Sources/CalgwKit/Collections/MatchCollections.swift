import SyncModel

/// Joins the collections of two sides: first those of mappings that were written since the journal
/// joined any, then those that the journal joined before, then those of the other mappings, then
/// equal names, ids and display names. What is left over on a side is matched with one to be made.
/// What their items say goes before names (`Matching.join`), where somebody has looked at them.
///
/// - Parameters:
///   - repointed: sides that are another place than in earlier runs: what was known there is not
///     gone, it was never in this place.
///   - isOffline: the remote side is what the journal remembers, so nobody can say what a new
///     mapping means.
///   - areServers: a server may not list what it has, so what neither side shows is told; a folder
///     that went with its counterpart is no news.
package func matchCollections(
  local: [CollectionDescription], remote: [CollectionDescription], known: [KnownCollection],
  rules: [CollectionRule], repointed: Set<Side> = [], isOffline: Bool = false,
  areServers: Bool = false
) -> [MatchedCollection] {
  var matching = Matching(
    local: local, remote: remote, known: known, rules: CollectionRules(rules),
    isOffline: isOffline, areServers: areServers)
  matching.joinSettled(repointed)
  matching.joinOthers()
  return matching.sorted
}

/// The state of a matching: what is not joined yet, and what is.
struct Matching {
  var local: [CollectionDescription]
  var remote: [CollectionDescription]
  let known: [KnownCollection]
  let rules: CollectionRules
  /// The remote side is what the journal remembers.
  let isOffline: Bool
  /// Both sides are servers.
  let areServers: Bool
  /// All of the local side, joined or not.
  let folders: [CollectionDescription]
  /// All of the remote side, joined or not; empty where nobody has looked at it.
  let listed: [CollectionDescription]
  var matched: [MatchedCollection] = []
  /// Folder names that are given away, present or remembered.
  var taken: Set<String>
  /// By their identities, the remote collections that new mappings name, or that several known
  /// collections had, with whose they are now.
  var given: [String: String] = [:]
  /// The identities of what mappings may mean that a person has to mend.
  var undecided: Set<String> = []
  /// The mappings that mean what another one means, too, and do not keep it.
  var contests: [CollectionMapping: Contest] = [:]
  /// The identities of what the other mappings mean.
  var claimed: Set<String> = []

  /// The parameters are those of `matchCollections`.
  init(
    local: [CollectionDescription], remote: [CollectionDescription], known: [KnownCollection],
    rules: CollectionRules, isOffline: Bool, areServers: Bool
  ) {
    folders = rules.withoutProbes(local, known)
    self.local = folders
    self.remote = rules.withoutProbes(remote, known)
    self.known = known
    self.rules = rules
    self.isOffline = isOffline
    self.areServers = areServers
    listed = isOffline ? [] : self.remote
    taken = Set(folders.map(\.name))
  }

  /// What was joined, by name.
  var sorted: [MatchedCollection] {
    matched.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Joins what mappings and earlier runs say.
  mutating func joinSettled(_ repointed: Set<Side>) {
    let rest = isOffline ? known : joinRemapped(known, repointed)
    giveToOne(rest, repointed)
    joinKnown(rest, repointed)
    joinMapped()
  }

  /// Joins by names what is left, and gives the rest.
  mutating func joinOthers() {
    joinByName()
    let vain = isOffline ? [] : rules.namedInVain(folders, listed, known)
    joinRest()
    let names = Set(matched.map(\.name))
    matched += vain.filter { !names.contains($0.name) }
  }

  /// A known collection stays what it is, whatever its names are today, unless the rules leave it
  /// out. It is never made again on a side where it is gone.
  mutating func joinKnown(_ known: [KnownCollection], _ repointed: Set<Side>) {
    for known in known {
      let local = self.local.first { $0.href == known.local }
      let owner = given[known.remoteIdentity]
      let remote = self.remote.first { other in
        other.identity == known.remoteIdentity && (owner ?? known.name) == known.name
      }
      let isGivenAway = (owner ?? known.name) != known.name
      if local == nil, remote == nil, !areServers || isGivenAway { continue }
      let elsewhere = repointed.union(known.elsewhere)
      if local == nil, elsewhere.contains(.local) { continue }
      if remote == nil, owner == nil, elsewhere.contains(.remote) { continue }
      let mapping = mapping(of: known, local, remote)
      self.local.removeAll { $0.href == known.local }
      if let remote { self.remote.removeAll { $0.identity == remote.identity } }
      taken.insert(known.name)
      var names = known.names
      names += [local, remote].compactMap { $0 }.flatMap(\.names)
      guard mapping != nil || rules.select(names) else { continue }
      let missing = owner.flatMap { owner -> MatchedCollection.Counterpart? in
        owner == known.name ? nil : .given(known.remote, to: owner)
      }
      matched.append(
        MatchedCollection(
          name: known.name, local: local.map { .present($0) } ?? .gone(known.local),
          remote: remote.map { .present($0) } ?? missing ?? .gone(known.remote),
          mapping: mapping))
    }
  }

  /// What makes a folder and a calendar two of one name, the surest first.
  static var tests: [(CollectionDescription, CollectionDescription) -> Bool] {
    [
      { $0.name == $1.name },
      { $0.typedName != nil && $0.typedName == $1.typedName },
      { $0.name == $1.typedName || $0.hasName(madeOf: $1) && !$0.callsItselfOtherwise(than: $1) },
    ]
  }

  mutating func joinByName() {
    for isSame in Self.tests {
      for candidate in local {
        let counterparts = remote.filter { isSame(candidate, $0) }
        // Two calendars or folders of one name: a person has to say which.
        guard counterparts.count == 1, let found = counterparts.first else { continue }
        guard rules.select(candidate.names + found.names) else { continue }
        guard claimants(of: found, by: isSame).count == 1 else { continue }
        _ = takeLocal { $0.href == candidate.href }
        _ = takeRemote { $0.href == found.href }
        matched.append(
          MatchedCollection(
            name: freeName(like: candidate), local: .present(candidate), remote: .present(found)))
      }
    }
  }

  /// What only one side has.
  mutating func joinRest() {
    for collection in namingOrder(of: remote, among: listed) {
      let name = folderName(for: collection, among: listed, taken: taken)
      // By that name, too, it is known from the next run on.
      guard rules.select(collection.names + [name]) else { continue }
      taken.insert(name)
      var alone = MatchedCollection(
        name: name, local: .missing(Optional(collection).proposal(named: name)),
        remote: .present(collection))
      alone.rivals = local.filter { candidate in
        rules.select(candidate.names + collection.names)
          && rivals(for: candidate).contains { $0.identity == collection.identity }
      }
      matched.append(alone)
    }
    for collection in local where rules.select(collection.names) {
      var alone = MatchedCollection(
        name: freeName(like: collection), local: .present(collection),
        remote: .missing(Optional(collection).proposal(named: collection.name)))
      alone.rivals = rivals(for: collection)
      matched.append(alone)
    }
    local = []
    remote = []
  }

  /// Several of the remote side that have the name of a local collection, joined or not, or the one
  /// that is free and has the name of several; none where the surest test finds one for it alone.
  private func rivals(for candidate: CollectionDescription) -> [CollectionDescription] {
    for isSame in Self.tests {
      let found = listed.filter { isSame(candidate, $0) }
      guard let first = found.first else { continue }
      if found.count > 1 { return found }
      let isFree = remote.contains { $0.identity == first.identity }
      return isFree && claimants(of: first, by: isSame).count > 1 ? found : []
    }
    return []
  }

  /// The local collections without a counterpart that have the name of a remote one, but for those
  /// that the rules leave out.
  private func claimants(
    of found: CollectionDescription,
    by isSame: (CollectionDescription, CollectionDescription) -> Bool
  ) -> [CollectionDescription] {
    local.filter { isSame($0, found) && rules.select($0.names + found.names) }
  }

  /// The name of a collection that is new: its own, if no known one has that from another place.
  func freeName(like collection: CollectionDescription) -> String {
    let used = Set(matched.map(\.name))
    guard used.contains(collection.name) else { return collection.name }
    var number = 2
    func numbered() -> String { "\(collection.name)-\(number)" }
    while used.contains(numbered()) || taken.contains(numbered()) { number += 1 }
    return numbered()
  }

  mutating func takeLocal(_ test: (CollectionDescription) -> Bool)
    -> CollectionDescription?
  {
    local.firstIndex(where: test).map { local.remove(at: $0) }
  }

  mutating func takeRemote(_ test: (CollectionDescription) -> Bool)
    -> CollectionDescription?
  {
    remote.firstIndex(where: test).map { remote.remove(at: $0) }
  }
}

extension CollectionDescription {
  /// All that a rule may call it by.
  var names: [String] {
    let asTyped = typedName.flatMap { $0 == displayName ? nil : $0 }
    return [name] + [displayName, asTyped].compactMap { $0 }
  }

  /// A folder of that name would be its own.
  func isCalled(_ folder: String) -> Bool {
    (names + [displayName.flatMap(slug)].compactMap { $0 }).contains(folder)
  }

  /// Its display name as a person types it; nil where it has none.
  fileprivate var typedName: String? {
    displayName.map(nameAsTyped).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Its name is what is made of the other one's display name for a folder.
  fileprivate func hasName(madeOf other: CollectionDescription) -> Bool {
    other.displayName.flatMap(slug) == name
  }

  /// It has a display name of its own, and not in letter case or punctuation alone another one.
  fileprivate func callsItselfOtherwise(than other: CollectionDescription) -> Bool {
    typedName != nil && displayName.flatMap(slug) != other.displayName.flatMap(slug)
  }

  /// True if `text` is its id, its display name, its path, or the end of a URL with its path.
  package func answers(to text: String) -> Bool {
    if text == name || text == displayName { return true }
    if let typedName, nameAsTyped(text) == typedName { return true }
    return isAddress(text) && namesPath(text)
  }
}

extension CollectionDescription? {
  /// What a counterpart of this collection shall be.
  func proposal(named name: String) -> CollectionProposal {
    CollectionProposal(
      name: name, displayName: self?.displayName, color: self?.color,
      components: self?.components)
  }
}
