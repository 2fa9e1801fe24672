import ICalendar
import Recurrence

/// A mistake in a text that a person edited.
public struct TextMistake: Error, Sendable, Hashable {
  /// One sentence without a full stop.
  public var message: String
  /// The line, from 1; nil where it is the text as a whole.
  public var line: Int?
}

extension FoundItem {
  /// Looks for mistakes that an edit of its text brought in; what was wrong before is let be.
  public func firstMistake(in text: [UInt8]) -> TextMistake? {
    let tree: SyntaxTree
    do throws(RunFailure) {
      tree = try wholeTree(text, file: "the text")
    } catch {
      let line = error.place.split(separator: " ").last.flatMap { Int($0) }
      return TextMistake(message: error.message, line: line)
    }
    let known = Set(object.tree.diagnostics.map(\.code))
    if let new = tree.diagnostics.first(where: { $0.severity == .error && !known.contains($0.code) }
    ) {
      return TextMistake(message: new.message, line: new.line)
    }
    return identityMistake(CalendarObject(tree)) ?? timeMistake(tree)
  }

  private func identityMistake(_ edited: CalendarObject) -> TextMistake? {
    guard !edited.components.isEmpty else {
      return TextMistake(
        message: "there is no event in it any more; to delete it, use `calgw delete`", line: nil)
    }
    if let other = edited.components.first(where: { $0.uid != uid.bytes }) {
      let line = other.component.line(named: "UID")?.lineNumber ?? other.component.lineNumber
      return TextMistake(
        message: other.uid == nil
          ? "a component has no UID" : "the UID is another one, and an item keeps its UID",
        line: line)
    }
    var seen: Set<[UInt8]> = []
    for item in edited.components {
      guard !seen.insert(item.recurrenceID?.content ?? []).inserted else { continue }
      return TextMistake(
        message: item.isOverride
          ? "two components stand for the same occurrence" : "two components have no RECURRENCE-ID",
        line: item.component.lineNumber)
    }
    return nil
  }

  private func timeMistake(_ tree: SyntaxTree) -> TextMistake? {
    let known = Set(Self.timeFindings(object).map(\.property))
    for finding in Self.timeFindings(CalendarObject(tree)) where !known.contains(finding.property) {
      guard case .unreadable(let error) = finding.kind else { continue }
      return TextMistake(message: "\(finding.property): \(error)", line: finding.line)
    }
    let before = object.components.count(where: Self.endsBeforeStart)
    let wrong = CalendarObject(tree).components.filter(Self.endsBeforeStart)
    if wrong.count > before, let first = wrong.first {
      let end = ["DTEND", "DUE", "DURATION"].lazy.compactMap { first.component.line(named: $0) }
        .first
      return TextMistake(message: "the end is before the start", line: end?.lineNumber)
    }
    let isStartless = { (item: ItemComponent) in item.kind == "VEVENT" && item.start == nil }
    if !object.components.contains(where: isStartless),
      let item = CalendarObject(tree).components.first(where: isStartless)
    {
      return TextMistake(message: "an event needs a DTSTART", line: item.component.lineNumber)
    }
    return nil
  }

  private static func timeFindings(_ object: CalendarObject) -> [ScheduleFinding] {
    var findings: [ScheduleFinding] = []
    for item in object.components { _ = Schedule.read(item, findings: &findings) }
    return findings.filter { if case .unreadable = $0.kind { true } else { false } }
  }

  private static func endsBeforeStart(_ item: ItemComponent) -> Bool {
    var findings: [ScheduleFinding] = []
    let set = RecurrenceSet(
      main: Schedule.read(item, findings: &findings), zones: ZoneResolver(catalog: .system))
    return set.problems.contains(.note(.endBeforeStart))
  }
}
