import SyncModel
import SyncPlanning

/// Twins (`Twins.swift`) at addresses of the server's own, of which it says nothing: a new item is
/// not where it was sent to, and no listing shows its UID. What has come since, and says the same
/// under another UID, is what the server made of it.
extension SyncRun {
  /// So many resources of one title are compared with an item: each is parsed some times.
  private static let mostAlike = 50
  /// So much of a UID or a title nobody else gives an item at the same time: the side has cut it
  /// off.
  static let tellingBytes = 16

  /// Remembers what a side lists before it is looked at again: what is there already is not what
  /// became of the writes that were just found to be misplaced.
  mutating func notePlaces(beforeListing side: Side) async throws(SyncFailure) {
    let differing = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.differing()
    }
    placesBefore[side] = Set(differing.observations.lazy.filter { $0.side == side }.map(\.href))
  }

  /// Notes each resource that is the only one that an item may have become, and no other item.
  mutating func followTwins(among differing: Differing) async throws(SyncFailure) {
    if misplaced.isEmpty { return }
    var twins: [Intent.ID: ItemVersion] = [:]
    var owners: [Href: Int] = [:]
    for side in Side.allCases {
      let new = newItems(on: side, among: differing)
      if new.isEmpty { continue }
      let byTitle = Dictionary(grouping: new, by: \.summary)
      let byUID = Dictionary(new.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
      for (id, write) in misplacedWrites where write.intent.side == side {
        try sync.checkStop()
        let alike = byTitle[write.intent.source?.summary ?? ""] ?? []
        var found = alike.count > Self.mostAlike ? [] : try await same(alike, as: write)
        if let cut = Self.cutOff(write.intent.uid, among: byUID), !found.contains(cut) {
          found.append(cut)
        }
        for twin in found { owners[twin.href, default: 0] += 1 }
        if found.count == 1 { twins[id] = found.first }
      }
    }
    for (id, twin) in twins.sorted(by: { $0.key < $1.key }) where owners[twin.href] == 1 {
      guard let write = misplaced[id]?.write else { continue }
      let problem = ItemProblem.twin(twin, of: write.intent.uid, on: write.intent.side)
      try await note(twin, of: write, because: problem)
      try await closeMisplaced(id, .nothingWritten)
    }
  }

  private var misplacedWrites: [(Intent.ID, PreparedWrite)] {
    misplaced.sorted { $0.key < $1.key }.map { ($0.key, $0.value.write) }
  }

  /// What has come to a side since its places were noted, and that the other side has not.
  private func newItems(on side: Side, among differing: Differing) -> [ItemVersion] {
    guard let before = placesBefore[side] else { return [] }
    var known = Set(differing.agreements.map(\.uid))
    for seen in differing.observations where seen.side != side {
      if case .read(let version) = seen.state { known.insert(version.uid) }
    }
    return differing.observations.compactMap { seen in
      guard seen.side == side, seen.wait == nil, !before.contains(seen.href),
        case .read(let version) = seen.state, !known.contains(version.uid)
      else { return nil }
      return version
    }
  }

  /// Those of some resources that say what was sent, but for the UID.
  private func same(
    _ resources: [ItemVersion], as write: PreparedWrite
  ) async throws(SyncFailure) -> [ItemVersion] {
    guard let sent = write.write.data, !resources.isEmpty else { return [] }
    let digests = resources.map(\.version.digest)
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(digests)
    }
    let ours = sync.sentText(sent, over: nil, on: write.intent.side)
    return resources.filter { resource in
      guard resource.uid != write.intent.uid, let text = texts[resource.version.digest] else {
        return false
      }
      return ours.isSaid(in: text, as: write.intent.uid, isNew: true)
    }
  }

  /// What has the beginning of a UID as its own, however much of the rest was cut off as well.
  private static func cutOff(_ uid: ItemID, among new: [ItemID: ItemVersion]) -> ItemVersion? {
    guard uid.bytes.count > tellingBytes else { return nil }
    return (tellingBytes..<uid.bytes.count).lazy
      .compactMap { new[ItemID(bytes: Array(uid.bytes.prefix($0)))] }.first
  }
}
