/// The attendees of a component in one text, or its organizer.
///
/// They travel one by one where a side has left single ones out: SOGo does that with the organizer,
/// and an answer of another must not take those out of the folder. Where a side has them under
/// other addresses, as servers of Apple do, it has as many of them, and they travel together, since
/// nobody knows which is which. And of one whose line is not the same on both sides, what was
/// changed travels alone: with an answer, a server's own spelling of the name would come.
struct Attendees {
  static let names: Set<[UInt8]> = [Array("ATTENDEE".utf8), Array("ORGANIZER".utf8)]

  private let lines: Keyed<FormedLine>

  init(_ group: PropertyGroups.Group?) {
    lines = Keyed(FormedLine.all(group)) { $0.line.attendeeAddress }
  }

  /// There are as many in the other text, and some of them not under these addresses.
  private func areRenamed(in other: Attendees) -> Bool {
    lines.order.count == other.lines.order.count
      && lines.order.contains { other.lines[$0] == nil }
  }

  /// The lines of a third text after the change from `old` to `new`, in the order of `new`; what
  /// that text alone has comes last.
  ///
  /// - Parameter isOne: there may be no second line (RFC 5545 §3.6.1): what the third text alone
  ///   has gives way.
  static func carry(
    from old: Attendees, to new: Attendees, onto other: Attendees, isOne: Bool
  ) -> [SyntaxTree.NewLine] {
    if old.areRenamed(in: other) {
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
