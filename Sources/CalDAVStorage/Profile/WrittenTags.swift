import SyncModel
import WebDAV

/// The CTags under which a run wrote to calendars, by the calendars' addresses: one that is still
/// the same in the next run does not move.
struct WrittenTags: Sendable, Hashable {
  private var tags: [String: [UInt8]] = [:]

  mutating func note(_ tag: [UInt8], of calendar: String) { tags[calendar] = tag }

  mutating func take(of calendar: String) -> [UInt8]? { tags.removeValue(forKey: calendar) }

  /// A line a calendar, to be kept.
  var encoded: [UInt8] {
    let lines = tags.sorted { $0.key < $1.key }.map { calendar, tag in
      FieldCoding.encode([("calendar", Array(calendar.utf8)), ("ctag", tag)])
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  init(encoded: [UInt8]) {
    for line in encoded.split(separator: UInt8(ascii: "\n")) {
      let fields = FieldCoding.decode(Array(line))
      guard let calendar = fields["calendar"], let tag = fields["ctag"] else { continue }
      tags[String(decoding: calendar, as: UTF8.self)] = tag
    }
  }
}

extension CalDAVStorage {
  /// Where nothing but the CTag says that something changed, what changed there is to move it.
  func noteWriteUnderTag() {
    guard let tag = firstTag, !withRunMemory(\.listsDeltas) else { return }
    memory.note(tag, writtenUnderIn: url.identity)
  }

  /// What the calendar's state says, as far as the server is to be believed: its CTag is not where
  /// it stayed the same although an earlier run wrote.
  func believed(_ advertised: CalendarState?) -> CalendarState? {
    guard var state = advertised else { return nil }
    if let now = state.tag, let before = memory.takeTagWrittenUnder(in: url.identity) {
      memory.learn(
        .movesCalendarTag, before != now, "PROPFIND of the calendars",
        "getctag \(memory.shown(now)), and \(memory.shown(before)) before calgw wrote")
    }
    if memory.ignores(.movesCalendarTag) { state.tag = nil }
    return state
  }
}
