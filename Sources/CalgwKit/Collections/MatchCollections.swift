import SyncModel

/// What the journal knows of a collection of a pair from earlier runs.
struct KnownCollection: Sendable, Hashable {
  /// The name in reports; the folder's, and never changed afterwards.
  var name: String
  /// How the local collection was addressed.
  var local: Href
  /// What made the remote collection the one it was.
  var remoteIdentity: String
  /// How the remote collection was addressed.
  var remote: Href
  /// The mapping that joined them; nil where none did.
  var mapping: CollectionMapping?
  /// What the remote collection was called by people.
  var remoteName = ""

  /// What a configuration may call it by, whether or not it is there.
  var names: [String] {
    remoteName.isEmpty ? [name] : [name, remoteName, nameAsTyped(remoteName)]
  }
}

/// A collection of a pair with what is there on each side.
struct MatchedCollection: Sendable, Hashable {
  enum Counterpart: Sendable, Hashable {
    case present(CollectionDescription)
    /// Never met before on this side: to be made, if the rules for it allow.
    case missing(CollectionProposal)
    /// It was there in an earlier run and is not any more.
    case gone(Href)
    /// A mapping calls it so, where earlier runs had another one, and nothing is called so.
    case unknown(String)
    /// Earlier runs had it, and a mapping gives it to another folder now.
    case given(Href, to: String)
    /// The configuration calls one so, and neither side has it, or ever had.
    case nobody(String)
  }

  var name: String
  var local: Counterpart
  var remote: Counterpart
  /// The mapping that joins them; nil where none does.
  var mapping: CollectionMapping?
}

/// Joins the collections of two sides: first those of mappings that were written since the journal
/// joined any, then those that the journal joined before, then those of the other mappings, then
/// equal names, ids and display names. What is left over on a side is matched with one to be made.
///
/// - Parameters:
///   - repointed: sides that are another place than in earlier runs: what was known there is not
///     gone, it was never in this place.
///   - isOffline: the remote side is what the journal remembers, so nobody can say what a new
///     mapping means.
func matchCollections(
  local: [CollectionDescription], remote: [CollectionDescription], known: [KnownCollection],
  rules: [CollectionRule], repointed: Set<Side> = [], isOffline: Bool = false
) -> [MatchedCollection] {
  var matching = Matching(local: local, remote: remote, rules: CollectionRules(rules))
  let rest = isOffline ? known : matching.joinRemapped(known, repointed)
  matching.joinKnown(rest, repointed)
  matching.joinMapped()
  matching.joinByName()
  let vain = isOffline ? [] : matching.rules.namedInVain(local, remote, known)
  matching.joinRest()
  let names = Set(matching.matched.map(\.name))
  matching.matched += vain.filter { !names.contains($0.name) }
  return matching.matched.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
}

/// The state of a matching: what is not joined yet, and what is.
private struct Matching {
  var local: [CollectionDescription]
  var remote: [CollectionDescription]
  let rules: CollectionRules
  var matched: [MatchedCollection] = []
  /// Folder names that are given away, present or remembered.
  var taken: Set<String>
  /// By their identities, the remote collections that new mappings name, with whose they are now.
  var given: [String: String] = [:]

  init(local: [CollectionDescription], remote: [CollectionDescription], rules: CollectionRules) {
    self.local = local
    self.remote = remote
    self.rules = rules
    taken = Set(local.map(\.name))
  }

