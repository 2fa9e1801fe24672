/// Something that an edit did beyond what it was asked for, or could not do.
public enum EditNote: Sendable, Hashable {
  /// The rule follows the new start; both values as they stand in the line.
  case ruleChanged(from: [UInt8], to: [UInt8])
  /// The days of the rule, or its days and times, cannot follow the new start in one rule, so they
  /// stay; only the first occurrence moved from them.
  case ruleKept([UInt8], withTimes: Bool)
  /// A rule of what is left out (EXRULE) cannot follow the new start, so it stays.
  case exclusionRuleKept([UInt8])
  /// The moved series has nothing in the place of these, as where a month has no such day. Of a
  /// series that goes on, those of the first decades.
  case occurrencesLost([String])
  /// The moved series has these, where it had nothing before. Likewise.
  case occurrencesAdded([String])
  /// The start that was given is the second of two equal times on the wall, by which a series goes;
  /// the first of them, which it is there.
  case firstOfTwo(String)
  /// The start that was given is that of the series, which began there, although another occurrence
  /// of it was named.
  case startOfAll(String, not: String)
  /// UNTIL is not of the type that the start asks for (RFC 5545 §3.3.10); how it would be.
  case untilType(String, right: String)
  /// The rule gives nothing but the start.
  case ruleNeverMatches
  /// The override of that occurrence was removed: the new rule has no such occurrence.
  case overrideDropped(String)
  /// The override of that occurrence says something of its own, and keeps it.
  case overrideKept(String, property: String)
  /// An EXDATE of that time leaves nothing out any more, and was removed.
  case exclusionDropped(String)
  /// An override or EXDATE of that time has no counterpart in the moved series; it was moved by as
  /// much as the start.
  case exceptionUnmatched(String)
  /// The RDATE of that time had an end of its own, which a whole day cannot have.
  case endDropped(String)
  /// All lines of that property were replaced by one.
  case linesReplaced(property: String, count: Int)
  /// The override of that occurrence holds for later ones too (RANGE=THISANDFUTURE), so it stays.
  case rangeKept(String)
  /// The zone is not known here: its times were taken as they are on the wall.
  case missingZone(String)
  /// An alarm goes off at that time, wherever the start is.
  case alarmStays(String)
  /// The last occurrence is gone, so the item is deleted as a whole.
  case nothingLeft
}

extension EditNote: CustomStringConvertible {
  /// A sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .ruleChanged(let from, let to):
      "the rule follows the new start: \(text(from)) is now \(text(to))"
    case .ruleKept(let rule, let withTimes):
      "the days \(withTimes ? "and times " : "")of the rule \(text(rule)) cannot follow the new "
        + "start and stay; only the first occurrence \(withTimes ? "moved" : "changed its day") "
        + "(give a new rule to change that)"
    case .exclusionRuleKept(let rule):
      "what the rule \(text(rule)) leaves out cannot follow the new start and stays"
    case .occurrencesLost(let names):
      "the moved series has nothing in the place of \(list(names))"
    case .occurrencesAdded(let names):
      "the moved series takes place at \(list(names)), too, where it had nothing before"
    case .firstOfTwo(let name):
      "the clock shows the start twice on that day, and of a series the first of the two counts "
        + "(RFC 5545 §3.3.5): it was taken as \(name)"
    case .startOfAll(let first, let named):
      "the start is that of all: the series began at \(first), and every occurrence moved as far "
        + "as that one, not as \(named); for that and the later ones there is the span `future`"
    case .untilType(let until, let right):
      "UNTIL=\(until) is not of the type that the start asks for (RFC 5545 §3.3.10), and programs "
        + "end the series at different times; write UNTIL=\(right)"
    case .ruleNeverMatches: "no day or time fits the rule, so it gives nothing but the start"
    case .overrideDropped(let name):
      "the changed occurrence of \(name) is not in the series any more and was removed"
    case .overrideKept(let name, let property):
      "the occurrence of \(name) has its own \(property) and keeps it"
    case .exclusionDropped(let name):
      "the deleted occurrence of \(name) is not in the series any more, and its EXDATE was removed"
    case .exceptionUnmatched(let name):
      "the exception of \(name) moved with the start, but the series has no such occurrence"
    case .endDropped(let name):
      "the extra occurrence of \(name) had an end of its own, which a whole day cannot have"
    case .linesReplaced(let property, let count):
      "the \(count) lines of \(property) were replaced by one"
    case .rangeKept(let name):
      "the override of \(name) holds for later occurrences too, so it stays for them"
    case .missingZone(let name):
      "the time zone \(name) is not known, so its times were taken as they are on the wall"
    case .alarmStays(let time):
      "the alarm of \(time) has a time of its own and did not move with the start"
    case .nothingLeft: "no occurrence is left, so the whole item is deleted"
    }
  }

  /// So many are named.
  private static let listLimit = 3

  private func list(_ names: [String]) -> String {
    names.prefix(Self.listLimit).joined(separator: ", ")
      + (names.count > Self.listLimit ? " and later ones" : "")
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
