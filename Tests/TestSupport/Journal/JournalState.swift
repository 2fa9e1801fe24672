public import SyncModel

/// A resource of a side, as dictionaries need it.
public struct Place: Sendable, Hashable, Comparable {
  public let side: Side
  public let key: [UInt8]

  public init(_ side: Side, _ href: Href) {
    self.side = side
    key = href.key
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(atOnce: key) }

  public static func < (left: Place, right: Place) -> Bool {
    guard left.side == right.side else { return left.side < right.side }
    return left.key.lexicographicallyPrecedes(right.key)
  }
}

/// What a journal of one collection holds, and the rules by which it changes (docs/journal.md).
///
/// Dictionaries are never given out in their own order.
public struct JournalState: Sendable, Hashable {
  public internal(set) var agreements: [ItemID: Agreement] = [:]
  /// Whose agreement refers to a place: at most one.
  var holders: [Place: ItemID] = [:]
  public internal(set) var observations: [Place: Observation] = [:]
  public internal(set) var cursors: [Side: Cursor] = [:]
  public internal(set) var intents: [Intent.ID: Intent] = [:]
  /// Oldest first.
  public internal(set) var history: [RecordedHistoryEntry] = []
  /// The numbers of entries of writes after which the sides have not agreed on the item.
  var attempts: Set<Int64> = []
  public internal(set) var contents: [ContentDigest: ItemData] = [:]
  var lastIntent: Int64 = 0
  var lastHistory: Int64 = 0

  public init() {}

  /// What is left where the collection turned out to be another one: the history, and nothing that
  /// both sides would share.
  public func retired() -> JournalState {
    var left = JournalState()
    left.history = history
    left.contents = contents
    left.lastIntent = lastIntent
    left.lastHistory = lastHistory
    return left
  }

  /// The same with one text lost, as by a damaged page: the one of that number in their order.
  public func withoutText(number: Int) -> JournalState {
    var left = self
    let digests = contents.keys.sorted()
    if !digests.isEmpty { left.contents[digests[number % digests.count]] = nil }
    return left
  }

  public func known(_ side: Side) -> [KnownResource] {
    var places = Set(holders.keys.lazy.filter { $0.side == side })
    places.formUnion(observations.keys.lazy.filter { $0.side == side })
    return places.sorted().compactMap(known)
  }

  public func known(_ side: Side, hrefs: [Href]) -> [KnownResource] {
    Set(hrefs.map { Place(side, $0) }).sorted().compactMap(known)
  }

  private func known(_ place: Place) -> KnownResource? {
    if let seen = observations[place] {
      return switch seen.state {
      case .unread(let tag), .obstructed(let tag, _):
        KnownResource(href: seen.href, tag: tag, digest: nil, isAgreed: false, wait: seen.wait)
      case .read(let item):
        KnownResource(
          href: seen.href, tag: item.version.tag, digest: item.version.digest, isAgreed: false,
          wait: seen.wait)
      case .gone:
        KnownResource(
          href: seen.href, tag: nil, digest: nil, isAgreed: false, isGone: true,
          wait: seen.wait)
      }
    }
    guard let uid = holders[place], let item = agreements[uid]?[place.side] else { return nil }
    return KnownResource(
      href: item.href, tag: item.version.tag, digest: item.version.digest, isAgreed: true)
  }

  func unread(_ side: Side) -> [Href] {
    sortedObservations.compactMap { seen in
      if seen.side == side, case .unread = seen.state { seen.href } else { nil }
    }
  }

  func differing() -> Differing {
    let seen = sortedObservations
    var touched: Set<ItemID> = []
    for observation in seen {
      if let uid = holders[Place(observation.side, observation.href)] { touched.insert(uid) }
      if case .read(let item) = observation.state { touched.insert(item.uid) }
    }
    return Differing(
      observations: seen, agreements: touched.sorted().compactMap { agreements[$0] })
  }

  private var sortedObservations: [Observation] {
    observations.keys.sorted().compactMap { observations[$0] }
  }

  func openIntents() -> [OpenIntent] {
    intents.sorted { $0.key < $1.key }.map { OpenIntent(id: $0.key, intent: $0.value) }
  }

  func contents(_ digests: [ContentDigest]) -> [ContentDigest: ItemData] {
    var found: [ContentDigest: ItemData] = [:]
    for digest in digests { found[digest] = contents[digest] }
    return found
  }

  func history(of uid: ItemID?) -> [RecordedHistoryEntry] {
    history.reversed().filter { uid == nil || $0.entry.uid == uid }
  }
}
