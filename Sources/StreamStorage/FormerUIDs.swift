import ICalendar
public import SyncModel

/// Feeds that give their items new UIDs, once or each time they are fetched: by their UIDs, all
/// items would be gone and others there.
///
/// Which UID of the feed stands for which known one is kept with the cursor. As long as the feed
/// has that UID it is that item's, whatever else changes in it. Of the rest, what is new counts as
/// what is gone where kind, title, start and occurrence of all its components
/// are the same and no other item has the same. Of several that have, those are paired that say the
/// same in all, and then what is left if it is one and one. So an event that was truly replaced by
/// another of its title and start goes on under its UID, which does no harm to what is only read.
extension StreamStorage {
  /// What is known of a side.
  struct Memory: Sendable {
    let journal: any Journal
    let side: Side
  }

  /// An item that is known and not in the stream.
  private struct Lost {
    let uid: [UInt8]
    /// Of the text that was read or agreed on last.
    let digest: ContentDigest
    let isGone: Bool
  }

  /// Items that are alike.
  private struct Kin {
    var lost: [Lost] = []
    var fresh: [[UInt8]] = []
  }

  /// Takes over what is known of this side, so that what is only read stays the item that it is
  /// when its UID changes.
  public func recall(_ journal: any Journal, on side: Side) {
    guard source.isReadOnly else { return }
    memory = Memory(journal: journal, side: side)
    // What was taken apart before may go by other UIDs.
    current = nil
  }

  /// The stream with the UIDs by which its items are known, and what is to be kept of them. A
  /// journal that cannot be read knows of none: whoever needs it next says what is wrong with it.
  func recognized(
    _ stream: CalendarStream
  ) async -> (stream: CalendarStream, names: [[UInt8]: [UInt8]]) {
    guard let memory else { return (stream, [:]) }
    do throws(JournalError) {
      let known = try await memory.journal.known(memory.side)
      let present = Set(stream.uids)
      let missing = known.filter { !present.contains($0.href.key) }
      if missing.isEmpty { return (stream, [:]) }
      let (names, absent) = try await remembered(known, missing, present, memory)
      let former = try await formerUIDs(in: stream, known, missing, names, memory)
      let found = Set(former.values)
      let kept = absent.filter { !found.contains($0.value) }
      return (stream.renaming(former), former.merging(kept) { first, _ in first })
    } catch {
      return (stream, [:])
    }
  }

  /// What was kept of the items that are known and go by no UID of their own: what the stream has,
  /// and what it lacks and may give again.
  private func remembered(
    _ known: [KnownResource], _ missing: [KnownResource], _ present: Set<[UInt8]>, _ memory: Memory
  ) async throws(JournalError) -> (names: [[UInt8]: [UInt8]], absent: [[UInt8]: [UInt8]]) {
    guard let cursor = try await memory.journal.cursor(memory.side),
      let kept = StreamCursor(cursor)?.names, !kept.isEmpty
    else { return ([:], [:]) }
    let uids = Set(known.map(\.href.key))
    let open = Set(missing.map(\.href.key))
    let valid = kept.filter { uid, name in open.contains(name) && !uids.contains(uid) }
    return (
      valid.filter { present.contains($0.key) }, valid.filter { !present.contains($0.key) }
    )
  }

  /// The known UIDs of items, by those that the stream gives them.
  ///
  /// - Parameter names: what is known of them before any text is looked at.
  private func formerUIDs(
    in stream: CalendarStream, _ known: [KnownResource], _ missing: [KnownResource],
    _ names: [[UInt8]: [UInt8]], _ memory: Memory
  ) async throws(JournalError) -> [[UInt8]: [UInt8]] {
    var former = names
    let taken = Set(names.values)
    let open = missing.filter { !taken.contains($0.href.key) }
    if open.isEmpty { return former }
    let uids = Set(known.map(\.href.key))
    let fresh = stream.uids.filter {
      !uids.contains($0) && former[$0] == nil && stream.clashes[$0] == nil
    }
    if fresh.isEmpty { return former }
    let lost = try await withDigests(open, memory)
    // What was there last comes before what was missed then, and may be back now.
    for isGone in [false, true] {
      let some = lost.filter { $0.isGone == isGone }
      let rest = fresh.filter { former[$0] == nil }
      former.merge(try await pairs(of: some, rest, in: stream, memory)) { first, _ in first }
    }
    return former
  }

  /// What has a text to be known by. Of what is gone, or was not read since it changed, that is the
  /// one that was agreed on.
  private func withDigests(
    _ missing: [KnownResource], _ memory: Memory
  ) async throws(JournalError) -> [Lost] {
    var agreed: [Href: ContentDigest] = [:]
    if missing.contains(where: { $0.digest == nil }) {
      for agreement in try await memory.journal.differing().agreements {
        let item = agreement[memory.side]
        agreed[item.href] = item.version.digest
      }
    }
    return missing.compactMap { item in
      (item.digest ?? agreed[item.href]).map {
        Lost(uid: item.href.key, digest: $0, isGone: item.isGone)
      }
    }
  }

  private func pairs(
    of lost: [Lost], _ fresh: [[UInt8]], in stream: CalendarStream, _ memory: Memory
  ) async throws(JournalError) -> [[UInt8]: [UInt8]] {
    var former: [[UInt8]: [UInt8]] = [:]
    for kin in try await kin(of: lost, fresh, in: stream, memory, by: outline) {
      var (left, new) = (kin.lost, kin.fresh)
      if left.count + new.count > 2 {
        var found: Set<[UInt8]> = []
        for twins in try await self.kin(of: left, new, in: stream, memory, by: message) {
          // Which of several is which makes no difference.
          for (item, uid) in zip(twins.lost, twins.fresh) {
            former[uid] = item.uid
            found.insert(item.uid)
          }
        }
        left.removeAll { found.contains($0.uid) }
        new.removeAll { former[$0] != nil }
      }
      if left.count == 1, new.count == 1 { former[new[0]] = left[0].uid }
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
    for group in try await groups(lost, memory) {
      let texts = try await memory.journal.contents(group.map(\.digest))
      for item in group {
        guard let text = texts[item.digest], let mark = likeness(SyntaxTree(bytes: text.bytes))
        else {
          continue
        }
        found[options.digest(mark)]?.lost.append(item)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value).filter { !$0.lost.isEmpty }
  }

  /// In groups whose texts can be held together.
  private func groups(_ lost: [Lost], _ memory: Memory) async throws(JournalError) -> [[Lost]] {
    let sizes = try await memory.journal.sizes(of: lost.map(\.digest))
    var groups: [[Lost]] = []
    var held = 0
    for item in lost {
      let size = sizes[item.digest] ?? 0
      if groups.isEmpty || size > traits.bytesAtOnce - held {
        groups.append([])
        held = 0
      }
      groups[groups.count - 1].append(item)
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

/// All that an item says, but for its UID and when somebody touched it.
private func message(of tree: SyntaxTree) -> [UInt8]? {
  var rest = tree
  for item in CalendarObject(tree).components {
    try? rest.removeProperties(named: "UID", in: item.component.id)
  }
  return essence(of: rest)
}
