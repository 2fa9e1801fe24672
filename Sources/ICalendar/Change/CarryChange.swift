/// Applies what changed between two texts of an item to a third one: what a server dropped from
/// its copy stays here, and what it added stays there.
///
/// Components are matched by identity (kind with UID and RECURRENCE-ID, or TZID), those without
/// one by content and place; properties by name, as groups, but attendees and the organizer by
/// address, and of one whose line is another in `other`, parameter by parameter; words, dates and
/// lines that are a set one by one, where `other` has others than `old`; start and end as one,
/// where `other` says the end in another way than `old`, as by a duration. A group or component
/// that means the same in `old` and `new` keeps its bytes in `other`; one that changed, appeared or
/// vanished does so in `other` as well; a VTIMEZONE that changed comes as a whole, since half of
/// one definition and half of another say nothing.
///
/// `carryChange(from: a, to: a, onto: b)` is `b`, byte for byte; and where `old` and `other` mean
/// the same, the result means the same as `new`.
///
/// Gives nil where one of the texts is not whole, or the result would not be, or would have other
/// UIDs than `other`; and where something changed in components nested beyond
/// `SyntaxTree.depthLimit`.
///
/// - Parameter moments: tells which elements of EXDATE and RDATE are one in two spellings.
package func carryChange(
  from old: SyntaxTree, to new: SyntaxTree, onto other: SyntaxTree,
  moments: @escaping MomentKey = { element, line, _ in
    element + (line.parameter(named: "TZID")?.texts.first ?? [])
  }
) -> [UInt8]? {
  guard old.wholeness == .whole, new.wholeness == .whole, other.wholeness == .whole else {
    return nil
  }
  var carrier = ChangeCarrier(target: other, moments: moments)
  do throws(EditRefusal) {
    try carrier.carry(from: old.root, to: new.root, into: other.root)
  } catch {
    return nil
  }
  // Read anew, so that what is promised is true of the bytes and not of the tree alone.
  let result = SyntaxTree(bytes: carrier.target.bytes)
  guard result.wholeness == .whole,
    Set(CalendarObject(result).uids) == Set(CalendarObject(other).uids)
  else { return nil }
  return result.bytes
}

/// Changes the target step by step. Components and lines are looked up in the text that it was at
/// first, where they have the same identities: a view of the target would make each step copy it.
private struct ChangeCarrier {
  var target: SyntaxTree
  let moments: MomentKey

  /// Carries the change of one component into its counterpart.
  mutating func carry(
    from old: Component, to new: Component, into other: Component
  ) throws(EditRefusal) {
    let component = other.id
    let oldGroups = PropertyGroups(of: old)
    let newGroups = PropertyGroups(of: new)
    let otherGroups = PropertyGroups(of: other)
    // Where BEGIN and END are kept as plain lines, lines of one name are no group of their own.
    guard !oldGroups.hasBrackets, !newGroups.hasBrackets, !otherGroups.hasBrackets else {
      guard canonicalForm(of: old) == canonicalForm(of: new) else { throw .tooDeep }
      return
    }
    let span = oldGroups.changedSpan(to: newGroups, in: otherGroups)
    let gone =
      oldGroups.names.filter { !span.contains($0) } + otherGroups.names.filter(span.contains)
    for name in newGroups.names + gone.filter({ newGroups[$0] == nil }) {
      let change = GroupChange(
        old: oldGroups[name], new: newGroups[name], other: otherGroups[name])
      guard span.contains(name) || change.isChange else { continue }
      let there = change.other?.lines ?? []
      let lines = change.lines(of: name, in: other, telling: moments)
      if lines == there.map({ SyntaxTree.NewLine.source($0.source) }) { continue }
      try target.replace(there.map(\.id), by: lines, in: component)
    }
    let oldSiblings = SiblingGroups(of: old)
    let newSiblings = SiblingGroups(of: new)
    let otherSiblings = SiblingGroups(of: other)
    var neighbours = Neighbours(of: other)
    for identity in newSiblings.identities
      + oldSiblings.identities.filter({ newSiblings[$0].isEmpty })
    {
      try carry(
        from: oldSiblings[identity], to: newSiblings[identity], into: otherSiblings[identity],
        of: other.id, beside: &neighbours)
    }
  }

