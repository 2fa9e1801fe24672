import ICalendar

extension ChangeDescription {
  /// Compares the lines of two components that are no part of the schedule.
  mutating func compareLines(_ old: Component, _ new: Component) {
    let oldGroups = PropertyGroups(of: old)
    let newGroups = PropertyGroups(of: new)
    let names = newGroups.names + oldGroups.names.filter { newGroups[$0] == nil }
    for name in names where !Self.isSkipped(name) {
      let (before, after) = (oldGroups[name], newGroups[name])
      guard before?.canonical ?? [] != after?.canonical ?? [] else { continue }
      let lines = (old: before?.lines ?? [], new: after?.lines ?? [])
      let word = String(decoding: name, as: UTF8.self)
      switch PropertyRule(name, isRepeated: max(lines.old.count, lines.new.count) > 1) {
      case .attendees: compareAttendees(word, lines.old, lines.new)
      case .words: compareWords(word, lines.old, lines.new)
      case .lines: compareSets(word, before, after)
      case .newer, .highest, .latest, .earliest, .moments:
        compareText(word, lines.old.first, lines.new.first)
      }
    }
  }

  private static func isSkipped(_ name: [UInt8]) -> Bool { skipped.contains(name) }

  private static let skipped: Set<[UInt8]> = Set(
    ScheduleSlot.allCases.flatMap(\.names)
      + PropertyRule.names(
        "UID", "RECURRENCE-ID", "SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "CREATED", "PRODID"))

  /// A longer text is not shown in full.
  private static let shownCharacters = 60

  /// Compares a property that stands once.
  private mutating func compareText(_ name: String, _ old: ContentLine?, _ new: ContentLine?) {
    let quotes = Self.isText(name)
    let before = old.map { text(of: $0, name) }
    let after = new.map { text(of: $0, name) }
    let label = Self.label(of: name)
    let isLong = [before, after].compactMap(\.self).contains {
      $0.count > Self.shownCharacters || $0.contains("\n")
    }
    func shown(_ text: String) -> String { quotes ? "\"\(text)\"" : text }
    let words: String
    var unsaid: PropertyDifference.Unsaid = isLong ? .texts : .nothing
    switch (before, after) {
    case (let before?, let after?) where before == after:
      let parameters = [old, new].map { $0.map { Self.parameters(of: $0) } ?? [:] }
      unsaid = .each(Self.changes(from: parameters[0], to: parameters[1]))
      words = "\(label): \(old?.value == new?.value ? "parameters changed" : "written differently")"
    case (let before?, let after?) where isLong:
      let count = changedLines(before, after)
      words = "\(label) changed (\(count) \(count == 1 ? "line" : "lines"))"
    case (let before?, let after?): words = "\(label) \(shown(before)) → \(shown(after))"
    case (nil, let after?): words = isLong ? "\(label) added" : "\(label) \(shown(after)) added"
    case (let before?, nil):
      words = isLong ? "\(label) removed" : "\(label) \(shown(before)) removed"
    case (nil, nil): return
    }
    note(name, before, after, words, unsaid)
  }

  /// The value for people: texts without escapes, times as a clock shows them.
  private func text(of line: ContentLine, _ name: String) -> String {
    if name == "COMPLETED", let time = ItemTimes.time(line) { return Clock.full(time) }
    if name == "ORGANIZER" { return Self.address(line) }
    // Two numbers and no text (RFC 5545 §3.8.1.6): a semicolon that is escaped is a mistake to see.
    if name == "GEO" { return String(decoding: line.value, as: UTF8.self) }
    return TextValue(escaped: line.value).text
  }

  /// How many lines of two texts are not in both, the more of added and removed ones.
  private func changedLines(_ old: String, _ new: String) -> Int {
    var counts: [Substring: Int] = [:]
    for line in old.split(separator: "\n", omittingEmptySubsequences: false) {
      counts[line, default: 0] += 1
    }
    for line in new.split(separator: "\n", omittingEmptySubsequences: false) {
      counts[line, default: 0] -= 1
    }
    let removed = counts.values.filter { $0 > 0 }.reduce(0, +)
    let added = -counts.values.filter { $0 < 0 }.reduce(0, +)
    return max(removed, added, 1)
  }

  /// Lines that are a set, as comments.
  private mutating func compareSets(
    _ name: String, _ old: PropertyGroups.Group?, _ new: PropertyGroups.Group?
  ) {
    let before = FormedLine.all(old)
    let after = FormedLine.all(new)
    let label = name.isEmpty ? "line that cannot be read" : Self.label(of: name)
    let added = after.surplus(over: before, by: \.form)
    let removed = before.surplus(over: after, by: \.form)
    for (list, verb) in [(added, "added"), (removed, "removed")] where !list.isEmpty {
      let texts = list.map { TextValue(escaped: $0.line.value).text }
      let joined = texts.joined(separator: ", ")
      let words = list.count == 1 ? "\(label) \(verb)" : "\(list.count) × \(label) \(verb)"
      note(
        name, verb == "added" ? nil : joined, verb == "added" ? joined : nil, words,
        .each(list.map { Self.inline($0.line) ?? TextValue(escaped: $0.line.value).text }))
    }
    if added.isEmpty, removed.isEmpty { note(name, nil, nil, "\(label): order changed") }
  }

  /// Data in the item itself, by their kind and size; nil for a text or an address (RFC 5545
  /// §3.8.1.1).
  private static func inline(_ line: ContentLine) -> String? {
    guard line.isInline else { return nil }
    let kind = line.parameter(named: "FMTTYPE")?.texts.first
    let padding = line.value.suffix(2).count { $0 == UInt8(ascii: "=") }
    let size = PropertyDifference.size(max(line.value.count / 4 * 3 - padding, 0))
    return "\(kind.map { String(decoding: $0, as: UTF8.self) } ?? "data"), \(size)"
  }

  /// What a person calls a property.
  static func label(of name: String) -> String { labels[name] ?? name }

  private static func isText(_ name: String) -> Bool {
    ["SUMMARY", "LOCATION", "DESCRIPTION", "NAME"].contains(name)
  }

  private static let labels = [
    "SUMMARY": "title", "LOCATION": "place", "DESCRIPTION": "description", "STATUS": "status",
    "CLASS": "visibility", "TRANSP": "shown as", "PRIORITY": "priority", "URL": "address",
    "ORGANIZER": "organizer", "PERCENT-COMPLETE": "percent done", "COMPLETED": "done on",
    "COLOR": "color", "COMMENT": "comment", "CONTACT": "contact", "ATTACH": "attachment",
    "RELATED-TO": "relation", "GEO": "coordinates", "X-ALT-DESC": "description in HTML",
    "CONFERENCE": "conference", "IMAGE": "image", "METHOD": "method", "ACTION": "action",
    "TRIGGER": "trigger", "REPEAT": "repetitions",
  ]
}
