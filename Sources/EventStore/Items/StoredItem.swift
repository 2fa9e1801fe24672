import ICalendar
import Recurrence
import SyncModel

/// Names an item of a store.
struct ItemKey: Sendable, Hashable, Comparable {
  let calendar: String
  let uid: [UInt8]

  init(_ calendar: String, _ uid: [UInt8]) {
    self.calendar = calendar
    self.uid = uid
  }

  init(_ id: EventIdentifier) { self.init(id.calendar, id.uid) }

  var identifier: EventIdentifier { EventIdentifier(calendar: calendar, uid: uid) }

  static func < (left: ItemKey, right: ItemKey) -> Bool {
    left.calendar != right.calendar
      ? left.calendar < right.calendar : left.uid.lexicographicallyPrecedes(right.uid)
  }
}

/// An item as it was last seen in its storage.
struct StoredItem: Sendable {
  let href: Href
  let version: Version
  let modified: Instant?
  let text: [UInt8]
  let uid: [UInt8]
  /// Nil for a to-do or a journal entry.
  let set: RecurrenceSet?

  /// Reads what a storage gave; throws what keeps it from being an event.
  init(
    _ href: Href, _ version: Version, _ data: ItemData, modified: Instant?, world: EventWorld
  ) throws(ItemProblem) {
    let reader = EventReader(data.bytes, world: world)
    guard reader.object.tree.wholeness == .whole else {
      throw ItemProblem(
        .incomplete, "\(href.text) is no whole calendar",
        hint: "mend it; `calgw check` says where it breaks off")
    }
    let uids = reader.object.uids
    guard let uid = uids.first, reader.object.componentsWithoutUID.isEmpty else {
      throw ItemProblem(
        .noUID, "\(href.text) has a component without UID", hint: "give it a UID")
    }
    guard uids.count == 1 else {
      throw ItemProblem(
        .severalUIDs, "\(href.text) holds \(uids.count) items",
        hint: "divide it; `calgw import` does")
    }
    self.href = href
    self.version = version
    self.modified = modified
    text = data.bytes
    self.uid = uid
    set = reader.isEvent ? reader.set : nil
  }

  /// The name of this text among those of the item.
  var revision: String { Self.revision(version) }

  static func revision(_ version: Version) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: version.digest.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  var stamp: ItemStamp { ItemStamp(revision: revision, tag: version.tag, modified: modified) }
}
