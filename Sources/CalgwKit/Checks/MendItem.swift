import ICalendar
import SyncModel

/// Does what `check --fix` does to a text, and leaves every other byte as it is.
struct ItemMender {
  /// For UIDs that have to be made.
  let calendar: String
  let digest: DigestFunction
  /// For a DTSTAMP where nothing tells when the item was changed last.
  let now: Instant

  /// The findings of a text, each with what can be done about it.
  static func findings(in tree: SyntaxTree) -> [CheckedFile.Finding] {
    let canMend = isMendable(tree)
    let all = tree.findings + checkSchedules(of: CalendarObject(tree), catalog: .system)
    return CheckFinding.listed(all).map { finding in
      CheckedFile.Finding(finding: finding, mend: canMend ? finding.code.mend : nil)
    }
  }

  /// What is cut off or no calendar is left to a person.
  private static func isMendable(_ tree: SyntaxTree) -> Bool {
    switch tree.wholeness {
    case .whole, .notUTF8: true
    case .empty, .notCalendar, .cutOff, .conflictMarker, .strayEnd, .tooLarge: false
    }
  }

  /// The text with everything mended that can be; nil where nothing has to be.
  func mended(_ bytes: [UInt8]) -> [UInt8]? {
    var tree = SyntaxTree(bytes: bytes)
    let codes = Set(
      Self.findings(in: tree).filter { $0.mend != nil }.map(\.finding.code))
    guard !codes.isEmpty else { return nil }
    do throws(EditRefusal) {
      try complete(&tree)
    } catch {
      return nil
    }
    let isLinesOnly: Set<CheckCode> = [
      .byteOrderMark, .bareLineFeed, .bareCarriageReturn, .missingLineEnd, .longLine,
      .cutCharacter,
    ]
    let result = codes.isDisjoint(with: isLinesOnly) ? tree.bytes : wireForm(of: tree.bytes)
    return result == bytes ? nil : result
  }

  private func complete(_ tree: inout SyntaxTree) throws(EditRefusal) {
    for calendar in tree.calendars {
      if calendar.line(named: "VERSION") == nil {
        try tree.insert(Property("VERSION", value: "2.0"), in: calendar.id)
      }
      if calendar.line(named: "PRODID") == nil {
        try tree.insert(Property("PRODID", value: productID), in: calendar.id)
      }
    }
    let items = CalendarObject(tree).components.filter {
      ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"].contains($0.kind)
    }
    var made: [String: [[UInt8]]] = [:]
    for item in items {
      if item.component.line(named: "DTSTAMP") == nil {
        try tree.insert(Property("DTSTAMP", value: stamp(of: item)), in: item.component.id)
      }
      if item.uid == nil {
        let uid = uid(for: item, among: items, &made)
        try tree.set(Property("UID", text: uid), in: item.component.id)
      }
    }
  }

  /// An override belongs to the series of the file, if there is one; any other item is its own.
  private func uid(
    for item: ItemComponent, among items: [ItemComponent], _ made: inout [String: [[UInt8]]]
  ) -> String {
    let mains = items.filter { !$0.isOverride && $0.kind == item.kind }
    if item.isOverride, mains.count == 1, let main = mains.first {
      return main.uid.map { String(decoding: $0, as: UTF8.self) }
        ?? compositeUID(of: main, calendar: calendar, digest: digest)
    }
    let base = compositeUID(of: item, calendar: calendar, digest: digest)
    // Unlike events of one title and start get a number each, as in an import.
    let bytes = item.component.bytes
    var twins = made[base] ?? []
    let number = twins.firstIndex(of: bytes) ?? twins.count
    if number == twins.count { twins.append(bytes) }
    made[base] = twins
    return number == 0 ? base : "\(base)-\(number + 1)"
  }

  /// RFC 5545 §3.8.7.2: without METHOD, when the item was changed last.
  private func stamp(of item: ItemComponent) -> String {
    for name in ["LAST-MODIFIED", "CREATED"] {
      guard let value = item.component.line(named: name)?.value, UTCDateTime(value) != nil else {
        continue
      }
      return String(decoding: value, as: UTF8.self)
    }
    let text = wallText(Int(now.milliseconds / 1000), withClock: true)
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
