import ICalendar

extension ChangeDescription {
  /// Compares guests: by address, and of one guest what was said of him.
  mutating func compareAttendees(_ name: String, _ old: [ContentLine], _ new: [ContentLine]) {
    let before = Self.byAddress(old)
    let after = Self.byAddress(new)
    let added = after.keys.filter { before[$0] == nil }.sorted()
    let removed = before.keys.filter { after[$0] == nil }.sorted()
    for (list, verb) in [(added, "added"), (removed, "removed")] where !list.isEmpty {
      let people = list.joined(separator: ", ")
      let count = list.count == 1 ? "attendee \(people)" : "\(list.count) attendees"
      note(
        name, verb == "added" ? nil : people, verb == "added" ? people : nil, "\(count) \(verb)")
    }
    for person in before.keys.filter({ after[$0] != nil }).sorted() {
      guard let old = before[person], let new = after[person], old != new else { continue }
      let (was, now) = (answer(old), answer(new))
      if was != now {
        note(name, was, now, "attendee \(person): \(was) → \(now)")
      } else {
        note(name, person, person, "attendee \(person) changed")
      }
    }
  }

  private func answer(_ parameters: [String: String]) -> String {
    parameters["PARTSTAT"].map { $0.lowercased() } ?? "needs-action"
  }

  private static func byAddress(_ lines: [ContentLine]) -> [String: [String: String]] {
    var people: [String: [String: String]] = [:]
    for line in lines {
      var parameters: [String: String] = [:]
      for parameter in line.parameters {
        let values = parameter.texts.map { String(decoding: $0, as: UTF8.self) }
        let key = String(decoding: parameter.name, as: UTF8.self).uppercased()
        parameters[key] = values.joined(separator: ", ")
      }
      people[address(line)] = parameters
    }
    return people
  }

  /// An address without `mailto:`, in lower case.
  static func address(_ line: ContentLine) -> String {
    let text = String(decoding: line.value, as: UTF8.self).lowercased()
    return text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
  }

  /// Compares sets of words, as categories.
  mutating func compareWords(_ name: String, _ old: [ContentLine], _ new: [ContentLine]) {
    let before = Self.words(old)
    let after = Self.words(new)
    let labels = name == "CATEGORIES" ? ("category", "categories") : ("resource", "resources")
    let added = after.filter { !before.contains($0) }
    let removed = before.filter { !after.contains($0) }
    for (list, verb) in [(added, "added"), (removed, "removed")] where !list.isEmpty {
      let words = list.joined(separator: ", ")
      let label = list.count == 1 ? labels.0 : labels.1
      note(
        name, verb == "added" ? nil : words, verb == "added" ? words : nil,
        "\(label) \(words) \(verb)")
    }
    if added.isEmpty, removed.isEmpty {
      note(
        name, before.joined(separator: ", "), after.joined(separator: ", "),
        "order of \(labels.1) changed")
    }
  }

  private static func words(_ lines: [ContentLine]) -> [String] {
    lines.flatMap { ListElement.values(of: $0) }.map { TextValue(escaped: $0).text }
  }
}
