import ICalendar

/// How two unlike changes of one property become one (docs/merge.md).
enum PropertyRule {
  /// The lines of the side that was edited last.
  case newer
  /// The higher number.
  case highest
  /// The later time, or the earlier one.
  case latest, earliest
  /// By address, and parameter by parameter.
  case attendees
  /// A set of words in lists.
  case words
  /// A set of moments in lists.
  case moments
  /// A set of lines.
  case lines

  /// The rule of a property, by its name in upper case; `isRepeated` where it stands more than
  /// once.
  init(_ name: [UInt8], isRepeated: Bool) {
    switch String(decoding: name, as: UTF8.self) {
    case "SEQUENCE": self = .highest
    case "LAST-MODIFIED", "DTSTAMP": self = .latest
    case "CREATED": self = .earliest
    case "ATTENDEE": self = .attendees
    default:
      switch PropertySet(name, isRepeated: isRepeated) {
      case .words: self = .words
      case .moments: self = .moments
      case .lines: self = .lines
      case nil: self = .newer
      }
    }
  }

  /// It only says that somebody has touched the item (RFC 5545 §3.8.7).
  static func isNoise(_ name: [UInt8]) -> Bool { noise.contains(name) }

  /// Programs fill it in by themselves, in an occurrence that they have but shown or reminded of
  /// (RFC 9074 §4, §6): it edits none. Where a thing is, and rich text, a person says.
  static func isFilledIn(_ name: [UInt8]) -> Bool {
    if written.contains(name) { return false }
    return name.starts(with: "X-".utf8) || isNoise(name) || ofAlarms.contains(name)
  }

  private static let written = names(
    "X-ALT-DESC", "X-APPLE-STRUCTURED-LOCATION", "X-APPLE-PROXIMITY")
  private static let ofAlarms = names("UID", "ACKNOWLEDGED")

  private static let noise = names("SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "CREATED")

  static func names(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }
}

/// Properties that say one thing together.
struct PropertyBundle {
  let names: [[UInt8]]
  /// They go together as soon as both sides changed any of them; else only once both changed the
  /// first.
  let isTight: Bool

  /// The bundles of a component, by its name in upper case.
  static func all(of kind: [UInt8]) -> [PropertyBundle] {
    kind.elementsEqual("VTODO".utf8) ? [progress] + texts : texts
  }

  /// Of a to-do.
  static let progress = PropertyBundle(
    names: PropertyRule.names("STATUS", "PERCENT-COMPLETE", "COMPLETED"), isTight: true)
  private static let texts = [
    PropertyBundle(
      names: PropertyRule.names("DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION"),
      isTight: false),
    PropertyBundle(
      names: PropertyRule.names(
        "LOCATION", "GEO", "X-APPLE-STRUCTURED-LOCATION", "X-APPLE-MAPKIT-HANDLE"),
      isTight: false),
  ]
}

/// A part of what says when a component is.
enum ScheduleSlot: Int, CaseIterable {
  case start, end, rule, additions, exclusions

  var names: [[UInt8]] {
    switch self {
    case .start: Self.starts
    case .end: Self.ends
    case .rule: Self.rules
    case .additions: Self.additionNames
    case .exclusions: Self.exclusionNames
    }
  }

  /// One date more or less can be united with others; a start, an end or a rule cannot.
  var isFrame: Bool { self == .start || self == .end || self == .rule }

  private static let starts = PropertyRule.names("DTSTART")
  private static let ends = PropertyRule.names("DTEND", "DUE", "DURATION")
  private static let rules = PropertyRule.names("RRULE", "EXRULE")
  private static let additionNames = PropertyRule.names("RDATE")
  private static let exclusionNames = PropertyRule.names("EXDATE")
}
