import SyncModel
import TestSupport

/// Contents by title, place, time and definition of the time zone, and a server that keeps items in
/// a form of its own.
extension World {
  /// Definitions of Europe/Vienna by a letter each, `-` being none. The first two mean the same.
  static let definitions: [Character: String] = {
    let names: [Character: String] = [
      "F": "vienna-since-1970", "S": "vienna-since-2010", "W": "vienna-two-hours-ahead",
    ]
    return names.mapValues {
      (try? Project.text("Fixtures/zones/definitions/\($0).ics"))?
        .replacing("\n", with: "\r\n") ?? ""
    }
  }()

  /// The letters without a definition that means what tzdata says.
  static func sense(of letters: String) -> String {
    letters.count == 4 && letters.last != "W" ? String(letters.dropLast()) : letters
  }

  /// The same with another definition of the time zone.
  static func defined(_ data: ItemData, by letter: Character) -> ItemData {
    var text = String(decoding: data.bytes, as: UTF8.self)
    if let old = definition(in: text) { text = text.replacing(old, with: "") }
    guard text.contains("TZID=") else { return data }
    return ItemData(
      bytes: Array(
        text.replacing("BEGIN:VEVENT", with: (definitions[letter] ?? "") + "BEGIN:VEVENT").utf8))
  }

  private static func definition(in text: String) -> Substring? {
    guard let start = text.firstRange(of: "BEGIN:VTIMEZONE"),
      let end = text.firstRange(of: "END:VTIMEZONE\r\n")
    else { return nil }
    return text[start.lowerBound..<end.upperBound]
  }

  /// One letter for an event as a whole, or three: for its title, its place and its time; a fourth
  /// one gives it a time zone.
  static func event(_ uid: String, _ letters: String) -> ItemData {
    let parts = Array(letters)
    if parts.count == 4 {
      var text = String(decoding: event(uid, String(parts[..<3])).bytes, as: UTF8.self)
      text = text.replacing("DTSTART:", with: "DTSTART;TZID=Europe/Vienna:")
      text = text.replacing("00Z\r\nSUMMARY", with: "00\r\nSUMMARY")
      return defined(ItemData(bytes: Array(text.utf8)), by: parts[3])
    }
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
    guard old.count >= 3, new.count == old.count, let there = storage(side).items[href] else {
      set(uid, new, on: side)
      return
    }
    var text = String(decoding: there.bytes, as: UTF8.self)
    func lines(_ letters: String) -> [Substring] {
      // Definitions have a DTSTART too.
      let bare = letters.count == 4 ? String(letters.prefix(3)) + "-" : letters
      return String(decoding: Self.event(uid, bare).bytes, as: UTF8.self).split(separator: "\r\n")
        .filter { line in ["SUMMARY", "LOCATION", "DTSTART"].contains { line.hasPrefix($0) } }
    }
    for (before, after) in zip(lines(old), lines(new)) {
      text = text.replacing(before, with: after)
    }
    let edited = ItemData(bytes: Array(text.utf8))
    guard new.count == 4, let definition = new.last, definition != old.last else {
      storage(side).put(href, edited)
      return
    }
    storage(side).put(href, Self.defined(edited, by: definition))
  }

  /// The letters of an item on a side; `-` where it is not there.
  func letters(_ uid: String, on side: Side, width: Int) -> String {
    let whole = letter(uid, on: side)
    guard width >= 3, whole != "-", whole != "2" else { return String(whole) }
    let text =
      storage(side).items.values.map { String(decoding: $0.bytes, as: UTF8.self) }
      .first { $0.contains("\r\nUID:\(uid)\r\n") } ?? ""
    func line(_ name: String) -> Substring? {
      text.split(separator: "\r\n").drop { $0 != "BEGIN:VEVENT" }.first { $0.hasPrefix(name) }
    }
    let start = line("DTSTART").flatMap { $0.split(separator: ":").last }
      .map { $0.dropFirst(11).prefix(2) }
    let time = ["A", "B", "C", "D"].first { letter in
      let event = String(decoding: Self.event(uid, Character(letter)).bytes, as: UTF8.self)
      return event.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") }
        .map { $0.dropFirst(19).prefix(2) } == start
    }
    let three = [line("SUMMARY")?.last, line("LOCATION")?.last, time?.first]
      .map { $0.map { String($0) } ?? "?" }.joined()
    guard width == 4 else { return three }
    guard let definition = Self.definition(in: text) else { return three + "-" }
    return three + (Self.definitions.first { $0.value == definition }.map { "\($0.key)" } ?? "?")
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
