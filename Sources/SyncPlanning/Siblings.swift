import ICalendar
public import SyncModel

/// The items that a text names as the other parts of its series: what a split joins by RELATED-TO
/// with RELTYPE=SIBLING (RFC 5545 §3.8.4.5). Parents and children are no parts: a task that cannot
/// go its way keeps none of its subtasks.
public func siblings(in text: ItemData) -> Set<ItemID> {
  var named: Set<ItemID> = []
  for item in CalendarObject(SyntaxTree(bytes: text.bytes)).components {
    for line in item.component.lines(named: "RELATED-TO") {
      let type = line.parameter(named: "RELTYPE")?.values.first ?? []
      if String(decoding: type, as: UTF8.self).uppercased() == "SIBLING" {
        named.insert(ItemID(bytes: TextValue(escaped: line.value).bytes))
      }
    }
  }
  return named
}
