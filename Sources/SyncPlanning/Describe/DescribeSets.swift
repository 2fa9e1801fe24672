import ICalendar

extension ChangeDescription {
  /// Compares guests: by address, and of one guest what was said of him.
  mutating func compareAttendees(_ name: String, _ old: [ContentLine], _ new: [ContentLine]) {
    let count = differences.count
    let before = Self.byAddress(old)
    let after = Self.byAddress(new)
    let added = after.keys.filter { before[$0] == nil }.sorted()
    let removed = before.keys.filter { after[$0] == nil }.sorted()
    for (list, people, verb) in [(added, after, "added"), (removed, before, "removed")]
    where !list.isEmpty {
      let addresses = list.joined(separator: ", ")
      let subject = list.count == 1 ? "attendee \(addresses)" : "\(list.count) attendees"
      let named = list.map { Self.named($0, people[$0] ?? [:]) }
      note(
        name, verb == "added" ? nil : addresses, verb == "added" ? addresses : nil,
        "\(subject) \(verb)", named == [addresses] ? .nothing : .each(named))
    }
    let times = (old: Self.counts(old), new: Self.counts(new))
    for person in before.keys.filter({ after[$0] != nil }).sorted() {
      guard let old = before[person], let new = after[person] else { continue }
      if let was = times.old[person], let now = times.new[person], was != now {
        note(name, "\(was)", "\(now)", "attendee \(person) listed \(was) × → \(now) ×")
      }
      if Self.areSpeltAlike(old, new) { continue }
      let (was, now) = (answer(old), answer(new))
      let others = Self.changes(from: old, to: new)
      if was != now {
        note(name, was, now, "attendee \(person): \(was) → \(now)", .each(others))
      } else {
        note(name, person, person, "attendee \(person) changed", .each(others))
      }
    }
    if differences.count > count { return }
    let isReordered = old.map(Self.address) != new.map(Self.address)
    note(
      name, nil, nil,
      isReordered ? "order of attendees changed" : "attendees written differently")
  }

  private static func counts(_ lines: [ContentLine]) -> [String: Int] {
    Dictionary(lines.map { (address($0), 1) }, uniquingKeysWith: +)
  }

  /// To the byte: to Swift, two ways to write one letter are the same text.
  private static func areSpeltAlike(_ one: [String: String], _ other: [String: String]) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, text in
        other[name].map { $0.utf8.elementsEqual(text.utf8) } ?? false
      }
  }

  private func answer(_ parameters: [String: String]) -> String {
    parameters["PARTSTAT"].map { $0.lowercased() } ?? "needs-action"
  }

  /// `Bo Berg <bo@example.org>`; the address alone where there is no name.
  private static func named(_ address: String, _ parameters: [String: String]) -> String {
    guard let name = parameters["CN"], !name.isEmpty, name.lowercased() != address else {
      return address
    }
    return "\(name) <\(address)>"
  }

  /// What is said otherwise of a person, beside an answer, by parameters.
  static func changes(from old: [String: String], to new: [String: String]) -> [String] {
    Set(old.keys).union(new.keys).subtracting(["PARTSTAT"]).sorted().compactMap { name in
      change(of: parameterLabels[name] ?? name, from: old[name], to: new[name])
    }
  }

  /// Nil where both say the same.
  static func change(of label: String, from old: String?, to new: String?) -> String? {
    switch (old, new) {
    case (let was?, let now?) where was.utf8.elementsEqual(now.utf8): nil
    case (let was?, let now?) where was == now: "\(label) written differently"
    case (let was?, let now?): "\(label): \(was) → \(now)"
    case (nil, let now?): "\(label): \(now) added"
    case (let was?, nil): "\(label): \(was) removed"
    case (nil, nil): nil
    }
  }

  /// What a person calls a parameter (RFC 5545 §3.2).
  private static let parameterLabels = [
    "CN": "name", "ROLE": "role", "RSVP": "answer asked for", "CUTYPE": "kind",
    "DELEGATED-TO": "delegated to", "DELEGATED-FROM": "delegated from", "SENT-BY": "sent by",
    "MEMBER": "member of", "DIR": "directory entry", "LANGUAGE": "language",
  ]

  private static func byAddress(_ lines: [ContentLine]) -> [String: [String: String]] {
    var people: [String: [String: String]] = [:]
    for line in lines { people[address(line)] = parameters(of: line) }
    return people
  }

  /// Their values by their names, in upper case.
  static func parameters(of line: ContentLine) -> [String: String] {
    var parameters: [String: String] = [:]
    for parameter in line.parameters {
      let values = parameter.texts.map { String(decoding: $0, as: UTF8.self) }
      let key = String(decoding: parameter.name, as: UTF8.self).uppercased()
      parameters[key] = values.joined(separator: ", ")
    }
    return parameters
  }

  /// An address without `mailto:`, in lower case.
  static func address(_ line: ContentLine) -> String {
    let text = String(decoding: line.attendeeAddress, as: UTF8.self).lowercased()
    return text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
  }

  /// Compares sets of words, as categories.
  mutating func compareWords(_ name: String, _ old: [ContentLine], _ new: [ContentLine]) {
    let before = Self.words(old)
    let after = Self.words(new)
    let labels = name == "CATEGORIES" ? ("category", "categories") : ("resource", "resources")
    let added = after.surplus(over: before) { $0 }
    let removed = before.surplus(over: after) { $0 }
    let both = Set(before).intersection(after)
    for (list, verb) in [(added, "added"), (removed, "removed")] where !list.isEmpty {
      let words = list.map { both.contains($0) ? "\($0) (doubled)" : $0 }.joined(separator: ", ")
      let label = list.count == 1 ? labels.0 : labels.1
      note(
        name, verb == "added" ? nil : words, verb == "added" ? words : nil,
        "\(label) \(words) \(verb)")
    }
    if !added.isEmpty || !removed.isEmpty { return }
    if before == after {
      note(name, nil, nil, "\(labels.1) written differently")
    } else {
      note(
        name, before.joined(separator: ", "), after.joined(separator: ", "),
        "order of \(labels.1) changed", .texts)
    }
  }

  private static func words(_ lines: [ContentLine]) -> [String] {
    lines.flatMap { ListElement.values(of: $0) }.map { TextValue(escaped: $0).text }
  }
}
