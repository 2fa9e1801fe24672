package import ICalendar
public import SyncModel

/// The items that a text names as the other parts of its series: what a split joins by RELATED-TO
/// with RELTYPE=SIBLING (RFC 5545 §3.8.4.5). Parents and children are no parts: a task that cannot
/// go its way keeps none of its subtasks.
public func siblings(in text: ItemData) -> Set<ItemID> { related(in: text, as: "SIBLING") }

package func siblings(in object: CalendarObject) -> Set<ItemID> {
  related(in: object, as: "SIBLING")
}

private func related(in text: ItemData, as type: String) -> Set<ItemID> {
  related(in: CalendarObject(SyntaxTree(bytes: text.bytes)), as: type)
}

/// - Parameter type: a RELTYPE in upper case.
private func related(in object: CalendarObject, as type: String) -> Set<ItemID> {
  var named: Set<ItemID> = []
  for item in object.components {
    for line in item.component.lines(named: "RELATED-TO") {
      let own = line.parameter(named: "RELTYPE")?.values.first ?? []
      if own.uppercased.elementsEqual(type.utf8) {
        named.insert(ItemID(bytes: TextValue(escaped: line.value).bytes))
      }
    }
  }
  return named
}

/// The sets of series that a text says to be one of, in the way of Apple's server and calendar: all
/// parts that a series was split into name one set.
public func recurrenceSets(in text: ItemData) -> Set<ItemID> {
  related(in: text, as: "X-CALENDARSERVER-RECURRENCE-SET")
}

/// The rules of a text's components, as they are written.
public func recurrenceRules(in text: ItemData) -> Set<[UInt8]> {
  let components = CalendarObject(SyntaxTree(bytes: text.bytes)).components
  return Set(components.flatMap { $0.component.lines(named: "RRULE").map(\.value) })
}

extension ItemID {
  /// The UID of the series that it is a part of by its name, as Google has them: `abc@google.com`
  /// for `abc_R20260302T180000@google.com`. Nil for any other.
  public var seriesOfPart: ItemID? {
    let domain = bytes.firstIndex(of: UInt8(ascii: "@")) ?? bytes.endIndex
    let name = bytes[..<domain]
    guard let mark = name.lastIndex(of: UInt8(ascii: "_")) else { return nil }
    let start = name[(mark + 1)...]
    guard start.first == UInt8(ascii: "R"), start.count > 8,
      start.dropFirst().prefix(8).allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return ItemID(bytes: Array(name[..<mark] + bytes[domain...]))
  }
}
