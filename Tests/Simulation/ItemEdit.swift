extension ItemText {
  /// What a person makes of a text; a new one where there is none that he could edit.
  static func edited(_ old: [UInt8]?, _ act: Act) -> [UInt8] {
    guard let old, isWhole(old) else { return new(act.uid, act.number) }
    var text = EventText(old)
    text.edit(act)
    return text.bytes(by: act)
  }

  /// The same text with other times and another counter, as a program leaves it that stores what it
  /// has but shown; nil where there is none that it could read.
  static func touched(_ old: [UInt8], _ act: Act) -> [UInt8]? {
    guard isWhole(old), !old.contains(1) else { return nil }
    var text = EventText(old)
    text.touch(act.number)
    return text.bytes(by: act)
  }

  /// A text differs from an older one in nothing but what only says that it was touched.
  static func isTouch(_ new: [UInt8], of old: [UInt8]) -> Bool {
    let lines = [old, new].map { EventText($0).lines.filter { !EventText.isOfTouch($0) } }
    return lines[0] == lines[1] && meaning(old) != meaning(new)
  }
}

/// A text in lines, item by item, as a simple calendar program holds it.
struct EventText {
  private var head: [String] = []
  /// The series, or the single item, and its overrides: each from its BEGIN to its END.
  private(set) var items: [[String]] = []
  private var tail: [String] = []

  init(_ bytes: [UInt8]) {
    var open: [String] = []
    for line in Self.unfolded(bytes) {
      if open.isEmpty {
        if line == "BEGIN:VEVENT" || line == "BEGIN:VTODO" || line == "BEGIN:VJOURNAL" {
          open = [line]
        } else if items.isEmpty {
          head.append(line)
        } else {
          tail.append(line)
        }
      } else {
        open.append(line)
        if line == "END:" + open[0].dropFirst(6) {
          items.append(open)
          open = []
        }
      }
    }
  }

  private static func unfolded(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for raw in bytes.split(separator: 10) {
      let line = raw.last == 13 ? raw.dropLast() : raw
      if line.first == 32, !lines.isEmpty {
        lines[lines.count - 1] += String(decoding: line.dropFirst(), as: UTF8.self)
      } else {
        lines.append(String(decoding: line, as: UTF8.self))
      }
    }
    return lines
  }

  var lines: [String] { head + items.flatMap(\.self) + tail }

  /// As the program of who did this stores it.
  func bytes(by act: Act) -> [UInt8] {
    let end = act.number.isMultiple(of: 5) ? "\n" : "\r\n"
    return Array((lines.joined(separator: end) + end).utf8)
  }

  /// The item that is no override.
  private var main: Int? {
    items.firstIndex { item in !item.contains { $0.hasPrefix("RECURRENCE-ID") } }
      ?? items.indices
      .first
  }

  mutating func edit(_ act: Act) {
    guard let main else { return }
    let number = act.number
    switch act.part ?? Self.part(of: number) {
    case .title: set("SUMMARY", "\(act.uid) \(number)", in: main)
    case .place: set("LOCATION", "room \(number)", in: main)
    case .notes: set("DESCRIPTION", "what is to be said about it in \(number)", in: main)
    case .words: addWord("w\(number % 7)", in: main)
    case .start: set("DTSTART", "20260105T\(10 + number % 10)0000Z", in: main)
    case .alarm:
      let alarm = [
        "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT\(10 + number % 50)M", "END:VALARM",
      ]
      items[main].insert(contentsOf: alarm, at: items[main].count - 1)
    case .progress: set("PERCENT-COMPLETE", "\(number % 100)", in: main)
    case .rule: set("RRULE", "FREQ=WEEKLY;COUNT=\(3 + number % 6)", in: main)
    case .off: cancel(Self.day(number), in: main)
    case .once: set("SUMMARY", "\(act.uid) \(number)", in: override(Self.day(number), main))
    case .moved:
      let day = Self.day(number)
      set("DTSTART", day.prefix(9) + "\(10 + number % 10)3000Z", in: override(day, main))
    }
  }

  /// RFC 5545 §3.8.7.
  mutating func touch(_ number: Int) {
    guard let main else { return }
    let time = "20260101T0\(number % 10)\(10 + number % 50)00Z"
    set("DTSTAMP", time, in: main)
    set("LAST-MODIFIED", time, in: main)
    set("SEQUENCE", "\(number)", in: main)
  }

  static func isOfTouch(_ line: String) -> Bool {
    ["DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:", "CREATED:"].contains { line.hasPrefix($0) }
  }

  private static func part(of number: Int) -> Act.Part {
    number % 4 == 0 ? .place : number % 4 == 1 ? .start : .title
  }

  /// One of three occurrences of a weekly series.
  private static func day(_ number: Int) -> String {
    ["20260112T100000Z", "20260119T100000Z", "20260126T100000Z"][number % 3]
  }

  /// Where a property of an item stands; not those of its alarms.
  private func place(of name: String, in item: Int) -> Int? {
    var depth = 0
    for (index, line) in items[item].enumerated() {
      if line.hasPrefix("BEGIN:") { depth += 1 }
      if line.hasPrefix("END:") { depth -= 1 }
      if depth == 1, line.hasPrefix(name + ":") || line.hasPrefix(name + ";TZID=") { return index }
    }
    return nil
  }

  private mutating func set(_ name: String, _ value: String, in item: Int) {
    if let index = place(of: name, in: item) {
      let head = items[item][index].prefix { $0 != ":" }
      let isLocal = head.count > name.count && value.hasSuffix("Z")
      items[item][index] = "\(head):\(isLocal ? String(value.dropLast()) : value)"
    } else {
      items[item].insert("\(name):\(value)", at: items[item].count - 1)
    }
  }

  private mutating func addWord(_ word: String, in item: Int) {
    guard let index = place(of: "CATEGORIES", in: item) else {
      return set("CATEGORIES", word, in: item)
    }
    let old = items[item][index].dropFirst(11)
    if old.split(separator: ",").contains(Substring(word)) { return }
    items[item][index] = "CATEGORIES:\(old),\(word)"
  }

  private mutating func cancel(_ day: String, in main: Int) {
    let line = "EXDATE:\(day)"
    if !items[main].contains(line) { items[main].insert(line, at: items[main].count - 1) }
    items.removeAll { $0.contains("RECURRENCE-ID:\(day)") }
  }

  /// The override of an occurrence, which is made where there is none.
  private mutating func override(_ day: String, _ main: Int) -> Int {
    if let index = items.firstIndex(where: { $0.contains("RECURRENCE-ID:\(day)") }) {
      return index
    }
    items[main].removeAll { $0 == "EXDATE:\(day)" }
    let kept = items[main].filter { $0.hasPrefix("UID:") || $0.hasPrefix("SUMMARY:") }
    let kind = items[main][0].dropFirst(6)
    items.append(
      ["BEGIN:\(kind)"] + kept
        + [
          "DTSTAMP:20260101T000000Z", "RECURRENCE-ID:\(day)", "DTSTART:\(day)", "END:\(kind)",
        ])
    return items.count - 1
  }
}
