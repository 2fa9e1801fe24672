/// One of the three texts of a change.
package enum ChangeText: Int {
  case old, new, other
}

/// Tells the moment that an element of a line of EXDATE or RDATE names in a text: equal bytes for
/// one moment.
package typealias MomentKey = (_ element: [UInt8], _ line: ContentLine, _ text: ChangeText) ->
  [UInt8]

/// The lines of one name in the three texts of a change.
struct GroupChange {
  let old: PropertyGroups.Group?
  let new: PropertyGroups.Group?
  let other: PropertyGroups.Group?

  var isChange: Bool { old?.canonical ?? [] != new?.canonical ?? [] }

  /// The lines of the third text after the change.
  func lines(
    of name: [UInt8], in component: Component, telling moments: MomentKey
  ) -> [SyntaxTree.NewLine] {
    if Attendees.names.contains(name) {
      return Attendees.carry(
        from: Attendees(old), to: Attendees(new), onto: Attendees(other),
        isOne: name == Array("ORGANIZER".utf8))
    }
    if let kind = set(name, in: component), let lines = linesOfSet(kind, name, moments) {
      return lines
    }
    return new?.lines.map { SyntaxTree.NewLine.source($0.source) } ?? []
  }

  /// Nil where the lines of the third text are those of the old one, and for what stands once.
  private func set(_ name: [UInt8], in component: Component) -> PropertySet? {
    if old?.canonical ?? [] == other?.canonical ?? [] || Self.single.contains(name)
      || component.isNamed("VALARM") && Self.singleInAlarm.contains(name)
    {
      return nil
    }
    let isRepeated = [old, new, other].contains { ($0?.lines.count ?? 0) > 1 }
    return PropertySet(name, isRepeated: isRepeated)
  }

  /// What stands once (RFC 5545 §3.6.1 to §3.6.3), and the rule of a series.
  private static let single = Set(
    [
      "UID", "RECURRENCE-ID", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "EXRULE", "DTSTAMP",
      "CREATED", "LAST-MODIFIED", "SEQUENCE", "SUMMARY", "LOCATION", "GEO", "URL", "STATUS",
      "CLASS", "TRANSP", "PRIORITY", "COMPLETED", "PERCENT-COMPLETE",
    ].map { Array($0.utf8) })

  /// What stands once in an alarm (RFC 5545 §3.6.6), and what it plays: that is one thing.
  private static let singleInAlarm = Set(
    ["ACTION", "ATTACH", "DESCRIPTION", "REPEAT", "TRIGGER"].map { Array($0.utf8) })

  /// What the third text has, without what was removed and with what was added; nil where all lines
  /// travel together.
  private func linesOfSet(
    _ kind: PropertySet, _ name: [UInt8], _ moments: MomentKey
  ) -> [SyntaxTree.NewLine]? {
    switch kind {
    case .moments: return elements(areWords: false) { moments($0.value, $0.line, $1) }
    // Another spelling alone leaves nothing out.
    case .words where !isRespelt:
      return elements(areWords: true) { element, _ in element.word }
    case .lines where !isRespelt: return wholeLines(name)
    case .words, .lines: return nil
    }
  }

  private var isRespelt: Bool {
    let said = [old, other].map { group in
      FormedLine.all(group).flatMap { LooseText.all(in: $0) }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
    return said[0] == said[1]
  }

  private func wholeLines(_ name: [UInt8]) -> [SyntaxTree.NewLine] {
    let texts = [old, new, other].map { FormedLine.all($0) }
    let areByValue =
      PropertySet.isToldByValue(name)
      && texts.joined().allSatisfy { $0.line.property?.hasEachParameterOnce ?? false }
    let keyed = texts.map { lines in
      Keyed<FormedLine>(lines) { areByValue ? $0.valueOfSet : $0.looseForm }
    }
    let (before, after, there) = (keyed[0], keyed[1], keyed[2])
    let isAttachment = name == Array("ATTACH".utf8)
    let gone = isAttachment ? Self.storedElsewhere(before, after, there) : []
    let kept = there.order.compactMap { key -> SyntaxTree.NewLine? in
      guard let line = there[key] else { return nil }
      if gone.contains(key) || Self.isGone(key, from: before, to: after) { return nil }
      guard let former = before[key] else { return line.asItIs }
      guard let now = after[key] else { return nil }
      if former.form == now.form { return line.asItIs }
      return FormedLine.carry(from: former, to: now, onto: line)
    }
    let added = after.order.filter { there[$0] == nil && before[$0]?.form != after[$0]?.form }
    return kept + added.compactMap { after[$0]?.asItIs }
  }

  /// All that are the same were removed, be they more in the third text: a server that takes equal
  /// ones for one gave the old text fewer.
  private static func isGone<Element>(
    _ key: Keyed<Element>.Key, from before: Keyed<Element>, to after: Keyed<Element>
  ) -> Bool {
    before.hasOne(like: key) && !after.hasOne(like: key)
  }

  /// What the third text has for the attachments that were removed, where it has a link for data,
  /// or data for a link: a server takes the data out of the item and puts them at an address of its
  /// own. Nothing but their order tells which is which, and only where there are as many of both.
  private static func storedElsewhere(
    _ before: Keyed<FormedLine>, _ after: Keyed<FormedLine>, _ there: Keyed<FormedLine>
  ) -> Set<Keyed<FormedLine>.Key> {
    let lacking = before.order.filter { there[$0] == nil }
    // What the change adds stands for none of them, also where it is there already.
    let unknown = there.order.filter { before[$0] == nil && after[$0] == nil }
    var gone: Set<Keyed<FormedLine>.Key> = []
    for isInline in [true, false] {
      let former = lacking.filter { before[$0]?.line.isInline == isInline }
      let stored = unknown.filter { there[$0]?.line.isInline == !isInline }
      guard former.count == stored.count else { continue }
      for (key, place) in zip(former, stored) where after[key] == nil { gone.insert(place) }
    }
    return gone
  }

  private func elements(
    areWords: Bool, key: (ListElement, ChangeText) -> [UInt8]
  ) -> [SyntaxTree.NewLine]? {
    func keyed(_ group: PropertyGroups.Group?, _ text: ChangeText) -> Keyed<ListElement> {
      Keyed(ListElement.all(in: group?.lines ?? [])) { key($0, text) }
    }
    let (before, after, there) = (keyed(old, .old), keyed(new, .new), keyed(other, .other))
    // Times that nobody can compare: none of the old ones is there.
    if !areWords, !before.order.isEmpty, !there.order.isEmpty,
      !there.order.contains(where: { before[$0] != nil })
    {
      return nil
    }
    let kept = there.order.compactMap { name -> ListElement? in
      if Self.isGone(name, from: before, to: after) { return nil }
      guard var element = there[name], let former = before[name] else { return there[name] }
      guard let now = after[name] else { return nil }
      if areWords, former.value != now.value { element.value = now.value }
      return element
    }
    let added = after.order.filter { before[$0] == nil && there[$0] == nil }
    return ListElement.lines(
      other?.lines ?? [], keeping: kept, adding: added.compactMap { after[$0] },
      areWords: areWords)
  }
}
