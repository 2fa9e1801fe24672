extension CheckCode {
  /// What is wrong, for people, without a full stop.
  public var message: String {
    if let note = ValueNote(rawValue: rawValue) { return note.message }
    if let code = Diagnostic.Code(rawValue: rawValue) {
      return Diagnostic(code, line: 1, column: 1).message
    }
    return ofText ?? ofComponent ?? ofTime ?? ""
  }

  private var ofText: String? {
    switch self {
    case .emptyFile: "the file is empty"
    case .notICalendar: "this is no iCalendar: it does not begin with BEGIN:VCALENDAR"
    case .controlCharacter: "a control character: XML, and so a server, cannot carry it"
    case .byteOrderMark: "the text begins with a byte order mark"
    case .bareLineFeed: "lines end with LF and not with CRLF"
    case .bareCarriageReturn: "a line ends with CR and not with CRLF"
    case .missingLineEnd: "the last line has no line end"
    case .longLine: "the line has more than 75 octets"
    case .cutCharacter: "the line is folded inside a character"
    case .blankLine: "a blank line"
    case .badParameter: "a parameter has no name or no value, or a quote inside its value"
    case .badEscape: "a text has a comma, semicolon or backslash that is not escaped"
    case .emptyValue: "the property has no value"
    case .unreadable: "the file cannot be read"
    case .notAFile: "this is no plain file, and is never followed or opened"
    default: nil
    }
  }

  private var ofComponent: String? {
    switch self {
    case .emptyCalendar: "the calendar has no component"
    case .severalCalendars: "the file has several calendars"
    case .storedMethod: "METHOD belongs into messages; a server refuses it in what is stored"
    case .missingVersion: "the calendar has no VERSION"
    case .badVersion: "VERSION is not 2.0"
    case .missingProductID: "the calendar has no PRODID"
    case .misplacedComponent: "the component may not stand inside of this one"
    case .unknownComponent: "a kind of component that RFC 5545 does not have"
    case .repeatedProperty: "a property that may stand once stands again"
    case .missingUID: "the component has no UID"
    case .severalUIDs: "the file has several items; a server takes one UID a file"
    case .duplicateUID: "another file of the folder has the same UID"
    case .doubledPart: "another part of its series has occurrences at the same times"
    case .mainTwice: "another component has the same UID, and neither has a RECURRENCE-ID"
    case .missingStamp: "the component has no DTSTAMP"
    case .missingStart: "the event has no DTSTART"
    case .badTimestamp: "the value is no date-time in UTC"
    case .badNumber: "the value is no number, or out of its range"
    case .badStatus: "STATUS has a value that this kind of component does not have"
    case .badAlarm: "the alarm has no ACTION or no TRIGGER"
    default: nil
    }
  }

  private var ofTime: String? {
    switch self {
    case .badTime: ValueError.notDateTime.description
    case .noSuchTime: ValueError.noSuchDateTime.description
    case .badDuration: ValueError.notDuration.description
    case .badOffset: ValueError.notOffset.description
    case .badPeriod: ValueError.notPeriod.description
    case .outOfRange: ValueError.outOfRange.description
    case .endBeforeStart: "it ends before it starts"
    case .endAtStart: "it ends when it starts; the end has to be later"
    case .endAndDuration: "it has an end and a duration; one of them has to go"
    case .endType: "start and end are not both dates or both times"
    case .startType: "its type, date or time, is not that of DTSTART"
    case .unknownZone: "the time zone is not known: its times are taken as local anywhere"
    case .missingTimeZone: "the time zone has no VTIMEZONE in the file"
    case .badTimeZone: "the VTIMEZONE lacks its TZID, or a part with start and offsets"
    case .unlikeTimeZones:
      "another VTIMEZONE above has the same name and other rules; programs may read the first alone"
    case .badRule: "the rule cannot be read"
    case .unsupportedRule: "the rule uses another calendar (RFC 7529); only DTSTART is listed"
    case .ruleWithoutStart: "what recurs has no DTSTART to recur from"
    case .severalRules: "there are several RRULEs; programs read them in different ways"
    case .untilType: "UNTIL is not of the type that DTSTART asks for"
    case .untilBeforeStart: "UNTIL is before the first occurrence"
    case .neverMatches: "the rule never matches any date"
    case .startNotInRule: "DTSTART is not one of the rule's dates"
    case .overrideOutside: "RECURRENCE-ID is not one of the series' occurrences"
    case .overrideAlone: "a RECURRENCE-ID without the series that it belongs to"
    case .overrideTwice: "another component has the same RECURRENCE-ID and counts instead"
    case .idleExclusion: "EXDATE leaves out nothing: there is no such occurrence"
    default: nil
    }
  }
}
