/// The lines of a component by name: those of one name are one group, and so are those that cannot
/// be read.
package struct PropertyGroups {
  /// The lines of one name.
  package struct Group {
    package var lines: [ContentLine] = []
    /// The canonical forms of the lines, a line each; nothing for lines that do not count.
    package var canonical: [UInt8] = []
  }

  /// In upper case, in the order in which they first occur; an empty name for what cannot be read.
  package private(set) var names: [[UInt8]] = []
  /// There are BEGIN or END lines that are kept as plain lines (`TreeStorage.isBracket`).
  package private(set) var hasBrackets = false
  private var groups: [[UInt8]: Group] = [:]

  package init(of component: Component) {
    let context = CanonicalLine.Context(component)
    for line in component.lines {
      let name = line.name.map(\.uppercased)
      hasBrackets = hasBrackets || line.storage.isBracket(line.record)
      if groups[name] == nil { names.append(name) }
      groups[name, default: Group()].lines.append(line)
      CanonicalLine.append(
        line.record, of: line.storage, in: context, to: &groups[name, default: Group()].canonical)
    }
  }

  package subscript(name: [UInt8]) -> Group? { groups[name] }

  /// The properties of start and end, where they changed from these groups to `new` and `other`
  /// says the end by another one: there half of the change would say another time, or two ends.
  /// Else none.
  func changedSpan(to new: PropertyGroups, in other: PropertyGroups) -> Set<[UInt8]> {
    let isChanged = Self.span.contains { self[$0]?.canonical ?? [] != new[$0]?.canonical ?? [] }
    let isSaidAlike = Self.span.dropFirst().allSatisfy { (self[$0] == nil) == (other[$0] == nil) }
    return isChanged && !isSaidAlike ? Set(Self.span) : []
  }

  private static let span = ["DTSTART", "DTEND", "DUE", "DURATION"].map { Array($0.utf8) }
}

/// A component among those of one identity.
package struct Sibling {
  package let component: Component
  package let identity: ComponentIdentity
  /// Its canonical form.
  package let content: [UInt8]
  /// What tells components without an identity apart where their content differs: an alarm's
  /// action and trigger, the start of a zone's observance.
  let mark: [UInt8]

  package init(_ component: Component, _ identity: ComponentIdentity) {
    self.component = component
    self.identity = identity
    content = canonicalForm(of: component)
    let context = CanonicalLine.Context(component)
    var mark: [UInt8] = []
    for name in ["ACTION", "TRIGGER", "DTSTART"] {
      for line in component.lines(named: name) {
        CanonicalLine.append(line.record, of: line.storage, in: context, to: &mark)
      }
    }
    self.mark = mark
  }
}

/// The sub-components of a component by identity.
package struct SiblingGroups {
  /// In the order in which they first occur.
  package private(set) var identities: [ComponentIdentity] = []
  private var groups: [ComponentIdentity: [Sibling]] = [:]

  package init(of component: Component, without leftOut: Set<Component.ID> = []) {
    for child in component.components where !leftOut.contains(child.id) {
      let identity = ComponentIdentity(child)
      if groups[identity] == nil { identities.append(identity) }
      groups[identity, default: []].append(Sibling(child, identity))
    }
  }

  package subscript(identity: ComponentIdentity) -> [Sibling] { groups[identity] ?? [] }
}
