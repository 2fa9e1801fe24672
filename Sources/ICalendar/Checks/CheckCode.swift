/// The kinds of findings, as scripts know them. docs/check.md explains each.
public enum CheckCode: String, Sendable, Hashable, CaseIterable {
  // The text as a whole.
  case emptyFile = "empty-file"
  case notICalendar = "not-icalendar"
  case missingEnd = "missing-end"
  case strayEnd = "stray-end"
  case tooDeep = "too-deep"
  case tooLarge = "too-large"
  case more
  // Lines.
  case missingColon = "missing-colon"
  case badName = "bad-name"
  case unterminatedQuote = "unterminated-quote"
  case invalidUTF8 = "invalid-utf-8"
  case controlCharacter = "control-character"
  case byteOrderMark = "byte-order-mark"
  case bareLineFeed = "bare-line-feed"
  case bareCarriageReturn = "bare-carriage-return"
  case missingLineEnd = "missing-line-end"
  case longLine = "long-line"
  case cutCharacter = "cut-character"
  case blankLine = "blank-line"
  case badParameter = "bad-parameter"
  case badEscape = "bad-escape"
  case emptyValue = "empty-value"
  // Calendars and components.
  case emptyCalendar = "empty-calendar"
  case severalCalendars = "several-calendars"
  case storedMethod = "stored-method"
  case missingVersion = "missing-version"
  case badVersion = "bad-version"
  case missingProductID = "missing-prodid"
  case misplacedComponent = "misplaced-component"
  case unknownComponent = "unknown-component"
  case repeatedProperty = "repeated-property"
  case missingUID = "missing-uid"
  case severalUIDs = "several-uids"
  case duplicateUID = "duplicate-uid"
  case doubledPart = "part-twice"
  case mainTwice = "main-twice"
  case missingStamp = "missing-dtstamp"
  case missingStart = "missing-dtstart"
  case badTimestamp = "bad-timestamp"
  case badNumber = "bad-number"
  case badStatus = "bad-status"
  case badAlarm = "bad-alarm"
  // Times.
  case badTime = "bad-time"
  case noSuchTime = "no-such-time"
  case badDuration = "bad-duration"
  case badOffset = "bad-offset"
  case badPeriod = "bad-period"
  case outOfRange = "out-of-range"
  case endBeforeStart = "end-before-start"
  case endAtStart = "end-at-start"
  case endAndDuration = "end-and-duration"
  case endType = "end-type"
  case startType = "start-type"
  case unknownZone = "unknown-zone"
  case missingTimeZone = "missing-vtimezone"
  case badTimeZone = "bad-vtimezone"
  case unlikeTimeZones = "unlike-vtimezones"
  // What recurs.
  case badRule = "bad-rule"
  case unsupportedRule = "unsupported-rule"
  case ruleWithoutStart = "rule-without-start"
  case severalRules = "several-rules"
  case untilType = "until-type"
  case untilBeforeStart = "until-before-start"
  case neverMatches = "rule-never-matches"
  case startNotInRule = "start-not-in-rule"
  case overrideOutside = "override-outside"
  case overrideAlone = "override-without-main"
  case overrideTwice = "override-twice"
  case idleExclusion = "idle-exclusion"
  // Values that are read although they are odd: the notes of `ValueNote`.
  case surroundingBlanks = "surrounding-blanks"
  case lowerCase = "lower-case"
  case leapSecond = "leap-second"
  case zoneOnUTC = "zone-on-utc"
  case typeMismatch = "type-mismatch"
  case oddDuration = "odd-duration"
  case oddOffset = "odd-offset"
  case repeatedPart = "repeated-part"
  case emptyPart = "empty-part"
  case unknownPart = "unknown-part"
  case misplacedPart = "misplaced-part"
  case ignoredOrdinal = "ignored-ordinal"
  case zeroInterval = "zero-interval"
  case countAndUntil = "count-and-until"
  // Files.
  case unreadable
  case notAFile = "not-a-file"

