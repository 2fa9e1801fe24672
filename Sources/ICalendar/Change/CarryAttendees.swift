/// The attendees of a component in one text, or its organizer.
///
/// They travel one by one where a side has left single ones out, or added some: SOGo leaves the
/// organizer out, and an answer of another must not take those out of the folder. Where a side has
/// them under other addresses, as servers of Apple do, it has as many of them, and they travel
/// together, since nobody knows which is which. And of one whose line is not the same on both
/// sides, what was changed travels alone: with an answer, a server's own spelling of the name would
/// come.
struct Attendees {
  static let names: Set<[UInt8]> = [Array("ATTENDEE".utf8), Array("ORGANIZER".utf8)]

  private let lines: Keyed<FormedLine>

  init(_ group: PropertyGroups.Group?) {
    lines = Keyed(FormedLine.all(group)) { $0.line.attendeeAddress }
  }

  /// There are as many in the other text, and some of them not under these addresses. Of several,
  /// who has an address of the same kind there and another name is somebody else: the other text
  /// has left out one and added one.
  private func areRenamed(in other: Attendees, isOne: Bool) -> Bool {
    var lacking = lines.order.filter { other.lines[$0] == nil }
    var strangers = other.lines.order.filter { lines[$0] == nil }
    guard !lacking.isEmpty, lacking.count == strangers.count else { return false }
    if isOne { return true }
    lacking.removeAll { key in
      let names = lines[key]?.names ?? []
      let place = strangers.firstIndex { stranger in
        other.lines[stranger]?.names.contains { names.contains($0) } ?? false
      }
      if let place { strangers.remove(at: place) }
      return place != nil
    }
    let kinds = Set(lacking.map(Self.scheme))
    return strangers.allSatisfy { !kinds.contains(Self.scheme($0)) }
  }

  /// That of an address, as of `mailto:`; empty for a path.
  private static func scheme(_ key: Keyed<FormedLine>.Key) -> [UInt8] {
    key.bytes.firstIndex(of: ASCII.colon).map { Array(key.bytes[..<$0]) } ?? []
  }

  /// The lines of a third text after the change from `old` to `new`, in the order of `new`; what
  /// that text alone has comes last.
  ///
  /// - Parameter isOne: there may be no second line (RFC 5545 §3.6.1): what the third text alone
  ///   has gives way.
  static func carry(
    from old: Attendees, to new: Attendees, onto other: Attendees, isOne: Bool
  ) -> [SyntaxTree.NewLine] {
    if old.areRenamed(in: other, isOne: isOne) {
      return new.lines.order.compactMap { new.lines[$0]?.asItIs }
    }
    let changed = new.lines.order.compactMap { key -> SyntaxTree.NewLine? in
      guard let now = new.lines[key] else { return nil }
      let (before, there) = (old.lines[key], other.lines[key])
      if now.form == before?.form { return there?.asItIs }
      return FormedLine.carry(from: before, to: now, onto: there)
    }
    if isOne, !changed.isEmpty { return changed }
    let own = other.lines.order.filter { old.lines[$0] == nil && new.lines[$0] == nil }
    return changed + own.compactMap { other.lines[$0]?.asItIs }
  }
}

extension FormedLine {
  /// What an attendee is called in it.
  fileprivate var names: [[UInt8]] {
    let name = (line.parameter(named: "CN")?.values ?? []).filter { !$0.isEmpty }
    let addresses = line.parameter(named: "EMAIL")?.values ?? []
    return name.map(\.uppercased) + [line.attendeeAddress]
      + addresses.map { CalendarAddress.key(of: Array("mailto:".utf8) + $0) }
  }
}
