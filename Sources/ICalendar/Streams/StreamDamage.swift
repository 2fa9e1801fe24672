/// A stream may be whole by its BEGINs and ENDs and show all the same that something is lost in it,
/// as where a page of the disk was: what is not to be found in it may have stood there.
extension CalendarStream {
  /// A place that shows it.
  public struct Damage: Sendable, Hashable {
    /// What there is.
    public enum Kind: Sendable, Hashable {
      /// No content line (RFC 5545 §3.1), or one outside of all calendars, where an item may have
      /// stood. Within an item such a line is that item's alone.
      case unreadable
      /// A byte of value zero, which no text has.
      case zeroByte
      /// Something that begins where it may not stand, as an event within an event; or the start of
      /// an item outside of any.
      case misplaced
      /// A component with two UIDs.
      case severalUIDs
      /// A component with two starts or two time stamps, or a time zone with two names.
      case fused
    }

    public let kind: Kind
    /// The physical line, from 1.
    public let line: Int
    /// Where that starts in the text.
    let place: Int
  }

  /// What is not to be found in the stream is not there.
  public var isComplete: Bool { nameless.isEmpty && damages.isEmpty }

  /// What shows that the item of a UID is not whole, or that its component has become part of
  /// another's.
  public func damage(of uid: [UInt8]) -> Damage? {
    if damages.isEmpty { return nil }
    guard let parts = members[uid] else { return fusedUIDs[uid] }
    for part in parts {
      if let damage = damage(in: part.range) { return damage }
    }
    for zone in zonesNamed(in: parts) {
      if let damage = damage(in: zone.range) { return damage }
    }
    return nil
  }

  private func damage(in range: Range<Int>) -> Damage? {
    var (low, high) = (0, damages.count)
    while low < high {
      let middle = (low + high) / 2
      if damages[middle].place < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return damages[low...].prefix { $0.place < range.upperBound }.first { $0.kind != .unreadable }
  }

  // MARK: Finding

  /// Looks at a component that is an item's.
  mutating func noteSeam(of item: ItemComponent) {
    guard Self.itemKinds.contains(item.kind), let seam = item.seam else { return }
    let others = item.otherUIDs
    let damage = Damage(at: seam, others.isEmpty ? .fused : .severalUIDs)
    damages.append(damage)
    for other in others where fusedUIDs[other.uid] == nil { fusedUIDs[other.uid] = damage }
  }

  /// Looks at a VTIMEZONE.
  mutating func noteSeam(ofZone zone: Component) {
    let names = zone.lines(named: "TZID")
    guard let seam = names.first(where: { $0.value != names.first?.value }) else { return }
    damages.append(Damage(at: seam, .fused))
  }

  /// Looks at a component without a UID. In a text of such items, a line that cannot be read is
  /// that one's alone; among items that have one, it may be all that is left of a UID.
  mutating func noteUnreadableLine(in component: Component) {
    guard let line = component.lines.first(where: \.isMalformed) else { return }
    unreadableLines.append(Damage(at: line, .unreadable))
  }

  /// Looks at the text as a whole, after all of its items.
  mutating func findDamages(in tree: SyntaxTree) {
    let storage = tree.storage
    let hasZeros = bytes.contains(0)
    for line in storage.lines where line.number > 0 {
      if let kind = storage.damage(in: line, hasZeros: hasZeros) {
        damages.append(Damage(of: line, kind))
      }
    }
    for index in storage.components.indices where storage.components[index].depth > 1 {
      let component = Component(storage: storage, index: UInt32(truncatingIfNeeded: index))
      guard component.isMisplaced else { continue }
      damages.append(Damage(of: storage.lines[Int(component.record.begin)], .misplaced))
    }
    let hasOwnUIDs = members.values.contains { parts in parts.contains { $0.givenUID == nil } }
    if hasOwnUIDs { damages += unreadableLines }
    unreadableLines = []
    damages.sort { $0.place < $1.place }
  }
}

extension CalendarStream.Damage {
  fileprivate init(of line: LineRecord, _ kind: Kind) {
    self.init(kind: kind, line: Int(line.number), place: Int(line.start))
  }

  fileprivate init(at line: ContentLine, _ kind: Kind) { self.init(of: line.record, kind) }
}

extension TreeStorage {
  /// - Parameter hasZeros: somewhere in the text is a byte of value zero.
  fileprivate func damage(
    in line: LineRecord, hasZeros: Bool
  ) -> CalendarStream.Damage.Kind? {
    if line.kind == .blank { return nil }
    if hasZeros, withContent(of: line, { $0.contains(0) }) { return .zeroByte }
    let depth = components[Int(line.component)].depth
    // Of the text as a whole, and of a VCALENDAR.
    guard depth < 2 else { return nil }
    switch line.kind {
    case .malformed: return depth == 1 && isExtension(line) ? nil : .unreadable
    case .property where depth == 0: return .unreadable
    case .property:
      let isStart = withContent(of: line) { content in
        sameName(content.part(0, Int(line.nameEnd)), "DTSTART")
      }
      return isStart ? .misplaced : nil
    case .blank, .begin, .end, .removed: return nil
    }
  }

  /// Whatever is odd about it, it was no part of an item.
  private func isExtension(_ line: LineRecord) -> Bool {
    withContent(of: line) { sameName($0.part(0, min(2, $0.count)), "X-") }
  }
}

extension Component {
  /// It stands where it may not (RFC 5545 §3.4, §3.6). What extensions hold is their own affair.
  fileprivate var isMisplaced: Bool {
    guard let parent else { return false }
    if parent.isNamed("VCALENDAR") { return isNamed("VCALENDAR") }
    let isOfCalendars =
      isNamed("VTIMEZONE") || isNamed("VCALENDAR")
      || CalendarStream.itemKinds.contains { isNamed($0) }
    guard isOfCalendars, let kind = ComponentRules.kind(of: parent) else { return false }
    return kind != "VPOLL"
  }
}
