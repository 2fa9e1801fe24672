import SyncModel
import TestSupport

/// Remembers by itself what people saved, and which of it they gave up themselves.
///
/// A version stays alive until the person of its own side saves over it or deletes it: whatever
/// calgw does, it must then still be on a side or in the history.
final class Oracle {
  struct Save: Hashable {
    let bytes: [UInt8]
    /// As `dentist 17`, for people.
    let label: String
  }

  /// By the name that the resource has on its side.
  private(set) var live: [Side: [String: Save]] = [.local: [:], .remote: [:]]
  /// Saves by side and UID, to judge how often calgw may write.
  private(set) var saves: [String: Int] = [:]
  /// What a person did by UID that is a reason to tell attendees: saves in the folder, and
  /// deletions on the server, which an edit in the folder survives.
  private(set) var reasonsForMail: [String: Int] = [:]

  let authors = Authors()
  /// UIDs of items that a person told calgw to do something with.
  private(set) var worded: Set<String> = []
  /// UIDs that a person took away from a side at some time.
  private var departed: [Side: Set<String>] = [.local: [], .remote: []]

  /// UIDs of items that had an attachment when they were saved in the folder last, and that nobody
  /// took away since.
  private(set) var attached: Set<String> = []

  /// Second items that were made of what the server had: they never held what it had dropped.
  var bare: Set<String> = []

  /// Items whose alarms somebody changed on the server while calgw did not know yet what became of
  /// its own write, or before that write met the same edit there: no client can tell such an alarm
  /// from one that the server added.
  var unclear: Set<String> = []
  /// Items that somebody edited on the server at that time, where it gives no tag for what it
  /// stores: no client can tell such an edit from what the server made of its own write.
  var takenForRewriting: Set<String> = []
  /// By UID, what was sent and what had been agreed on, of writes that were answered as done and
  /// never came to the server.
  var lostWrites: [String: (sent: [UInt8], agreed: [UInt8])] = [:]

  func save(_ bytes: [UInt8], at name: String, on side: Side, label: String) {
    let old = live[side]?[name].flatMap { ItemText.uid($0.bytes) }
    live[side]?[name] = Save(bytes: bytes, label: label)
    let uid = ItemText.uid(bytes)
    if let old, old != uid { depart(old, from: side) }
    guard let uid else { return }
    authors.save(bytes, uid, on: side)
    saves[uid, default: 0] += 1
    guard side == .local else { return }
    reasonsForMail[uid, default: 0] += 1
    // What the other machine's folder holds is not in this one.
    if name.hasPrefix("other/") { return }
    if bytes.holds("ATTACH:") { attached.insert(uid) } else { attached.remove(uid) }
  }

  /// A program stored it with new times and counters: a version to keep, and nobody's edit, of
  /// which nobody is to be told.
  func touch(_ bytes: [UInt8], at name: String, on side: Side, label: String) {
    live[side]?[name] = Save(bytes: bytes, label: label)
    if let uid = ItemText.uid(bytes) { saves[uid, default: 0] += 1 }
  }

  /// - Parameter bytes: what the name held, whoever put it there.
  func give(up name: String, holding bytes: [UInt8]?, on side: Side) {
    if let uid = bytes.flatMap(ItemText.uid) {
      depart(uid, from: side)
      if side == .remote { note(goneTwin: uid) }
    }
    if let save = live[side]?.removeValue(forKey: name), let uid = ItemText.uid(save.bytes) {
      saves[uid, default: 0] += 1
      depart(uid, from: side)
      if side == .remote { reasonsForMail[uid, default: 0] += 1 }
    }
  }

  /// A person told calgw what to do with an item.
  func note(wordOn uid: String) {
    saves[uid, default: 0] += 1
    reasonsForMail[uid, default: 0] += 1
    authors.muddle(uid)
    worded.insert(uid)
  }

  /// Somebody moves it while calgw may look for it: that it is gone shows before where it is.
  func note(moveOf uid: String, on side: Side) {
    departed[side]?.insert(uid)
    authors.muddle(uid)
  }

  /// What a server had under a UID of its own is not where it was: the item that it was made of is
  /// sent once more.
  func note(goneTwin uid: String) {
    let sent = ItemText.sentUID(uid)
    if sent == uid { return }
    saves[sent, default: 0] += 1
    reasonsForMail[sent, default: 0] += 1
  }

  /// What comes from the server, where the folder has nothing of it, never held what that dropped:
  /// a second item, or one that was made there anew after it was deleted on both sides.
  func note(arrivalOf uid: String, _ bytes: [UInt8]) {
    if ItemText.isMade(uid), !bytes.holds("X-KEEP") { bare.insert(uid) }
    if !bytes.holds("ATTACH:") { attached.remove(uid) }
  }

  func hasDeparted(_ uid: String, from side: Side) -> Bool {
    departed[side]?.contains(uid) ?? false
  }

  func move(_ name: String, to other: String, on side: Side) {
    let save = live[side]?.removeValue(forKey: name)
    live[side]?[other] = save
  }

  /// A side, and a name there.
  struct Place: Hashable {
    let side: Side
    let name: String
  }

  /// They lie in other places now, where saves of the same text may have been made, too, and may
  /// have exchanged theirs. What else was saved there lies in a history alone, where nobody saves
  /// over it.
  func rehome(_ moves: [(from: Place, to: Place)]) {
    let moved = moves.compactMap { move in
      live[move.from.side]?.removeValue(forKey: move.from.name).map { (save: $0, home: move.to) }
    }
    for (save, home) in moved {
      let there = live[home.side]?[home.name]
      if let there, ItemText.meaning(there.bytes) == ItemText.meaning(save.bytes) { continue }
      live[home.side]?["\(home.name), before"] = there
      live[home.side]?[home.name] = save
    }
  }

  /// A server took it away by itself.
  func drop(_ name: String, on side: Side) {
    if let save = live[side]?.removeValue(forKey: name), let uid = ItemText.uid(save.bytes) {
      depart(uid, from: side)
      authors.muddle(uid)
    }
  }

  /// A save that nobody could keep, whatever becomes of others of the same text.
  func forget(_ bytes: [UInt8], at name: String, on side: Side) {
    if live[side]?[name]?.bytes == bytes { live[side]?[name] = nil }
  }

  /// An item is no more where it was, and that is meant.
  func depart(_ uid: String, from side: Side) {
    departed[side]?.insert(uid)
    attached.remove(uid)
    authors.delete(uid, on: side)
  }

  /// What can be had no more, since a person threw away where it was.
  func excuse(_ isLost: (Save) -> Bool) {
    for side in Side.allCases {
      for (name, save) in live[side] ?? [:] where isLost(save) { live[side]?[name] = nil }
    }
  }

  func isAlive(_ bytes: [UInt8]) -> Bool {
    let wire = ItemText.wire(bytes)
    return Side.allCases.contains { side in
      live[side]?.values.contains { ItemText.wire($0.bytes) == wire } ?? false
    }
  }

  /// In a fixed order.
  var alive: [(side: Side, name: String, save: Save)] {
    Side.allCases.flatMap { side in
      (live[side] ?? [:]).sorted { $0.key < $1.key }.map { (side, $0.key, $0.value) }
    }
  }
}
