public import ICalendar
import Recurrence

extension ItemZones {
  /// A base with a later text's own definitions of those zones that another text uses or defines as
  /// well: where all of them are redundant, the change from the base to the text then says nothing
  /// of them, and the other text keeps its own, or does without.
  ///
  /// A definition that the other text needs is news all the same, and one that the text has no use
  /// for any more is removed.
  public func aligned(
    _ base: SyntaxTree, to text: SyntaxTree, for other: SyntaxTree
  ) -> SyntaxTree {
    let (old, new, there) = (definitions(of: base), definitions(of: text), definitions(of: other))
    if old.isEmpty && new.isEmpty { return base }
    let redundancies = [base, text, other].map { Set(redundant.all(in: $0).map(\.id)) }
    let (used, usedByOther) = (references(of: text), references(of: other))
    var result = base
    for name in Set(old.map(\.name)).union(new.map(\.name)).sorted(by: isBefore) {
      let before = old.filter { $0.name == name }.map(\.component)
      let after = new.filter { $0.name == name }.map(\.component)
      let others = there.filter { $0.name == name }.map(\.component)
      let areRedundant = zip([before, after, others], redundancies).allSatisfy { list, redundant in
        list.allSatisfy { redundant.contains($0.id) }
      }
      guard areRedundant, !after.isEmpty || used.contains(name),
        !others.isEmpty || usedByOther.contains(name), before.map(\.bytes) != after.map(\.bytes),
        let calendar = base.calendars.first
      else { continue }
      do throws(EditRefusal) {
        for component in before { try result.remove(component.id) }
        for component in after { try result.insert(component, in: calendar.id) }
      } catch {
        return base
      }
    }
    return SyntaxTree(bytes: result.bytes)
  }
}

/// Names in an order that is the same in every process.
private func isBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.lexicographicallyPrecedes(other)
}

/// Adds the time zones that a merged text refers to and that one of the texts defines, but for
/// those that it `doesWithout`.
func withDefinitions(
  _ merged: SyntaxTree, from texts: [SyntaxTree], doesWithout: Set<[UInt8]> = []
) throws(EditRefusal) -> SyntaxTree {
  var missing = undefinedZones(of: merged).subtracting(doesWithout)
  if missing.isEmpty { return merged }
  var result = merged
  for (name, component) in texts.flatMap(definitions) where missing.remove(name) != nil {
    guard let calendar = result.calendars.first else { continue }
    let last = calendar.components.last { $0.isNamed("VTIMEZONE") }
    try result.apply(.insert(component, in: calendar.id, after: last?.id))
  }
  return SyntaxTree(bytes: result.bytes)
}

/// A text whose times were put back into zones of its base: with the definitions that the base has
/// of these, and without those that nothing needs any more.
///
/// - Parameter before: the text as it was.
func withFormerZones(
  _ text: SyntaxTree, insteadOf before: SyntaxTree, of base: Component
) throws(EditRefusal) -> SyntaxTree {
  let (former, needed) = (references(of: before), references(of: text))
  let own = definitions(of: text)
  let spare = former.subtracting(needed)
  let missing = needed.subtracting(former).subtracting(own.map(\.name))
  if spare.isEmpty, missing.isEmpty { return text }
  var result = text
  if let calendar = text.calendars.first {
    let place = own.last?.component.id
    for (name, component) in definitions(in: base).reversed() where missing.contains(name) {
      if let place {
        try result.insert(component, in: calendar.id, after: place)
      } else {
        try result.insertFirst(component, in: calendar.id)
      }
    }
  }
  for (name, component) in own where spare.contains(name) { try result.remove(component.id) }
  return SyntaxTree(bytes: result.bytes)
}

/// The zones that a text refers to and does not define.
func undefinedZones(of tree: SyntaxTree) -> Set<[UInt8]> {
  references(of: tree).subtracting(definitions(of: tree).map(\.name))
}

private func definitions(of tree: SyntaxTree) -> [(name: [UInt8], component: Component)] {
  tree.calendars.flatMap(definitions(in:))
}

private func definitions(in calendar: Component) -> [(name: [UInt8], component: Component)] {
  calendar.components.compactMap { component in
    guard component.isNamed("VTIMEZONE"), let line = component.line(named: "TZID") else {
      return nil
    }
    return (TextValue(escaped: line.value).bytes, component)
  }
}

private func references(of tree: SyntaxTree) -> Set<[UInt8]> {
  var names: Set<[UInt8]> = []
  for component in tree.calendars.flatMap(\.components) where !component.isNamed("VTIMEZONE") {
    for line in component.lines {
      if let name = line.parameter(named: "TZID")?.texts.first { names.insert(name) }
    }
  }
  return names
}
