import SyncModel
import TestSupport

/// Contents by title, place and time, and a server that keeps items in a form of its own.
extension World {
  /// One letter for an event as a whole, or three: for its title, its place and its time.
  static func event(_ uid: String, _ letters: String) -> ItemData {
    let parts = Array(letters)
    guard parts.count == 3 else { return event(uid, parts.first ?? "A") }
    var text = String(decoding: event(uid, parts[2]).bytes, as: UTF8.self)
    text = text.replacing("SUMMARY:\(uid) \(parts[2])", with: "SUMMARY:\(uid) \(parts[0])")
    text = text.replacing("END:VEVENT", with: "LOCATION:\(uid) \(parts[1])\r\nEND:VEVENT")
    return ItemData(bytes: Array(text.utf8))
  }

  func set(_ uid: String, _ letters: String, on side: Side) {
    if letters == "-" {
      storage(side).remove(Href("\(uid).ics"))
    } else {
      storage(side).put(Href("\(uid).ics"), Self.event(uid, letters))
    }
  }

  /// Edits what is there as a client does that keeps what it does not know.
  func edit(_ uid: String, from old: String, to new: String, on side: Side) {
    let href = Href("\(uid).ics")
    guard old.count == 3, new.count == 3, let there = storage(side).items[href] else {
      set(uid, new, on: side)
      return
    }
    var text = String(decoding: there.bytes, as: UTF8.self)
    let lines = { (letters: String) in
      String(decoding: Self.event(uid, letters).bytes, as: UTF8.self).split(separator: "\r\n")
        .filter { line in ["SUMMARY", "LOCATION", "DTSTART"].contains { line.hasPrefix($0) } }
    }
    for (before, after) in zip(lines(old), lines(new)) {
      text = text.replacing(before, with: after)
    }
    storage(side).put(href, ItemData(bytes: Array(text.utf8)))
  }

  /// The letters of an item on a side; `-` where it is not there.
  func letters(_ uid: String, on side: Side, width: Int) -> String {
    let whole = letter(uid, on: side)
    guard width == 3, whole != "-", whole != "2" else { return String(whole) }
    let text =
      storage(side).items.values.map { String(decoding: $0.bytes, as: UTF8.self) }
      .first { $0.contains("\r\nUID:\(uid)\r\n") } ?? ""
    func line(_ name: String) -> Substring? {
      text.split(separator: "\r\n").first { $0.hasPrefix(name) }
    }
    let start = line("DTSTART").map { $0.dropFirst(19).prefix(2) }
    let time = ["A", "B", "C", "D"].first { letter in
      let event = String(decoding: Self.event(uid, Character(letter)).bytes, as: UTF8.self)
      return event.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") }
        .map { $0.dropFirst(19).prefix(2) } == start
    }
    return [line("SUMMARY")?.last, line("LOCATION")?.last, time?.first]
      .map { $0.map { String($0) } ?? "?" }.joined()
  }

  /// What a server makes of an item: a property more, PRODID its own, and lines in another order.
  static func rewritten(_ data: ItemData) -> ItemData {
    var lines = String(decoding: data.bytes, as: UTF8.self).split(separator: "\r\n").map(
      String.init)
    lines.removeAll { $0.hasPrefix("X-SERVER") || $0.hasPrefix("PRODID") }
    lines.insert("PRODID:-//server//EN", at: 1)
    guard let begin = lines.firstIndex(of: "BEGIN:VEVENT"),
      let end = lines.firstIndex(of: "END:VEVENT")
    else { return data }
    lines[(begin + 1)..<end].sort()
    lines.insert("X-SERVER:1", at: end)
    return ItemData(bytes: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }
}