  /// Carries the changes of siblings of one identity.
  private mutating func carry(
    from old: [Sibling], to new: [Sibling], into other: [Sibling], of parent: Component.ID,
    beside neighbours: inout Neighbours
  ) throws(EditRefusal) {
    guard old.map(\.content) != new.map(\.content) else { return }
    let oldOfNew = Alignment.match(old, to: new)
    let otherOfOld = Alignment.match(other, to: old)
    let counterparts = oldOfNew.map { $0.flatMap { otherOfOld[$0] }.map { other[$0].component } }
    var strangers = Self.strangers(in: other, otherOfOld)
    var twins = Self.unknown(in: other, otherOfOld).filter(\.identity.isAnonymous)
    var previous: Component.ID?
    for (index, sibling) in new.enumerated() {
      let before = oldOfNew[index].map { old[$0] }
      if before?.content == sibling.content {
        // Unchanged here: it stays as it is there, or stays dropped.
        previous = counterparts[index]?.id ?? previous
      } else if let counterpart = counterparts[index], sibling.component.isNamed("VTIMEZONE") {
        let copy = try target.insert(
          sibling.component, in: parent, afterLine: lastLine(of: counterpart.id))
        try target.remove(counterpart.id)
        neighbours.lastOfKind[sibling.identity.kind] = copy
        previous = copy
      } else if let before, let counterpart = counterparts[index] {
        try carry(from: before.component, to: sibling.component, into: counterpart)
        previous = counterpart.id
      } else if let stranger = strangers.popLast() {
        previous = stranger.component.id
        if stranger.content == sibling.content { continue }
        let copy = try target.insert(
          sibling.component, in: parent, afterLine: lastLine(of: stranger.component.id))
        try target.remove(stranger.component.id)
        neighbours.lastOfKind[sibling.identity.kind] = copy
        previous = copy
      } else if let twin = twins.firstIndex(where: { $0.content == sibling.content }) {
        // An alarm that a server had dropped, and has again.
        previous = twins.remove(at: twin).component.id
      } else {
        let next = counterparts[(index + 1)...].lazy.compactMap { $0 }.first
        let place = place(
          after: previous, before: next?.id, for: sibling, in: parent, beside: neighbours)
        let copy = try target.insert(sibling.component, in: parent, afterLine: place)
        neighbours.lastOfKind[sibling.identity.kind] = copy
        previous = copy
      }
    }
    let kept = Set(oldOfNew.compactMap { $0 })
    for index in old.indices where !kept.contains(index) {
      if let counterpart = otherOfOld[index] { try target.remove(other[counterpart].component.id) }
    }
  }

  /// What the target has of a name that `old` does not, as an override that a server had dropped:
  /// one that appears in `new` takes its place, since no text has two of a name. In reverse.
  private static func strangers(in other: [Sibling], _ otherOfOld: [Int?]) -> [Sibling] {
    unknown(in: other, otherOfOld).reversed().filter {
      !$0.identity.isAnonymous && !$0.component.isNamed("VTIMEZONE")
    }
  }

  /// What the target has and `old` does not.
  private static func unknown(in other: [Sibling], _ otherOfOld: [Int?]) -> [Sibling] {
    let known = Set(otherOfOld.compactMap { $0 })
    return other.indices.filter { !known.contains($0) }.map { other[$0] }
  }

  /// The line after which a new component goes: beside its siblings, else behind the last of its
  /// kind; a time zone in front of what refers to it, anything else at the end.
  private func place(
    after previous: Component.ID?, before next: Component.ID?, for sibling: Sibling,
    in parent: Component.ID, beside neighbours: Neighbours
  ) -> UInt32 {
    if let previous, target.isPresent(previous) { return lastLine(of: previous) }
    if let next, target.isPresent(next) { return lineBefore(next) }
    if let last = neighbours.lastOfKind[sibling.identity.kind], target.isPresent(last) {
      return lastLine(of: last)
    }
    if let first = neighbours.first, sibling.component.isNamed("VTIMEZONE"),
      target.isPresent(first)
    {
      return lineBefore(first)
    }
    return target.storage.lastLine(inside: parent.index)
  }

  private func lastLine(of component: Component.ID) -> UInt32 {
    target.storage.components[Int(component.index)].last
  }

  private func lineBefore(_ component: Component.ID) -> UInt32 {
    let begin = target.storage.components[Int(component.index)].begin
    return target.storage.lines[Int(begin)].previous
  }
}

/// The sub-components beside which new ones are put.
private struct Neighbours {
  var first: Component.ID?
  var lastOfKind: [[UInt8]: Component.ID] = [:]

  init(of parent: Component) {
    let children = parent.components
    first = children.first?.id
    for child in children { lastOfKind[child.name.map(\.uppercased)] = child.id }
  }
}