  /// An error is what RFC 5545 forbids and programs refuse or read in different ways; a warning is
  /// what they mostly cope with.
  public var severity: Diagnostic.Severity {
    switch self {
    case .more, .byteOrderMark, .bareLineFeed, .bareCarriageReturn, .missingLineEnd, .longLine,
      .cutCharacter, .blankLine, .badEscape, .emptyValue, .severalCalendars, .storedMethod,
      .badVersion, .unknownComponent, .severalUIDs, .doubledPart, .badStatus, .endAtStart,
      .startType, .missingTimeZone, .unlikeTimeZones, .unsupportedRule, .severalRules,
      .untilBeforeStart, .startNotInRule,
      .overrideOutside, .overrideAlone, .overrideTwice, .idleExclusion, .surroundingBlanks,
      .lowerCase, .leapSecond, .zoneOnUTC, .typeMismatch, .oddDuration, .oddOffset,
      .repeatedPart, .emptyPart, .unknownPart, .misplacedPart, .ignoredOrdinal, .zeroInterval,
      .countAndUntil:
      .warning
    case .emptyFile, .notICalendar, .missingEnd, .strayEnd, .tooDeep, .tooLarge, .missingColon,
      .badName, .unterminatedQuote, .invalidUTF8, .controlCharacter, .badParameter,
      .emptyCalendar, .missingVersion, .missingProductID, .misplacedComponent, .repeatedProperty,
      .missingUID, .duplicateUID, .mainTwice, .missingStamp, .missingStart, .badTimestamp,
      .badNumber,
      .badAlarm, .badTime, .noSuchTime, .badDuration, .badOffset, .badPeriod, .outOfRange,
      .endBeforeStart, .endAndDuration, .endType, .unknownZone, .badTimeZone, .badRule,
      .ruleWithoutStart, .untilType, .neverMatches, .unreadable, .notAFile:
      .error
    }
  }

  /// What `check --fix` does about it; nil where a person has to.
  public var mend: String? {
    switch self {
    case .byteOrderMark: "removes it"
    case .bareLineFeed, .bareCarriageReturn: "ends every line with CRLF"
    case .missingLineEnd: "ends the last line"
    case .longLine, .cutCharacter: "folds the line at 75 octets, between characters"
    case .missingVersion: "adds VERSION:2.0"
    case .missingProductID: "adds a PRODID"
    case .missingUID: "adds a UID made of title, start and calendar"
    case .missingStamp: "adds a DTSTAMP: the time of the last change, else now"
    default: nil
    }
  }

  /// The code of an oddity of a value.
  public init(_ note: ValueNote) {
    self =
      switch note {
      case .surroundingBlanks: .surroundingBlanks
      case .lowerCase: .lowerCase
      case .leapSecond: .leapSecond
      case .zoneOnUTC: .zoneOnUTC
      case .typeMismatch: .typeMismatch
      case .oddDuration: .oddDuration
      case .oddOffset: .oddOffset
      case .endBeforeStart: .endBeforeStart
      case .repeatedPart: .repeatedPart
      case .emptyPart: .emptyPart
      case .unknownPart: .unknownPart
      case .misplacedPart: .misplacedPart
      case .ignoredOrdinal: .ignoredOrdinal
      case .zeroInterval: .zeroInterval
      case .countAndUntil: .countAndUntil
      }
  }

  /// The code of a value that cannot be read.
  public init(_ error: ValueError) {
    self =
      switch error {
      case .notDateTime: .badTime
      case .noSuchDateTime: .noSuchTime
      case .notDuration: .badDuration
      case .notOffset: .badOffset
      case .notPeriod: .badPeriod
      case .outOfRange: .outOfRange
      case .rule(.unsupportedCalendar), .rule(.unsupportedSkip): .unsupportedRule
      case .rule: .badRule
      }
  }
}
