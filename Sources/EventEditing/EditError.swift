/// Why an edit was refused; nothing is changed.
public enum EditError: Error, Sendable, Hashable {
  /// The text is no date or time that `GivenTime` reads.
  case badTime(String)
  /// The text is no duration that can be read, or it is no longer than nothing.
  case badDuration(String)
  /// The text is not `NAME=VALUE`.
  case badSetting(String)
  /// The property says which item or occurrence this is, and cannot be set.
  case fixedProperty(String)
  /// The property says when the item was changed, which every edit writes by itself.
  case timeOfEdit(property: String)
  /// A property was set twice, and one of the two would be lost.
  case setTwice(String)
  /// The value cannot stand in that property.
  case badValue(property: String)
  /// The rule cannot be read; the reason is for people.
  case badRule(reason: String)
  /// An end and a duration were given.
  case endAndDuration
  /// The end is not after the start.
  case endNotAfterStart
  /// Of start and end one is a day and the other a time.
  case mixedTimes
  /// A component of that kind has no end, or none without a start.
  case noEnd(kind: String)
  /// An all-day event lasts whole days.
  case durationOfDays
  /// A rule by the hour, minute or second cannot be of whole days.
  case allDaySubDaily
  /// What has neither a start nor an end cannot recur.
  case ruleWithoutStart
  /// The rule cannot follow the new start, nor stay as it is: INTERVAL would count other days, or
  /// another occurrence lies between the old start and the new one.
  case cannotFollow(rule: [UInt8])
  /// The new time is outside of the years 0 to 9999.
  case outOfRange
  /// The zone is none that is known here.
  case unknownZone(String)
  /// RRULE, RDATE, EXDATE and EXRULE belong to a series and not to one occurrence.
  case notOfOneOccurrence(property: String)

  /// The text has no event, to-do or journal entry.
  case noItem
  /// The text holds several items.
  case severalItems
  /// A line that says when the event is cannot be read, so this span cannot be found.
  case unreadable(property: String, line: Int?)
  /// A line that says when the event is cannot be read, so it cannot follow a new start; the reason
  /// is for people.
  case unmovable(property: String, line: Int?, reason: String)
  /// The text cannot be changed at that place, since it is not as RFC 5545 wants it.
  case brokenText

  /// This span needs to know which occurrence is meant.
  case occurrenceNeeded
  /// The recurrence set has no such occurrence; the name as it was given.
  case noSuchOccurrence(String)
  /// That is where the occurrence was moved to; it is called by its original start, `named`.
  case movedStart(String, named: String)
  /// Several occurrences start on that day.
  case severalThatDay(String, named: [String])
  /// The override of that occurrence holds for later ones too (RANGE=THISANDFUTURE).
  case rangeOverride(String)
  /// The series cannot be split there without a change of its other occurrences.
  case notSplittable(String)
}

extension EditError: CustomStringConvertible {
  /// What is wrong and what to do, for people, without a full stop.
  public var description: String {
    switch self {
    case .badTime(""): "the start cannot be taken away; give another one"
    case .badTime(let text):
      "\(text) is no date or time; write 2026-01-05T09:00, 2026-01-05 or 20260105T080000Z"
    case .badDuration(let text): "\(text) is no duration; write PT75M, 75m, 1h30m or 2d"
    case .badSetting(let text):
      "\(text) is not NAME=VALUE; a parameter that has a colon stands in quotes, as in "
        + "ATTENDEE;CN=\"Bo: x\"=mailto:bo@example.org"
    case .fixedProperty(let name): "\(name) cannot be set; it says which item this is"
    case .timeOfEdit(let name):
      "\(name) cannot be set; it is the time of the last change, and each edit writes it"
    case .setTwice(let name): "\(name) is set twice; the lines of a property are set as one"
    case .badValue(let property): "the value cannot stand in \(property)"
    case .badRule(let reason): "the rule cannot be read: \(reason)"
    case .endAndDuration: "give an end or a duration, not both"
    case .endNotAfterStart: "the end is not after the start"
    case .mixedTimes: "start and end have to be both days or both times; give both"
    case .noEnd(let kind): "\(kind) has no end or duration"
    case .durationOfDays: "an all-day event lasts whole days; write the duration in days"
    case .allDaySubDaily: "a rule by the hour, minute or second cannot be all-day; give a new rule"
    case .ruleWithoutStart: "what has no date cannot repeat; give a start, too"
    case .cannotFollow(let rule):
      "the rule \(String(decoding: rule, as: UTF8.self)) cannot follow the new start, and its "
        + "other occurrences cannot stay as they are; give a new rule, too, or move one "
        + "occurrence with the span this"
    case .outOfRange: "the time is outside of the years 0 to 9999"
    case .unknownZone(let name): "the time zone \(name) is not known; write it as Europe/Vienna"
    case .notOfOneOccurrence(let property):
      "\(property) belongs to a series; use the span future or all"
    case .noItem, .severalItems, .unreadable, .unmovable, .brokenText: textDescription
    case .occurrenceNeeded, .noSuchOccurrence, .movedStart, .severalThatDay, .rangeOverride,
      .notSplittable:
      occurrenceDescription
    }
  }

  private var textDescription: String {
    switch self {
    case .noItem: "there is no event, to-do or journal entry in it"
    case .severalItems: "there are several items in it; `calgw import` takes them apart"
    case .unreadable(let property, let line):
      "\(property)\(line.map { " in line \($0)" } ?? "") cannot be read, "
        + "so its occurrences are not known; use the span all, or mend it"
    case .unmovable(let property, let line, let reason):
      "\(property)\(line.map { " in line \($0)" } ?? "") cannot follow the new start: \(reason); "
        + "mend it\(property == "RRULE" ? ", or give a new rule, too" : "")"
    default: "its text is not as RFC 5545 wants it and cannot be changed there"
    }
  }

  private var occurrenceDescription: String {
    switch self {
    case .occurrenceNeeded: "say which occurrence is meant"
    case .noSuchOccurrence(let name): "there is no occurrence of \(name)"
    case .movedStart(let name, let right):
      "\(name) is where an occurrence was moved to; it is called by its original start, \(right)"
    case .severalThatDay(let name, let names):
      "several occurrences start on \(name): \(names.joined(separator: ", "))"
    case .rangeOverride(let name):
      "the change of \(name) holds for later occurrences too; use the span future"
    case .notSplittable(let name):
      "the series cannot be split at \(name) without a change of its other occurrences"
    default: ""
    }
  }
}