  /// A mapping that a person wrote, or changed, since its collections were joined goes before what
  /// the journal has. One that is as it was follows what it joined, whatever that is called today.
  /// Gives the known collections that no such mapping concerns.
  mutating func joinRemapped(_ known: [KnownCollection], _ repointed: Set<Side>)
    -> [KnownCollection]
  {
    let owners = Dictionary(
      known.map { (localName(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var settled: Set<String> = []
    var left: Set<String> = []
    for map in rules.maps {
      let meant = remotes(meantBy: map)
      let holder = known.first { holder in
        meant.contains { $0.identity == holder.remoteIdentity }
      }
      if let own = owners[map.local] {
        let isSame = meant.contains { $0.identity == own.remoteIdentity }
        if isSame || own.mapping == map || isElsewhere(own, repointed) { continue }
        guard join(map, insteadOf: own) else { continue }
        settled.insert(own.name)
        if meant.isEmpty { left.insert(own.remoteIdentity) }
      } else if let holder, holder.mapping != map {
        // Else the folder was renamed since, and keeps what the mapping gave it.
        join(map)
      }
    }
    // Until a person mends the mapping, what it had before stays where it is, too.
    remote.removeAll { left.contains($0.identity) }
    return known.filter { !settled.contains($0.name) }
  }

  /// An id is unique, a display name need not be.
  private func remotes(meantBy map: CollectionMapping) -> [CollectionDescription] {
    let found = remote.filter { $0.answers(to: map.remote) }
    let exact = found.filter { $0.name == map.remote }
    return exact.isEmpty ? found : exact
  }

  /// What a known collection's folder is called today; what it was called where it is gone.
  private func localName(of known: KnownCollection) -> String {
    local.first { $0.href == known.local }?.name ?? known.name
  }

  /// A known collection was in another place than the pair has now.
  private func isElsewhere(_ known: KnownCollection, _ repointed: Set<Side>) -> Bool {
    let isHere = local.contains { $0.href == known.local }
    let isThere = remote.contains { $0.identity == known.remoteIdentity }
    return !isHere && repointed.contains(.local) || !isThere && repointed.contains(.remote)
  }

  /// A known collection stays what it is, whatever its names are today, unless the rules leave it
  /// out. It is never made again on a side where it is gone.
  mutating func joinKnown(_ known: [KnownCollection], _ repointed: Set<Side>) {
    for known in known {
      let local = self.local.first { $0.href == known.local }
      let remote = self.remote.first { $0.identity == known.remoteIdentity }
      if local == nil, remote == nil { continue }
      if local == nil, repointed.contains(.local) { continue }
      if remote == nil, repointed.contains(.remote) { continue }
      let mapping = mapping(of: known, local, remote)
      self.local.removeAll { $0.href == known.local }
      self.remote.removeAll { $0.identity == known.remoteIdentity }
      taken.insert(known.name)
      var names = known.names
      names += [local, remote].compactMap { $0 }.flatMap(\.names)
      guard mapping != nil || rules.select(names) else { continue }
      let missing = given[known.remoteIdentity].map {
        MatchedCollection.Counterpart.given(known.remote, to: $0)
      }
      matched.append(
        MatchedCollection(
          name: known.name, local: local.map { .present($0) } ?? .gone(known.local),
          remote: remote.map { .present($0) } ?? missing ?? .gone(known.remote),
          mapping: mapping))
    }
  }

  private func mapping(
    of known: KnownCollection, _ local: CollectionDescription?, _ remote: CollectionDescription?
  ) -> CollectionMapping? {
    let name = local?.name ?? known.name
    if let own = rules.maps.first(where: { $0.local == name }) { return own }
    if let former = rules.maps.first(where: { $0 == known.mapping }) { return former }
    return rules.maps.first { map in
      map.local == known.name || (remote.map { $0.answers(to: map.remote) } ?? false)
    }
  }

  mutating func joinMapped() {
    for map in rules.maps {
      let isJoined = matched.contains { $0.name == map.local || $0.mapping == map }
      if !isJoined { join(map) }
    }
  }

  /// Joins what a mapping names, in the place of what was known of its folder; false where neither
  /// is there.
  @discardableResult
  private mutating func join(
    _ map: CollectionMapping, insteadOf known: KnownCollection? = nil
  ) -> Bool {
    let local = takeLocal { folder in
      known.map { $0.local == folder.href } ?? (folder.name == map.local)
    }
    let meant = remotes(meantBy: map).first
    let remote = takeRemote { $0.identity == meant?.identity }
    if local == nil, remote == nil { return false }
    let name = known?.name ?? map.local
    taken.insert(name)
    if let remote { given[remote.identity] = name }
    let localSide: MatchedCollection.Counterpart =
      known.map { .gone($0.local) } ?? .missing(remote.proposal(named: map.local))
    let remoteSide: MatchedCollection.Counterpart =
      known.map { _ in .unknown(map.remote) } ?? .missing(local.proposal(named: map.remote))
    matched.append(
      MatchedCollection(
        name: name, local: local.map { .present($0) } ?? localSide,
        remote: remote.map { .present($0) } ?? remoteSide, mapping: map))
    return true
  }

  mutating func joinByName() {
    let tests: [(CollectionDescription, CollectionDescription) -> Bool] = [
      { $0.name == $1.name },
      { $0.typedName != nil && $0.typedName == $1.typedName },
      { $0.name == $1.typedName || ($1.displayName.flatMap(slug) == $0.name) },
    ]
    for isSame in tests {
      for candidate in local {
        let counterparts = remote.filter { isSame(candidate, $0) }
        // Two calendars of one name: a person has to say which.
        guard counterparts.count == 1, let found = counterparts.first else { continue }
        guard rules.select(candidate.names + found.names) else { continue }
        _ = takeLocal { $0.href == candidate.href }
        _ = takeRemote { $0.href == found.href }
        matched.append(
          MatchedCollection(
            name: candidate.name, local: .present(candidate), remote: .present(found)))
      }
    }
  }

  /// What only one side has.
  mutating func joinRest() {
    for collection in remote where rules.select(collection.names) {
      let name = folderName(for: collection, taken: taken)
      taken.insert(name)
      matched.append(
        MatchedCollection(
          name: name, local: .missing(Optional(collection).proposal(named: name)),
          remote: .present(collection)))
    }
    for collection in local where rules.select(collection.names) {
      matched.append(
        MatchedCollection(
          name: collection.name, local: .present(collection),
          remote: .missing(Optional(collection).proposal(named: collection.name))))
    }
    local = []
    remote = []
  }

  private mutating func takeLocal(_ test: (CollectionDescription) -> Bool)
    -> CollectionDescription?
  {
    local.firstIndex(where: test).map { local.remove(at: $0) }
  }

  private mutating func takeRemote(_ test: (CollectionDescription) -> Bool)
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

  /// Its display name as a person types it; nil where it has none.
  fileprivate var typedName: String? {
    displayName.map(nameAsTyped).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True if `text` is its id, its display name, its path, or the end of a URL with its path.
  func answers(to text: String) -> Bool {
    if text == name || text == displayName { return true }
    if let typedName, nameAsTyped(text) == typedName { return true }
    return text.contains("/") && namesPath(text)
  }
}

extension CollectionDescription? {
  /// What a counterpart of this collection shall be.
  fileprivate func proposal(named name: String) -> CollectionProposal {
    CollectionProposal(
      name: name, displayName: self?.displayName, color: self?.color,
      components: self?.components)
  }
}
