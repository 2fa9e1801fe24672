import EventEditing
import ICalendar
import Recurrence
import SyncModel

/// Which occurrences of a series a command is for.
public enum EventSpan: String, Sendable, Hashable, CaseIterable {
  case this
  case future
  case all

  var span: Span {
    switch self {
    case .this: .thisEvent
    case .future: .futureEvents
    case .all: .allEvents
    }
  }
}

/// What `edit` is to change, as it was written on the command line.
public struct EditRequest: Sendable {
  public var span: EventSpan?
  public var occurrence: String?
  public var summary: String?
  public var location: String?
  public var description: String?
  public var start: String?
  public var end: String?
  public var duration: String?
  public var rule: String?
  /// `NAME=VALUE`
  public var settings: [String] = []

  public init() {}

  /// No property is named: the item is to be edited as text.
  public var namesNothing: Bool {
    [summary, location, description, start, end, duration, rule].allSatisfy { $0 == nil }
      && settings.isEmpty
  }

  func edit(_ clock: EventClock) throws(RunFailure) -> EventEdit {
    try checkPrintable([summary, location, description, rule].compactMap { $0 } + settings)
    var edit = EventEdit()
    for (name, text) in [
      ("SUMMARY", summary), ("LOCATION", location), ("DESCRIPTION", description),
    ] {
      if let text { edit.setText(name, to: text) }
    }
    if let start {
      edit.start = try clock.time(start, option: "--start")
      edit.startsOnItsDay = HumanTime.isTimeOfDay(start)
    }
    if let end {
      edit.end = try clock.time(end, option: "--end")
      edit.endsNext = HumanTime.isTimeOfDay(end)
    }
    if let duration { edit.duration = try clock.duration(duration) }
    if let rule { edit.recurrence = rule.isEmpty ? .removed : .rule(Array(rule.utf8)) }
    for setting in settings {
      do throws(EditError) {
        try edit.set(setting)
      } catch {
        throw RunFailure(error, option: "--set")
      }
    }
    return edit
  }
}

/// Throws where a text has a control character, which no server can carry and no program shows
/// (RFC 5545 §3.1), or is not UTF-8 (§3.1.4). Tabs and line ends are texts like others.
func checkPrintable(_ texts: [String]) throws(RunFailure) {
  for text in texts {
    guard !text.unicodeScalars.contains(where: isEscape) else {
      throw .usage(
        "\"\(visibleText(text, limit: 60))\" is not UTF-8",
        hint: "write it in UTF-8: no server takes it")
    }
    let control = text.unicodeScalars.first { scalar in
      (scalar.value < 0x20 || scalar.value == 0x7F) && !["\t", "\n", "\r"].contains(scalar)
    }
    guard let control else { continue }
    let code = String(control.value, radix: 16, uppercase: true)
    throw .usage(
      "\"\(visibleText(text, limit: 60))\" has a control character (U+\(code))",
      hint: "leave it out: no server takes it")
  }
}

/// Reads the times of a command line: what now is, and in which zone the person is.
struct EventClock: Sendable {
  let surroundings: Surroundings
  let here: Zone

  /// Seconds from 1970 UTC.
  private var now: Int { Int(clamping: surroundings.now().milliseconds / 1000) }

  func time(_ text: String, option: String) throws(RunFailure) -> GivenTime {
    do throws(HumanTimeError) {
      switch try HumanTime.parse(text, now: now, zone: here) {
      case .day(let date): return .date(date)
      case .wall(let civil): return .wall(civil)
      case .moment(let instant): return .instant(instant)
      }
    } catch {
      throw RunFailure(error, option: option)
    }
  }

  /// The original start of an occurrence, as `recurrenceId` is printed or as a person writes it.
  func occurrence(_ text: String) throws(RunFailure) -> GivenTime {
    if let time = try? GivenTime(text) { return time }
    return try time(text, option: "--occurrence")
  }

  func duration(_ text: String) throws(RunFailure) -> CivilDuration {
    do throws(HumanTimeError) {
      return try HumanDuration.parse(text)
    } catch {
      throw RunFailure(error, option: "--duration")
    }
  }

  /// What an edit needs from the world.
  func context() throws(RunFailure) -> EditContext {
    guard let now = UTCDateTime(secondsSince1970: now) else {
      throw RunFailure(
        .io, code: "clock", message: "the clock of this machine is not in the years 0 to 9999",
        hint: "set the clock")
    }
    // What tzdata does not know has no name that others would understand.
    let isKnown = ZoneCatalog.system.zone(named: here.name) != nil
    return EditContext(
      now: now, newUID: Array(surroundings.newUUID().utf8), catalog: .system,
      zone: isKnown ? TimeZoneName(here.name) : nil)
  }
}

extension RunFailure {
  init(_ error: HumanTimeError, option: String) {
    self.init(
      .usage, code: "usage", message: error.message, place: option, hint: error.hint)
  }

  /// What was asked for cannot be: status 64 where the command line is at fault, 65 where the item
  /// is, or has no such occurrence.
  init(_ error: EditError, option: String = "", file: ShownPath? = nil) {
    let text = error.description
    let place = file?.text ?? ""
    let word = file.flatMap { $0.isEncoded ? nil : shellWord($0.text) } ?? "FILE"
    switch error {
    case .badTime, .badDuration, .badSetting, .fixedProperty, .timeOfEdit, .setTwice, .badValue,
      .badRule, .endAndDuration, .endNotAfterStart, .mixedTimes, .noEnd, .durationOfDays,
      .allDaySubDaily, .ruleWithoutStart, .cannotFollow, .outOfRange, .unknownZone,
      .notOfOneOccurrence, .occurrenceNeeded:
      self.init(
        .usage, code: "usage", message: text, place: option,
        hint: "correct it; nothing was changed")
    case .noSuchOccurrence, .movedStart, .severalThatDay, .rangeOverride, .notSplittable:
      self.init(
        .badInput, code: "no-such-occurrence", message: text, place: place,
        hint: "run `calgw expand \(word)` to see the occurrences")
    case .noItem, .severalItems, .unreadable, .unmovable, .brokenText:
      self.init(
        .badInput, code: "broken-item", message: text, place: place,
        hint: "mend the file with `calgw edit \(word)`; nothing was changed")
    }
  }
}
