import ICalendar

extension ChangeDescription {
  /// Compares the components inside: alarms one by one, others by content and place.
  ///
  /// - Parameter isLeftOut: what is compared elsewhere.
  mutating func compareChildren(
    _ old: Component, _ new: Component, without isLeftOut: (Component) -> Bool = { _ in false }
  ) {
    func alarms(_ parent: Component) -> [Sibling] {
      AlarmMatch.alarms(of: parent).filter { !isLeftOut($0.component) }
    }
    func groups(_ parent: Component) -> SiblingGroups {
      SiblingGroups(of: parent, without: Set(parent.components.filter(isLeftOut).map(\.id)))
    }
    compareAlarms(alarms(old), alarms(new))
    let (before, after) = (groups(old), groups(new))
    let identities =
      after.identities + before.identities.filter { after[$0].isEmpty && !before[$0].isEmpty }
    for identity in identities where !identity.kind.elementsEqual("VALARM".utf8) {
      let (olds, news) = (before[identity], after[identity])
      compare(olds, news, Alignment.match(olds, to: news))
    }
  }

  /// That a program gave an alarm a UID, or another one, is nothing to tell.
  private mutating func compareAlarms(_ old: [Sibling], _ new: [Sibling]) {
    var matches = AlarmMatch.match(old, to: new)
    let known = Set(matches.compactMap(\.self))
    let gone = old.indices.filter { !known.contains($0) }
    let added = new.indices.filter { matches[$0] == nil }
    // One in the place of another: whatever was done to it, it reads as a change.
    if gone.count == 1, added.count == 1 { matches[added[0]] = gone[0] }
    compare(old, new, matches)
  }

  /// - Parameter matches: for each of the new ones the index of the old one.
  private mutating func compare(_ old: [Sibling], _ new: [Sibling], _ matches: [Int?]) {
    for (sibling, match) in zip(new, matches) {
      let kind = String(decoding: sibling.identity.kind, as: UTF8.self)
      let now = Self.words(of: sibling.component, kind)
      guard let match else {
        note(kind, nil, now, "\(now) added")
        continue
      }
      let former = old[match]
      if former.content == sibling.content { continue }
      if kind == "VALARM", AlarmMatch.differInName(former.component, sibling.component) { continue }
      let was = Self.words(of: former.component, kind)
      let others = Self.changes(from: former.component, to: sibling.component).filter {
        was == now || $0.name != "TRIGGER"
      }
      note(
        kind, was, now, was == now ? "\(now) changed" : "\(was) → \(now)",
        .each(others.map { $0.text }))
    }
    let kept = Set(matches.compactMap(\.self))
    for index in old.indices where !kept.contains(index) {
      let kind = String(decoding: old[index].identity.kind, as: UTF8.self)
      let was = Self.words(of: old[index].component, kind)
      note(kind, was, nil, "\(was) removed")
    }
  }

  /// What is said otherwise in a component, by properties; of its names nothing.
  private static func changes(
    from old: Component, to new: Component
  ) -> [(name: String, text: String)] {
    let (before, after) = (PropertyGroups(of: old), PropertyGroups(of: new))
    let names = after.names + before.names.filter { after[$0] == nil }
    return names.compactMap { bytes -> (name: String, text: String)? in
      let name = String(decoding: bytes, as: UTF8.self)
      guard before[bytes]?.canonical ?? [] != after[bytes]?.canonical ?? [],
        !["UID", "X-WR-ALARMUID"].contains(name)
      else { return nil }
      let change = Self.change(
        of: label(of: name), from: values(of: before[bytes]), to: values(of: after[bytes]))
      // Perhaps it is a parameter that differs.
      return (name, change ?? "\(label(of: name)) changed")
    }
  }

  private static func values(of group: PropertyGroups.Group?) -> String? {
    group.map { group in
      group.lines.map { TextValue(escaped: $0.value).text }.joined(separator: ", ")
    }
  }

  private static func words(of component: Component, _ kind: String) -> String {
    guard kind == "VALARM" else { return kind }
    guard let trigger = component.line(named: "TRIGGER") else { return "alarm" }
    if let time = ItemTimes.time(trigger) { return "alarm at \(Clock.full(time))" }
    var notes: [ValueNote] = []
    guard let length = try? CivilDuration.read(trigger.value, notes: &notes) else { return "alarm" }
    let related = trigger.parameter(named: "RELATED")?.values.first ?? []
    let anchor = String(decoding: related, as: UTF8.self).uppercased() == "END" ? "end" : "start"
    if length.days == 0, length.seconds == 0 { return "alarm at the \(anchor)" }
    let size = CivilDuration(
      days: Int(clamping: length.days.magnitude), seconds: Int(clamping: length.seconds.magnitude))
    return "alarm \(Clock.words(size)) \(length.isNegative ? "before" : "after") the \(anchor)"
  }
}
