public import ICalendar

extension ItemZones {
  /// Applies what one side alone changed, from its base to its text, to the text of the other side,
  /// which may keep the item in a form of its own (`carryChange`).
  ///
  /// What comes to stand there means there what it means here: overrides and dates are told by
  /// their moments, however each side spells them, and a zone that the change brings comes with
  /// its definition (RFC 5545 §3.6.5). What the other text did without, it still does without.
  ///
  /// Gives nil where it cannot be applied.
  public func carry(
    from base: SyntaxTree, to text: SyntaxTree, onto other: SyntaxTree
  ) -> [UInt8]? {
    let aligned = aligned(base, to: text, for: other)
    let change = spelled(BaseAndText(base: aligned, text: text), as: other)
    let moments = CarriedMoments(
      [change.base, change.text, other], TimeContext(self, [base, text, other]))
    guard
      let bytes = carryChange(
        from: change.base, to: change.text, onto: other, moments: moments.key)
    else { return nil }
    do throws(EditRefusal) {
      return try withDefinitions(
        SyntaxTree(bytes: bytes), from: [other, text, base], doesWithout: undefinedZones(of: other)
      ).bytes
    } catch {
      return nil
    }
  }

  /// A change of a side with the overrides called as the other side calls them; as it is where they
  /// cannot be told.
  private func spelled(
    _ change: BaseAndText<SyntaxTree>, as other: SyntaxTree
  ) -> BaseAndText<SyntaxTree> {
    let texts = [change.base, change.text, other]
    let haveOverrides = texts.contains { tree in
      tree.calendars.flatMap(\.components).contains { $0.line(named: "RECURRENCE-ID") != nil }
    }
    guard haveOverrides else { return change }
    return (try? respelling(change, as: other, TimeContext(self, texts))) ?? change
  }
}

/// Tells the moments of EXDATE and RDATE in the three texts of a change. What the zones are is
/// looked up when the first is asked for, which is seldom.
final class CarriedMoments {
  private let texts: [SyntaxTree]
  private let context: () -> TimeContext
  private lazy var times = readTimes()

  /// - Parameter texts: the old one, the new one and the other.
  init(_ texts: [SyntaxTree], _ context: @escaping @autoclosure () -> TimeContext) {
    self.texts = texts
    self.context = context
  }

  private func readTimes() -> [ItemTimes] {
    let shared = context()
    return texts.map { ItemTimes($0, shared) }
  }

  /// Equal bytes for one moment (`MomentKey`), with when a period ends.
  func key(_ element: [UInt8], in line: ContentLine, of text: ChangeText) -> [UInt8] {
    let listed = times[text.rawValue].listed(element, in: line)
    let start = Self.bytes(of: listed.start)
    return listed.end.map { start + Array(" until ".utf8) + Self.bytes(of: $0) } ?? start
  }

  private static func bytes(of moment: Moment) -> [UInt8] {
    switch moment {
    case .day(let day): Array("day \(day)".utf8)
    case .wall(let seconds): Array("wall \(seconds)".utf8)
    case .instant(let seconds): Array("instant \(seconds)".utf8)
    case .unknown(let name, let seconds): Array("wall \(seconds) in ".utf8) + name.bytes
    case .text(let text): Array("text ".utf8) + text
    }
  }
}
