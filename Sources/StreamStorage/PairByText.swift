import ICalendar
import SyncModel

/// Pairs items whose UIDs are others by what they say.
extension StreamStorage {
  /// An item that is known and not in the stream.
  struct Lost {
    let uid: [UInt8]
    let text: Text
    var isGone = false

    /// Where it is to be had.
    enum Text {
      /// In the journal: what was read or agreed on last.
      case kept(ContentDigest)
      case onOtherSide(Href)
    }
  }

  /// Items that are alike.
  private struct Kin {
    var lost: [Lost] = []
    var fresh: [[UInt8]] = []
  }

  /// The UIDs of lost items, by those of the fresh ones that are the same.
  func pairs(
    of lost: [Lost], _ fresh: [[UInt8]], in stream: CalendarStream, _ memory: Memory
  ) async throws(JournalError) -> [[UInt8]: [UInt8]] {
    var former: [[UInt8]: [UInt8]] = [:]
    for kin in try await kin(of: lost, fresh, in: stream, memory, by: outline) {
      var (left, new) = (kin.lost, kin.fresh)
      if left.count + new.count > 2 {
        let twins = try await twins(of: left, new, in: stream, memory)
        let found = Set(twins.values)
        left.removeAll { found.contains($0.uid) }
        new.removeAll { twins[$0] != nil }
        former.merge(twins) { first, _ in first }
      }
      if left.count == 1, new.count == 1 { former[new[0]] = left[0].uid }
    }
    return former
  }

  /// The same, of those alone that say the same in all but their UIDs.
  func twins(
    of lost: [Lost], _ fresh: [[UInt8]], in stream: CalendarStream, _ memory: Memory
  ) async throws(JournalError) -> [[UInt8]: [UInt8]] {
    var former: [[UInt8]: [UInt8]] = [:]
    for kin in try await kin(of: lost, fresh, in: stream, memory, by: message) {
      // Which of several is which makes no difference.
      for (item, uid) in zip(kin.lost, kin.fresh) { former[uid] = item.uid }
    }
    return former
  }

  /// Those that are alike by what a function tells of a text, where some are lost and some fresh.
  private func kin(
    of lost: [Lost], _ fresh: [[UInt8]], in stream: CalendarStream, _ memory: Memory,
    by likeness: (SyntaxTree) -> [UInt8]?
  ) async throws(JournalError) -> [Kin] {
    if lost.isEmpty || fresh.isEmpty { return [] }
    var found: [ContentDigest: Kin] = [:]
    for uid in fresh {
      guard let text = stream.text(of: uid), let mark = likeness(SyntaxTree(bytes: text)) else {
        continue
      }
      found[options.digest(mark), default: Kin()].fresh.append(uid)
    }
    try await eachText(of: lost, memory) { item, text in
      guard let mark = likeness(SyntaxTree(bytes: text.bytes)) else { return }
      found[options.digest(mark)]?.lost.append(item)
    }
    return found.sorted { $0.key < $1.key }.map(\.value).filter { !$0.lost.isEmpty }
  }

  /// Gives the items with their texts, as far as these are to be had.
  private func eachText(
    of lost: [Lost], _ memory: Memory, _ take: (Lost, ItemData) -> Void
  ) async throws(JournalError) {
    var kept: [(item: Lost, digest: ContentDigest)] = []
    var places: [Href: Lost] = [:]
    for item in lost {
      switch item.text {
      case .kept(let digest): kept.append((item, digest))
      case .onOtherSide(let href): places[href] = item
      }
    }
    for group in try await groups(kept, memory) {
      let texts = try await memory.journal.contents(group.map(\.digest))
      for member in group {
        if let text = texts[member.digest] { take(member.item, text) }
      }
    }
    // What cannot be read is paired with nothing.
    try? await eachText(at: places.keys.sorted(), of: memory.other) { href, text in
      if let item = places[href] { take(item, text) }
    }
  }

  /// In groups whose texts can be held together.
  private func groups(
    _ kept: [(item: Lost, digest: ContentDigest)], _ memory: Memory
  ) async throws(JournalError) -> [[(item: Lost, digest: ContentDigest)]] {
    let sizes = try await memory.journal.sizes(of: kept.map(\.digest))
    var groups: [[(item: Lost, digest: ContentDigest)]] = []
    var held = 0
    for member in kept {
      let size = sizes[member.digest] ?? 0
      if groups.isEmpty || size > traits.bytesAtOnce - held {
        groups.append([])
        held = 0
      }
      groups[groups.count - 1].append(member)
      held += size
    }
    return groups
  }
}

/// What people know an item by: kind, title, start and occurrence of each of its components.
private func outline(of tree: SyntaxTree) -> [UInt8]? {
  let components = CalendarObject(tree).components.map { item -> [UInt8] in
    let start = item.start ?? item.component.line(named: "DUE")
    let parts = [
      Array(item.kind.utf8), item.summary?.bytes ?? [], start?.content ?? [],
      item.recurrenceID?.content ?? [],
    ]
    return Array(parts.joined(separator: [0]))
  }
  return Array(
    components.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0, 0]))
}

/// All that an item says, but for its UID and when somebody touched it. What its calendar says of
/// itself is no part of it, nor is a time zone that it does not name: vdirsyncer puts all time
/// zones of a feed into each file, and leaves METHOD out.
func message(of tree: SyntaxTree) -> [UInt8]? {
  var rest = tree
  let components = CalendarObject(tree).components.map(\.component)
  for component in components {
    try? rest.removeProperties(named: "UID", in: component.id)
  }
  let named = Set(CalendarZones(tree).named(by: components).map(\.id))
  for calendar in tree.calendars {
    for line in calendar.lines { try? rest.remove(line.id) }
    for zone in calendar.components where zone.isNamed("VTIMEZONE") && !named.contains(zone.id) {
      try? rest.remove(zone.id)
    }
  }
  return essence(of: rest)
}
