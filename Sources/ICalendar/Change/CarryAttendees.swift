/// The attendees of a component in one text.
///
/// They travel one by one, unlike the lines of other properties, where a side has left single ones
/// out: SOGo does that with the organizer, and an answer of another must not take those out of the
/// folder. Where a side has them under other addresses, as servers of Apple do, they travel
/// together.
struct Attendees {
  /// A line by its address, and which one of that address it is.
  private struct Key: Hashable {
    let address: [UInt8]
    let number: Int
  }

  private var order: [Key] = []
  private var lines: [Key: FormedLine] = [:]

  init(_ group: PropertyGroups.Group?) {
    var counts: [[UInt8]: Int] = [:]
    for formed in FormedLine.all(group) {
      let address = formed.line.attendeeAddress
      let key = Key(address: address, number: counts[address, default: 0])
      counts[address] = key.number + 1
      order.append(key)
      lines[key] = formed
    }
  }

  private func isSubset(of other: Attendees) -> Bool {
    order.allSatisfy { other.lines[$0] != nil }
  }

  /// The lines of a third text after the change from `old` to `new`, in the order of `new`; what
  /// that text alone has comes last.
  static func carry(from old: Attendees, to new: Attendees, onto other: Attendees) -> [ContentLine]
  {
    guard old.isSubset(of: other) || other.isSubset(of: old) else {
      return new.order.compactMap { new.lines[$0]?.line }
    }
    let changed = new.order.compactMap { key in
      new.lines[key]?.form == old.lines[key]?.form ? other.lines[key] : new.lines[key]
    }
    let own = other.order.filter { old.lines[$0] == nil && new.lines[$0] == nil }
    return (changed + own.compactMap { other.lines[$0] }).map(\.line)
  }
}
