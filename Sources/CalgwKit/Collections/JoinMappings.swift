import SyncModel

/// What the mappings of a configuration join.
extension Matching {
  /// A mapping that a person wrote, or changed, since its collections were joined goes before what
  /// the journal has. One that is as it was follows what it joined, whatever that is called today.
  /// Gives the known collections that no such mapping concerns.
  mutating func joinRemapped(_ known: [KnownCollection], _ repointed: Set<Side>)
    -> [KnownCollection]
  {
    let owners = Dictionary(
      known.map { (localName(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    findContests(known, owners, repointed)
    var settled: Set<String> = []
    var left: Set<String> = []
    for map in rules.maps {
      if contests[map] != nil {
        if let own = holder(of: map, known, owners), !isElsewhere(own, repointed) {
          leaveUndecided(map, insteadOf: own)
          settled.insert(own.name)
          leave(own, &left)
        }
        continue
      }
      let meant = meaning(of: map, among: listed)
      let holders = known.filter { holder in
        meant.contains { $0.identity == holder.remoteIdentity }
      }
      if let own = owners[map.local] {
        let isSame = meant.contains { $0.identity == own.remoteIdentity }
        if isSame || own.mapping == map || isElsewhere(own, repointed) { continue }
        let isClear = !isAmbiguous(map)
        if isClear {
          guard join(map, insteadOf: own) else { continue }
        } else {
          leaveUndecided(map, insteadOf: own)
        }
        settled.insert(own.name)
        if meant.isEmpty || !isClear { leave(own, &left) }
      } else if !holders.isEmpty, !holders.contains(where: { $0.mapping == map }),
        !isAmbiguous(map)
      {
        // Else the folder was renamed since, and keeps what the mapping gave it.
        join(map)
      }
    }
    // Until a person mends the mapping, what it had before stays where it is, too.
    remote.removeAll { left.contains($0.identity) }
    return known.filter { !settled.contains($0.name) }
  }

  mutating func joinMapped() {
    for map in rules.maps {
      let isJoined = matched.contains { $0.name == map.local || $0.mapping == map }
      if isJoined { continue }
      if contests[map] != nil || isAmbiguous(map) { leaveUndecided(map) } else { join(map) }
    }
    // Whatever a person is to choose from gets no folder of its own before, and no other calendar
    // is made beside it for a folder of its name.
    let waiting = remote.filter { undecided.contains($0.identity) }
    remote.removeAll { undecided.contains($0.identity) }
    local.removeAll { folder in
      waiting.contains { calendar in Self.tests.contains { $0(folder, calendar) } }
    }
  }

  /// Says of each remote collection that several known ones had whose it is now: a mapping has
  /// taken it from one folder for another, and the first one keeps what was agreed on with it.
  mutating func giveToOne(_ known: [KnownCollection], _ repointed: Set<Side>) {
    for collection in known where given[collection.remoteIdentity] == nil {
      let identity = collection.remoteIdentity
      let sharing = known.filter { $0.remoteIdentity == identity }
      let isThere = remote.contains { $0.identity == identity }
      let elsewhere = repointed.union(collection.elsewhere)
      guard sharing.count > 1, isThere || !elsewhere.contains(.remote) else { continue }
      let owner = sharing.max { claim(of: $0) < claim(of: $1) }
      given[identity] = owner?.name
    }
  }

  /// How much speaks for a known collection having its remote one still: a mapping says so, or
  /// joined it and stands; a name asks for it; its folder is there; a mapping had given it the
  /// remote one.
  private func claim(of known: KnownCollection) -> Int {
    let folder = local.first { $0.href == known.local }
    let name = folder?.name ?? known.name
    let isNamed = rules.maps.contains { map in
      map.local == name
        && meaning(of: map, among: listed).contains { $0.identity == known.remoteIdentity }
    }
    let isMapped = rules.maps.contains { $0 == known.mapping }
    let isAsked = rules.select(known.names + (folder?.names ?? []))
    let reasons = [isNamed, isMapped, isAsked, folder != nil, known.mapping != nil]
    return reasons.reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
  }

  /// The mapping by which a known collection is asked for; nil where none is meant.
  func mapping(
    of known: KnownCollection, _ local: CollectionDescription?, _ remote: CollectionDescription?
  ) -> CollectionMapping? {
    let name = local?.name ?? known.name
    let maps = rules.maps.filter { contests[$0] == nil }
    if let own = maps.first(where: { $0.local == name }) { return own }
    if let former = maps.first(where: { $0 == known.mapping }) { return former }
    return maps.first { map in
      if map.local == known.name { return true }
      guard let remote else { return false }
      return listed.isEmpty
        ? remote.answers(to: map.remote) : meaning(of: map, among: listed) == [remote]
    }
  }

  // MARK: Parts

  /// Joins what a mapping names, in the place of what was known of its folder; false where neither
  /// is there.
  @discardableResult
  private mutating func join(
    _ map: CollectionMapping, insteadOf known: KnownCollection? = nil
  ) -> Bool {
    let local = takeFolder(of: map, known)
    let meant = meaning(of: map, among: remote).first
    let remote = takeRemote { $0.identity == meant?.identity }
    if local == nil, remote == nil { return false }
    let name = known?.name ?? map.local
    taken.insert(name)
    if let remote { given[remote.identity] = name }
    let localSide: MatchedCollection.Counterpart =
      known.map { .gone($0.local) } ?? .missing(remote.proposal(named: map.local))
    // A path that leads nowhere is a mistake, and no name for people.
    let unmet: MatchedCollection.Counterpart =
      isAddress(map.remote) && !isOffline
      ? .nobody(map.remote) : .missing(local.proposal(named: map.remote))
    let remoteSide: MatchedCollection.Counterpart =
      known.map { _ in .unknown(map.remote) } ?? unmet
    matched.append(
      MatchedCollection(
        name: name, local: local.map { .present($0) } ?? localSide,
        remote: remote.map { .present($0) } ?? remoteSide, mapping: map))
    return true
  }

  /// What a folder had before stays where it is, unless another mapping asks for it.
  private mutating func leave(_ own: KnownCollection, _ left: inout Set<String>) {
    if claimed.contains(own.remoteIdentity) { return }
    left.insert(own.remoteIdentity)
    given[own.remoteIdentity] = given[own.remoteIdentity] ?? own.name
  }

  /// Takes the folder of a mapping that may mean several collections, or what another one means,
  /// out of the matching.
  private mutating func leaveUndecided(
    _ map: CollectionMapping, insteadOf known: KnownCollection? = nil
  ) {
    let local = takeFolder(of: map, known)
    let contest = contests[map]
    let candidates =
      contest.map { [$0.calendar].compactMap { $0 } } ?? meaning(of: map, among: listed)
    let name = known?.name ?? map.local
    taken.insert(name)
    undecided.formUnion(candidates.map(\.identity))
    let proposal = CollectionProposal(name: map.local, displayName: nil, color: nil)
    matched.append(
      MatchedCollection(
        name: name, local: local.map { .present($0) } ?? .missing(proposal),
        remote: .unknown(map.remote), mapping: map, candidates: candidates, contest: contest))
  }

  private mutating func takeFolder(
    of map: CollectionMapping, _ known: KnownCollection?
  ) -> CollectionDescription? {
    takeLocal { folder in known.map { $0.local == folder.href } ?? (folder.name == map.local) }
  }

  /// What a mapping may mean of some remote collections.
  private func meaning(
    of map: CollectionMapping, among collections: [CollectionDescription]
  ) -> [CollectionDescription] {
    collections.meant(by: map.remote)
  }

  /// A display name need not be unique.
  private func isAmbiguous(_ map: CollectionMapping) -> Bool {
    meaning(of: map, among: listed).count > 1
  }

  /// What a known collection's folder is called today; what it was called where it is gone.
  func localName(of known: KnownCollection) -> String {
    local.first { $0.href == known.local }?.name ?? known.name
  }

  /// A known collection was in another place than the pair has now.
  func isElsewhere(_ known: KnownCollection, _ repointed: Set<Side>) -> Bool {
    let isHere = local.contains { $0.href == known.local }
    let isThere = remote.contains { $0.identity == known.remoteIdentity }
    let elsewhere = repointed.union(known.elsewhere)
    return !isHere && elsewhere.contains(.local) || !isThere && elsewhere.contains(.remote)
  }
}

extension [CollectionDescription] {
  /// What a text of a configuration may mean: several where a display name is not unique. An id
  /// goes before a display name, and an address before others that have its path on another server.
  func meant(by text: String) -> [CollectionDescription] {
    let found = filter { $0.answers(to: text) }
    let exact = found.filter { $0.isExactly(text) }
    return exact.isEmpty ? found : exact
  }
}

extension CollectionDescription {
  /// It has a text for its id or its address.
  func isExactly(_ text: String) -> Bool { [name, href.text, identity].contains(text) }
}
