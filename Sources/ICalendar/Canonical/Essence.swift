/// Gives the canonical form of a text without the fields that only say that somebody has touched
/// it: SEQUENCE, LAST-MODIFIED, DTSTAMP and CREATED (RFC 5545 §3.8.7); without defaults that are
/// written out; and with the addresses of people in one spelling. Nil where the text is one that
/// cannot be edited.
public func essence(of tree: SyntaxTree) -> [UInt8]? {
  essence(of: tree) { _ in false }
}

/// Gives the essence of a text without its extensions, which many servers drop (the `X-` properties
/// of RFC 5545 §3.8.8.2). Nil where the text cannot be edited.
public func essenceWithoutExtensions(of tree: SyntaxTree) -> [UInt8]? {
  essence(of: tree) { $0.isExtension }
}

/// Gives the essence of a text without what servers by habit drop, add and fill in: extensions,
/// alarms, RELATED-TO, CLASS, TRANSP, PRIORITY, GEO, STATUS:CONFIRMED and texts that are empty. Two
/// texts of one substance are one version and what a server made of it, as far as that can be told.
/// Nil where the text cannot be edited.
public func substance(of tree: SyntaxTree) -> [UInt8]? {
  var tree = tree
  let alarms = tree.calendars.flatMap(\.components).flatMap(\.components)
  for alarm in alarms where alarm.isNamed("VALARM") {
    guard (try? tree.remove(alarm.id)) != nil else { return nil }
  }
  return essence(of: tree) { $0.isDroppedByHabit || $0.isEmptyText }
}

/// The properties that say when an item is, which occurrences it has and who takes part. No server
/// leaves one of them out; people do.
public let propertiesThatServersKeep: Set<String> = [
  "UID", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE",
  "RECURRENCE-ID", "ATTENDEE", "ORGANIZER",
]

/// Gives what a server may have kept of a text: all but what servers by habit drop, alarms among
/// it, and what was new in the text and no server need keep, where `stored`, which somebody made of
/// what the server kept, has none of the kind. What the server had before it keeps, in an override
/// also what it had in the series; and so it does an override that `stored` does not have: servers
/// do not drop these, people do.
///
/// - Parameters:
///   - before: what the text was written over; nil where all of it was new.
///   - isInDoubt: Nobody knows whether the text arrived. Then title, text, place and categories
///     that an edit gave an item count as kept: where they are not there, the edit more often never
///     came, and taken for left out they would stay on one side alone.
public func remains(
  of sent: SyntaxTree, in stored: SyntaxTree, over before: SyntaxTree?, isInDoubt: Bool
) -> SyntaxTree {
  var rest = sent
  do throws(EditRefusal) {
    try drop(
      from: sent.root, missingIn: stored.root, over: before?.root, isInDoubt: isInDoubt, of: &rest)
    return rest
  } catch {
    return sent
  }
}

private func drop(
  from sent: Component, missingIn stored: Component, over before: Component?, isInDoubt: Bool,
  of rest: inout SyntaxTree, in series: Component? = nil
) throws(EditRefusal) {
  for line in sent.lines where line.mayBeLeftOut(of: sent, over: before, isInDoubt: isInDoubt) {
    let isKept = before == nil && !line.isDroppedByHabit && series?.has(line) ?? false
    if !isKept, !stored.has(line) { try rest.remove(line.id) }
  }
  let counterparts = stored.byIdentity
  let former = before?.byIdentity ?? [:]
  let hasAlarms = stored.components.contains { $0.isNamed("VALARM") }
  for child in sent.components {
    if child.isNamed("VALARM") {
      if !hasAlarms { try rest.remove(child.id) }
    } else if let counterpart = counterparts[ComponentIdentity(child)] {
      let old = former[ComponentIdentity(child)]
      try drop(
        from: child, missingIn: counterpart, over: old, isInDoubt: isInDoubt, of: &rest,
        in: before?.series(of: child))
    }
  }
}

/// What an edit gives an item and hardly any server that stores the item leaves out.
private let keptOfEdits: Set<String> = ["SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES"]

private func essence(
  of tree: SyntaxTree, without isLeftOut: (ContentLine) -> Bool
) -> [UInt8]? {
  var tree = tree
  let calendars = tree.calendars
  do throws(EditRefusal) {
    for line in calendars.flatMap(\.lines) where isLeftOut(line) { try tree.remove(line.id) }
    for line in calendars.flatMap(\.components).flatMap(\.lines)
    where line.saysItWasTouched || line.saysTheDefault || isLeftOut(line) {
      try tree.remove(line.id)
    }
  } catch {
    return nil
  }
  spellAddressesAlike(in: &tree)
  return canonicalForm(of: tree)
}

/// Gives each ATTENDEE and ORGANIZER the address by which it is compared. A line that calgw would
/// not write like that stays as it is.
private func spellAddressesAlike(in tree: inout SyntaxTree) {
  for line in tree.calendars.flatMap(\.components).flatMap(\.lines)
  where line.isNamed("ATTENDEE") || line.isNamed("ORGANIZER") {
    guard var person = line.property, person.value != line.attendeeAddress else { continue }
    person.value = line.attendeeAddress
    try? tree.replace(line.id, with: person)
  }
}

extension Component {
  /// It has a property of that name.
  fileprivate func has(_ line: ContentLine) -> Bool {
    let name = line.name
    return lines.contains { $0.isNamed(name) }
  }

  /// What an override in it would be one of.
  fileprivate func series(of override: Component) -> Component? {
    components.first { one in
      one.name.elementsEqual(override.name)
        && !one.lines.contains { $0.isNamed("RECURRENCE-ID") }
    }
  }

  fileprivate var byIdentity: [ComponentIdentity: Component] {
    Dictionary(
      components.map { (ComponentIdentity($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ContentLine {
  fileprivate var saysItWasTouched: Bool {
    ["SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "CREATED"].contains(where: isNamed)
  }

  fileprivate var isExtension: Bool {
    name.starts(with: "X-".utf8) || name.starts(with: "x-".utf8)
  }

  fileprivate func mayBeLeftOut(
    of component: Component, over before: Component?, isInDoubt: Bool
  ) -> Bool {
    if isDroppedByHabit { return true }
    if isInDoubt, before != nil, keptOfEdits.contains(where: isNamed) { return false }
    return ["VEVENT", "VTODO", "VJOURNAL"].contains(where: component.isNamed)
      && !propertiesThatServersKeep.contains(where: isNamed) && !(before?.has(self) ?? false)
  }

  /// It says what no line says, as `DESCRIPTION:` does.
  fileprivate var isEmptyText: Bool {
    !isMalformed && value.isEmpty && !propertiesThatServersKeep.contains(where: isNamed)
  }

  fileprivate var isDroppedByHabit: Bool {
    isExtension || isNamed("STATUS") && value.elementsEqual("CONFIRMED".utf8)
      || ["RELATED-TO", "CLASS", "TRANSP", "PRIORITY", "GEO"].contains(where: isNamed)
  }
}
