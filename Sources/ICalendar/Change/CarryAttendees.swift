/// The attendees of a component in one text, or its organizer.
///
/// They travel one by one, unlike the lines of other properties, where a side has left single ones
/// out: SOGo does that with the organizer, and an answer of another must not take those out of the
/// folder. Where a side has them under other addresses, as servers of Apple do, they travel
/// together. And of one whose line is not the same on both sides, what was changed travels alone:
/// with an answer, a server's own spelling of the name would come.
struct Attendees {
  static let names: Set<[UInt8]> = [Array("ATTENDEE".utf8), Array("ORGANIZER".utf8)]

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
  ///
  /// - Parameter isOne: there may be no second line (RFC 5545 §3.6.1): what the third text alone
  ///   has gives way.
  static func carry(
    from old: Attendees, to new: Attendees, onto other: Attendees, isOne: Bool
  ) -> [SyntaxTree.NewLine] {
    guard old.isSubset(of: other) || other.isSubset(of: old) else {
      return new.order.compactMap { new.lines[$0]?.asItIs }
    }
    let changed = new.order.compactMap { key -> SyntaxTree.NewLine? in
      guard let now = new.lines[key] else { return nil }
      let (before, there) = (old.lines[key], other.lines[key])
      if now.form == before?.form { return there?.asItIs }
      return carry(from: before, to: now, onto: there)
    }
    if isOne, !changed.isEmpty { return changed }
    let own = other.order.filter { old.lines[$0] == nil && new.lines[$0] == nil }
    return changed + own.compactMap { other.lines[$0]?.asItIs }
  }

  /// The line of a third text with the parameters that changed; the new line as it is where that
  /// text has the old one, or none, or where they cannot be told apart.
  private static func carry(
    from old: FormedLine?, to new: FormedLine, onto other: FormedLine?
  ) -> SyntaxTree.NewLine {
    guard let old, let other, old.form != other.form, let before = old.line.property,
      let after = new.line.property, let there = other.line.property,
      [before, after, there].allSatisfy(\.hasEachParameterOnce)
    else { return new.asItIs }
    var line = there
    for name in after.parameterNames + before.parameterNames
    where before.values(of: name) != after.values(of: name) {
      line.set(name, to: after.values(of: name))
    }
    if before.value != after.value { line.value = after.value }
    if line == there { return other.asItIs }
    // What another program has written may be nothing that calgw would write.
    return (try? line.content()) == nil ? new.asItIs : .property(line)
  }
}

extension FormedLine {
  fileprivate var asItIs: SyntaxTree.NewLine { .source(line.source) }
}

extension Property {
  fileprivate var hasEachParameterOnce: Bool { Set(parameterNames).count == parameters.count }
}
