import ICalendar
import SyncModel

/// A text has a limit, and so has what it is taken apart into: what is in excess is refused alone.
extension StreamStorage {
  /// Drafts as many of the writes as the text has room for, in the order asked, and gives the new
  /// text with it. A deletion has always room.
  func fittingDraft(
    of group: [GuardedWrite], for stream: CalendarStream
  ) -> (TextDraft, CalendarStream) {
    var refused: [Href: ItemProblem] = [:]
    // Each round but the last refuses one write at least. It mostly takes two where there is too
    // little room: a time zone that a refused item brings may be what another one needs.
    while true {
      let draft = draft(of: group, for: stream, refusing: refused)
      guard draft.hasChanges else { return (draft, stream) }
      let made = CalendarStream(draft.edit.bytes)
      let excess = excess(of: draft, made, over: stream)
      if excess.isEmpty { return (draft, made) }
      refused.merge(excess) { first, _ in first }
    }
  }

  /// The writes that the text has no room for, with the reason.
  private func excess(
    of draft: TextDraft, _ made: CalendarStream, over stream: CalendarStream
  ) -> [Href: ItemProblem] {
    let open = draft.writes.filter { $0.settled == nil }
    var hrefs: [Href]
    let words: String
    if let limit = source.maxSize, made.bytes.count > limit {
      words = "it would have more than \(limit) bytes"
      let growths = open.map { ($0.href, $0.growth) }
      hrefs = overflow(of: growths, by: made.bytes.count - limit)
    } else if let excess = made.excess {
      words = excess.words
      switch excess {
      case .zone: hrefs = open.filter { made.hugeZone(of: $0.uid) != nil }.map(\.href)
      case .items:
        let growths = open.map { ($0.href, made.size(of: $0.uid) - stream.size(of: $0.uid)) }
        hrefs = overflow(of: growths, by: made.itemsSize - CalendarStream.itemsLimit)
      }
    } else {
      return [:]
    }
    // A time zone that an item brings may have become that of others, in another VCALENDAR.
    if hrefs.isEmpty { hrefs = open.filter { made.size(of: $0.uid) > 0 }.map(\.href) }
    let problem = tooLarge(words)
    return Dictionary(uniqueKeysWithValues: hrefs.map { ($0, problem) })
  }

  /// Those that do not fit where all together are too much by so many bytes.
  private func overflow(of growths: [(Href, Int)], by excess: Int) -> [Href] {
    var room = growths.reduce(-excess) { $0 + max($1.1, 0) }
    var hrefs: [Href] = []
    for (href, growth) in growths where growth > 0 {
      if growth <= room { room -= growth } else { hrefs.append(href) }
    }
    return hrefs
  }

  private func tooLarge(_ words: String) -> ItemProblem {
    ItemProblem(
      .tooLarge, "with it, \(source.name) would be too large to be read: \(words)",
      hint: "Take out what is not needed any more, or sync some of it with another file.")
  }
}
