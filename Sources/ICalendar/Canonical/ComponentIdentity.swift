/// What makes a component the one that it is among its siblings: its kind, and its UID with its
/// RECURRENCE-ID, or its TZID. Components that have none of them are told apart by their place.
package struct ComponentIdentity: Sendable, Hashable, Comparable {
  /// In upper case.
  package let kind: [UInt8]
  /// The UID, or the TZID of a VTIMEZONE; without escapes.
  package let name: [UInt8]
  package let recurrenceID: [UInt8]

  package init(_ component: Component) {
    kind = component.withName { $0.map(\.uppercased) }
    let isTimeZone = component.isNamed("VTIMEZONE")
    var name: [UInt8] = []
    var recurrenceID: [UInt8] = []
    let nameOfName: StaticString = isTimeZone ? "TZID" : "UID"
    let storage = component.storage
    storage.forEachProperty(in: component.index) { line, lineName in
      if name.isEmpty, sameName(lineName, nameOfName) {
        name = TextValue(escaped: Self.value(of: line, storage)).bytes
      } else if recurrenceID.isEmpty, sameName(lineName, "RECURRENCE-ID") {
        recurrenceID = Self.value(of: line, storage)
      }
    }
    self.name = name
    self.recurrenceID = recurrenceID
  }

  private static func value(of line: UInt32, _ storage: TreeStorage) -> [UInt8] {
    storage.withValue(of: storage.lines[Int(line)]) { Array($0.withoutTrailingBlanks) }
  }

  /// Two components without a name of their own may be any two.
  package var isAnonymous: Bool { name.isEmpty && recurrenceID.isEmpty }

  package static func < (left: ComponentIdentity, right: ComponentIdentity) -> Bool {
    if left.kind != right.kind { return left.kind.lexicographicallyPrecedes(right.kind) }
    if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
    return left.recurrenceID.lexicographicallyPrecedes(right.recurrenceID)
  }
}
