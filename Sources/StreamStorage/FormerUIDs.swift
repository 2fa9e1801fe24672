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
  /// What is known of a side, and where its items are else.
  struct Memory: Sendable {
    let journal: any Journal
    let side: Side
    let other: any Storage
  }

  /// Takes over what is known of this side, so that what is only read stays the item that it is
  /// when its UID changes.
  ///
  /// - Parameter other: the other side's storage; while nothing is known of this one, its items
  ///   stand for what would be.
  public func recall(_ journal: any Journal, _ side: Side, with other: any Storage) {
    guard source.isReadOnly else { return }
    memory = Memory(journal: journal, side: side, other: other)
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
      if known.isEmpty {
        let former = try await met(stream, memory)
        return (stream.renaming(former), former)
      }
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
      !uids.contains($0) && former[$0] == nil && clash(of: $0, in: stream) == nil
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
        Lost(uid: item.href.key, text: .kept($0), isGone: item.isGone)
      }
    }
  }
}
