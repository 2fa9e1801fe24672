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
}

/// A collection of a pair with what is there on each side.
struct MatchedCollection: Sendable, Hashable {
  enum Counterpart: Sendable, Hashable {
    case present(CollectionDescription)
    /// Never met before on this side: to be made, if the rules for it allow.
    case missing(CollectionProposal)
    /// It was there in an earlier run and is not any more.
    case gone(Href)
  }

  var name: String
  var local: Counterpart
  var remote: Counterpart
}

/// Joins the collections of two sides: first those that the journal joined before, then those that
/// the configuration maps, then equal names, ids and display names. What is left over on a side is
/// matched with one to be made. A side in `repointed` is another place than in earlier runs: what
/// was known there is not gone, it was never in this place.
func matchCollections(
  local: [CollectionDescription], remote: [CollectionDescription], known: [KnownCollection],
  rules: [CollectionRule], repointed: Set<Side> = []
) -> [MatchedCollection] {
  var matching = Matching(local: local, remote: remote, rules: CollectionRules(rules))
  matching.joinKnown(known, repointed)
  matching.joinMapped()
  matching.joinByName()
  matching.joinRest()
  return matching.matched.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
}

/// The `collections` of a pair as a test for names.
struct CollectionRules {
  private var include: [(text: String, glob: Glob)] = []
  private var exclude: [Glob] = []
  var maps: [(local: String, remote: String)] = []

  /// A list of exclusions alone takes everything else.
  init(_ rules: [CollectionRule]) {
    for rule in rules {
      switch rule {
      case .include(let text): include.append((text, Glob(text)))
      case .exclude(let text): exclude.append(Glob(text))
      case .map(let local, let remote): maps.append((local, remote))
      }
    }
    if include.isEmpty, maps.isEmpty { include = [("*", Glob("*"))] }
  }

  /// True if a collection of these names (folder, remote id, display name) is asked for.
  func select(_ names: [String]) -> Bool {
    let isIncluded = include.contains { rule in
      names.contains { $0 == rule.text || rule.glob.matches($0) }
    }
    return isIncluded && !names.contains { name in exclude.contains { $0.matches(name) } }
  }
}

/// The state of a matching: what is not joined yet, and what is.
private struct Matching {
  var local: [CollectionDescription]
  var remote: [CollectionDescription]
  let rules: CollectionRules
  var matched: [MatchedCollection] = []
  /// Folder names that are given away, present or remembered.
  var taken: Set<String>

  init(local: [CollectionDescription], remote: [CollectionDescription], rules: CollectionRules) {
    self.local = local
    self.remote = remote
    self.rules = rules
    taken = Set(local.map(\.name))
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
      self.local.removeAll { $0.href == known.local }
      self.remote.removeAll { $0.identity == known.remoteIdentity }
      taken.insert(known.name)
      var names = [known.name]
      names += [local, remote].compactMap { $0 }.flatMap(\.names)
      let isMapped = rules.maps.contains { map in
        map.local == known.name || (remote.map { $0.answers(to: map.remote) } ?? false)
      }
      guard isMapped || rules.select(names) else { continue }
      matched.append(
        MatchedCollection(
          name: known.name, local: local.map { .present($0) } ?? .gone(known.local),
          remote: remote.map { .present($0) } ?? .gone(known.remote)))
    }
  }

  mutating func joinMapped() {
    for map in rules.maps where !matched.contains(where: { $0.name == map.local }) {
      let local = takeLocal { $0.name == map.local }
      let remote = takeRemote { $0.answers(to: map.remote) }
      if local == nil, remote == nil { continue }
      taken.insert(map.local)
      matched.append(
        MatchedCollection(
          name: map.local,
          local: local.map { .present($0) } ?? .missing(remote.proposal(named: map.local)),
          remote: remote.map { .present($0) } ?? .missing(local.proposal(named: map.remote))))
    }
  }

  mutating func joinByName() {
    let tests: [(CollectionDescription, CollectionDescription) -> Bool] = [
      { $0.name == $1.name },
      { $0.displayName != nil && $0.displayName == $1.displayName },
      { $0.name == $1.displayName || ($1.displayName.flatMap(slug) == $0.name) },
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
  var names: [String] { [name] + (displayName.map { [$0] } ?? []) }

  /// True if `text` is its id, its display name, its path, or the end of a URL with its path.
  func answers(to text: String) -> Bool {
    if text == name || text == displayName { return true }
    let path = trimSlashes(href.text)
    return text.contains("/") && (trimSlashes(text) == path || trimSlashes(urlPath(text)) == path)
  }
}

/// The path of a URL; the text itself where it is none.
private func urlPath(_ text: String) -> String {
  guard let scheme = text.firstRange(of: "://") else { return text }
  let rest = text[scheme.upperBound...]
  return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
}

private func trimSlashes(_ text: String) -> String {
  text.split(separator: "/").joined(separator: "/")
}

extension CollectionDescription? {
  /// What a counterpart of this collection shall be.
  fileprivate func proposal(named name: String) -> CollectionProposal {
    CollectionProposal(
      name: name, displayName: self?.displayName, color: self?.color,
      components: self?.components)
  }
}
