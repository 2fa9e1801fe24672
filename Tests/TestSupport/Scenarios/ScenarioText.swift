public import SyncModel

/// The events that the letters of a scenario stand for: by title, place, time and definition of the
/// time zone. And a server that keeps items in a form of its own.
public enum ScenarioText {
  /// Definitions of Europe/Vienna by a letter each, `-` being none. The first two mean the same.
  private static let definitions: [Character: String] = {
    let names: [Character: String] = [
      "F": "vienna-since-1970", "S": "vienna-since-2010", "W": "vienna-two-hours-ahead",
    ]
    return names.mapValues {
      (try? Project.text("Fixtures/zones/definitions/\($0).ics"))?
        .replacing("\n", with: "\r\n") ?? ""
    }
  }()

  /// The letters without a definition that means what tzdata says.
  public static func sense(of letters: String) -> String {
    letters.count == 4 && letters.last != "W" ? String(letters.dropLast()) : letters
  }

  /// The same with another definition of the time zone.
  public static func defined(_ data: ItemData, by letter: Character) -> ItemData {
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

  // MARK: Events

  /// One letter for an event as a whole, or three: for its title, its place and its time; a fourth
  /// one gives it a time zone.
  public static func event(_ uid: String, _ letters: String) -> ItemData {
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

  private static func event(_ uid: String, _ letter: Character) -> ItemData {
    let minute = letter.asciiValue.map { String($0 % 60) } ?? "0"
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//calgw//scenario//EN
      BEGIN:VEVENT
      UID:\(uid)
      DTSTAMP:20260101T000000Z
      DTSTART:20260105T10\(minute.count == 1 ? "0" : "")\(minute)00Z
      SUMMARY:\(uid) \(letter)
      END:VEVENT
      END:VCALENDAR

      """
    return ItemData(
      bytes: Array(
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .joined(separator: "\r\n").utf8))
  }

  /// What is made of an item that is there by a client that keeps what it does not know.
  ///
  /// - Parameters:
  ///   - there: nil where nothing is.
  ///   - new: the letters that it is to have; `-` removes it.
  /// - Returns: Nil: nothing.
  public static func edited(
    _ there: ItemData?, _ uid: String, from old: String, to new: String
  ) -> ItemData? {
    if new == "-" { return nil }
    guard old.count >= 3, new.count == old.count, let there else { return event(uid, new) }
    var text = String(decoding: there.bytes, as: UTF8.self)
    func lines(_ letters: String) -> [Substring] {
      // Definitions have a DTSTART too.
      let bare = letters.count == 4 ? String(letters.prefix(3)) + "-" : letters
      return String(decoding: event(uid, bare).bytes, as: UTF8.self).split(separator: "\r\n")
        .filter { line in ["SUMMARY", "LOCATION", "DTSTART"].contains { line.hasPrefix($0) } }
    }
    for (before, after) in zip(lines(old), lines(new)) {
      text = text.replacing(before, with: after)
    }
    let edited = ItemData(bytes: Array(text.utf8))
    guard new.count == 4, let definition = new.last, definition != old.last else { return edited }
    return defined(edited, by: definition)
  }

  // MARK: Letters

  /// The letters of an item among some texts; `-` where it is not there, `2` where it is there
  /// twice.
  public static func letters(_ uid: String, in texts: [ItemData], width: Int = 1) -> String {
    let mine = texts.map { String(decoding: $0.bytes, as: UTF8.self) }
      .filter { $0.contains("\r\nUID:\(uid)\r\n") }
    guard mine.count < 2 else { return "2" }
    guard let text = mine.first else { return "-" }
    let lines = text.split(separator: "\r\n")
    let title = lines.first { $0.hasPrefix("SUMMARY:") }?.last
    guard width >= 3 else { return title.map { "\($0)" } ?? "-" }
    let place = lines.first { $0.hasPrefix("LOCATION:") }?.last
    // Definitions have a DTSTART too.
    let start = lines.drop { $0 != "BEGIN:VEVENT" }.first { $0.hasPrefix("DTSTART") }
      .flatMap { $0.split(separator: ":").last }.map { $0.dropFirst(11).prefix(2) }
    let time = ["A", "B", "C", "D"].first { letter in
      let event = String(decoding: event(uid, letter).bytes, as: UTF8.self)
      return event.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") }
        .map { $0.dropFirst(19).prefix(2) } == start
    }
    let three = [title, place, time?.first]
      .map { $0.map { String($0) } ?? "?" }.joined()
    guard width == 4 else { return three }
    guard let definition = definition(in: text) else { return three + "-" }
    return three + (definitions.first { $0.value == definition }.map { "\($0.key)" } ?? "?")
  }

  // MARK: A server

  /// What a server makes of an item: a property more, PRODID its own, and lines in another order.
  public static func rewritten(_ data: ItemData) -> ItemData {
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
