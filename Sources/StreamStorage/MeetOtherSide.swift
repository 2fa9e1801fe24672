import ICalendar
import SyncModel

/// A side of which nothing is known, as after the collection was forgotten: what the other side has
/// of the feed may go by the UIDs of an earlier fetch. It may as well be a new subscription beside
/// files of a person's own, of which one has the title and start of an event by chance.
extension StreamStorage {
  /// Of the other side's listing; of one that has more, the run itself says so.
  private static let mostPages = 10_000
  /// Fewer items that are like the feed's in title and start may be so by chance.
  private static let fewestOfFeed = 3

  /// The UIDs of items of the other side, by those that the stream gives them: of such as say the
  /// same in all else, and where half of that side is like the feed, of such as are alike. A side
  /// that cannot be read has none: whoever needs it next says what is wrong with it.
  func met(
    _ stream: CalendarStream, _ memory: Memory
  ) async throws(JournalError) -> [[UInt8]: [UInt8]] {
    guard !stream.uids.isEmpty, let places = try? await places(on: memory.other) else { return [:] }
    let present = Set(stream.uids)
    let lost = places.compactMap { uid, hrefs in
      hrefs.count == 1 && !present.contains(uid)
        ? Lost(uid: uid, text: .onOtherSide(hrefs[0])) : nil
    }
    let fresh = stream.uids.filter { places[$0] == nil && clash(of: $0, in: stream) == nil }
    let alike = try await pairs(
      of: lost.sorted { $0.uid.lexicographicallyPrecedes($1.uid) }, fresh, in: stream, memory)
    // So many are no chance: it is this feed's folder.
    if alike.count >= Self.fewestOfFeed, alike.count * 2 >= places.count { return alike }
    let found = Set(alike.values)
    return try await twins(
      of: lost.filter { found.contains($0.uid) }, fresh.filter { alike[$0] != nil }, in: stream,
      memory)
  }

  /// Where the items of a storage are, by their UIDs. What is no item, or several, is left out.
  private func places(
    on storage: any Storage
  ) async throws(StorageError) -> [[UInt8]: [Href]] {
    var places: [[UInt8]: [Href]] = [:]
    try await eachText(at: try await hrefs(on: storage), of: storage) { href, text in
      let item = CalendarStream(text.bytes)
      guard item.uids.count == 1, item.isComplete, item.clashes.isEmpty else { return }
      places[item.uids[0], default: []].append(href)
    }
    return places
  }

  private func hrefs(on storage: any Storage) async throws(StorageError) -> [Href] {
    var hrefs: Set<Href> = []
    var cursor: Cursor?
    for _ in 0..<Self.mostPages {
      let page = try await storage.listChanges(since: cursor)
      if page.startsOver { hrefs = [] }
      hrefs.formUnion(page.present.filter { $0.problem == nil }.map(\.href))
      if page.isLast { return hrefs.sorted() }
      cursor = page.next
    }
    return []
  }

  /// Gives the texts that there are with their places, in parts that can be held.
  func eachText(
    at hrefs: [Href], of storage: any Storage, _ take: (Href, ItemData) -> Void
  ) async throws(StorageError) {
    var parts = ReadInParts(hrefs, of: storage)
    while let part = try await parts.next() {
      for outcome in part {
        if case .found(_, let text, _) = outcome.result { take(outcome.href, text) }
      }
    }
  }
}
