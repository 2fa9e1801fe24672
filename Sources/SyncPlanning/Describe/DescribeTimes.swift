import ICalendar
import Recurrence

/// Two times as a person reads them side by side: the day in each only where it differs, the zone
/// too.
struct Clock {
  let before: String
  let after: String
  /// ` on Monday 5 January 2026` where it is one day, for behind the two; empty where it is not.
  let onDay: String

  init(_ old: DateTime, _ new: DateTime) {
    let isSameDay = old.civil.date == new.civil.date && !old.isDate && !new.isDate
    let isSameZone = old.isDate || new.isDate || Self.zone(old) == Self.zone(new)
    func text(_ time: DateTime) -> String {
      let words = isSameDay ? TimeWords.clock(time.civil) : Self.onWall(time)
      if isSameZone { return words + Self.mark(time) }
      return "\(words) (\(Self.zone(time)))"
    }
    before = text(old)
    after = text(new)
    onDay = isSameDay ? " on \(TimeWords.day(old.civil.date))" : ""
  }

  /// Day, time and, where it is not the item's own, the zone.
  static func full(_ time: DateTime) -> String { onWall(time) + mark(time) }

  /// A time in UTC says so: it is on nobody's wall.
  private static func mark(_ time: DateTime) -> String {
    if case .utc = time { " UTC" } else { "" }
  }

  private static func onWall(_ time: DateTime) -> String {
    let day = TimeWords.day(time.civil.date)
    return time.isDate ? day : "\(day), \(TimeWords.clock(time.civil))"
  }

  private static func zone(_ time: DateTime) -> String {
    switch time {
    case .date, .floating: "no time zone"
    case .utc: "UTC"
    case .zoned(_, let name): name.text
    }
  }

  /// `1 day 2 h`, `45 min`.
  static func words(_ length: CivilDuration) -> String {
    var parts: [String] = []
    if length.days != 0 { parts.append("\(length.days) day\(length.days == 1 ? "" : "s")") }
    let (hours, minutes, seconds) = (
      length.seconds / 3600, length.seconds / 60 % 60, length.seconds % 60
    )
    if hours != 0 { parts.append("\(hours) h") }
    if minutes != 0 { parts.append("\(minutes) min") }
    if seconds != 0 { parts.append("\(seconds) s") }
    return parts.isEmpty ? "0 min" : parts.joined(separator: " ")
  }
}

extension ChangeDescription {
  /// Compares when two components are.
  mutating func compareSchedule(_ old: Component, _ new: Component) {
    compareTime("DTSTART", "start", old, new)
    compareEnd(old, new)
    compareRules(old, new)
    compareDates("EXDATE", ("cancelled", "restored"), old, new)
    compareDates("RDATE", ("added", "removed"), old, new)
  }

  /// Compares how long two components last, or until when.
  mutating func compareEnd(_ old: Component, _ new: Component) {
    compareTime("DTEND", "end", old, new)
    compareTime("DUE", "due", old, new)
    compareDuration(old, new)
  }

  /// Compares how long two components last that begin at different times.
  mutating func compareLength(_ old: Component, _ new: Component) {
    guard let was = length(old), let now = length(new), was.seconds != now.seconds else { return }
    note(was.property, was.words, now.words, "lasts \(was.words) → \(now.words)")
  }

  /// Nil where nobody can say.
  private func length(
    _ component: Component
  ) -> (property: String, seconds: Int, words: String)? {
    var notes: [ValueNote] = []
    if let line = component.line(named: "DURATION"),
      let length = try? CivilDuration.read(line.value, notes: &notes)
    {
      return ("DURATION", length.length, Clock.words(length))
    }
    let name = component.isNamed("VTODO") ? "DUE" : "DTEND"
    guard let start = component.line(named: "DTSTART").flatMap({ ItemTimes.time($0) }),
      let end = component.line(named: name).flatMap({ ItemTimes.time($0) })
    else { return nil }
    let length: CivilDuration
    switch (after.times.moment(start), after.times.moment(end)) {
    case (.day(let first), .day(let last)): length = CivilDuration(days: last - first, seconds: 0)
    case (.instant(let first), .instant(let last)), (.wall(let first), .wall(let last)):
      length = CivilDuration(days: 0, seconds: last - first)
    case (.unknown(let zone, let first), .unknown(let other, let last)) where zone == other:
      length = CivilDuration(days: 0, seconds: last - first)
    default: return nil
    }
    return (name, length.length, Clock.words(length))
  }

  private mutating func compareTime(
    _ name: String, _ label: String, _ old: Component, _ new: Component
  ) {
    let lines = (old: old.line(named: name), new: new.line(named: name))
    let times = (
      old: lines.old.flatMap { Self.shown($0, of: old) },
      new: lines.new.flatMap { Self.shown($0, of: new) }
    )
    switch (times.old, times.new) {
    case (let was?, let now?):
      guard lines.old.flatMap({ ItemTimes.time($0) }) != lines.new.flatMap({ ItemTimes.time($0) })
      else { return }
      let clock = Clock(was, now)
      let words =
        was == now
        ? "\(label) written differently"
        : "\(label) \(clock.before) → \(clock.after)\(clock.onDay)"
      note(name, clock.before, clock.after, words)
    default:
      guard lines.old?.content != lines.new?.content else { return }
      compareHalf(
        name, label, lines.old.map { Self.words($0, times.old) },
        lines.new.map { Self.words($0, times.new) })
    }
  }

  /// Compares two times of which one is not there, or is none.
  private mutating func compareHalf(_ name: String, _ label: String, _ was: String?, _ now: String?)
  {
    switch (was, now) {
    case (let was?, let now?): note(name, was, now, "\(label) \(was) → \(now)")
    case (nil, let now?): note(name, nil, now, "\(label) \(now) added")
    case (let was?, nil): note(name, was, nil, "\(label) \(was) removed")
    case (nil, nil): return
    }
  }

  /// A time in full, or what stands in its place, as 30 February.
  private static func words(_ line: ContentLine, _ time: DateTime?) -> String {
    time.map(Clock.full) ?? "\(String(decoding: line.value, as: UTF8.self)) (no such time)"
  }

  /// The time of a line. The end of whole days is for people the last of them, and not the day
  /// after it (RFC 5545 §3.6.1), as it is where a person reads when an event is.
  private static func shown(_ line: ContentLine, of component: Component) -> DateTime? {
    let time = ItemTimes.time(line)
    guard line.isNamed("DTEND"), case .date(let end)? = time,
      let last = CivilDate(daysSince1970: end.daysSince1970 - 1)
    else { return time }
    // An end that is not after the start makes an event of that one day.
    let start = component.line(named: "DTSTART").flatMap { ItemTimes.time($0) }
    if case .date(let first)? = start, last < first { return .date(first) }
    return .date(last)
  }

  private mutating func compareDuration(_ old: Component, _ new: Component) {
    func words(_ component: Component) -> String? {
      component.line(named: "DURATION").map { line in
        var notes: [ValueNote] = []
        return (try? CivilDuration.read(line.value, notes: &notes)).map(Clock.words)
          ?? String(decoding: line.value, as: UTF8.self)
      }
    }
    switch (words(old), words(new)) {
    case (let was?, let now?) where was != now:
      note("DURATION", was, now, "duration \(was) → \(now)")
    case (nil, let now?): note("DURATION", nil, now, "duration \(now) added")
    case (let was?, nil): note("DURATION", was, nil, "duration \(was) removed")
    default: return
    }
  }

  private mutating func compareRules(_ old: Component, _ new: Component) {
    for name in ["RRULE", "EXRULE"] {
      let was = ruleWords(name, old, before)
      let now = ruleWords(name, new, after)
      let label = name == "EXRULE" ? "exception rule: " : ""
      switch (was, now) {
      case (let was?, let now?) where was.form != now.form:
        let isTold = was.words != now.words
        let (former, new) = isTold ? (was.words, now.words) : (was.form, now.form)
        note(name, former, new, "\(label)\(former) → \(new)")
      case (nil, let now?): note(name, nil, now.words, "\(label)repeats \(now.words) now")
      case (let was?, nil): note(name, was.words, nil, "\(label)repeats no more (\(was.words))")
      default: continue
      }
    }
  }

  private func ruleWords(
    _ name: String, _ component: Component, _ parts: ItemParts
  ) -> (form: String, words: String)? {
    let lines = component.lines(named: name)
    if lines.isEmpty { return nil }
    let start = ItemTimes.start(of: component).flatMap { ItemTimes.time($0) }
    let texts = lines.map { line -> (String, String) in
      let raw = String(decoding: line.value, as: UTF8.self)
      var notes: [ValueNote] = []
      guard let rule = try? RecurrenceRule.read(line.value, notes: &notes) else {
        return (raw, raw)
      }
      let form = String(decoding: rule.value, as: UTF8.self)
      let words = start.flatMap { start in
        RuleInWords(
          rule: rule, start: start.civil, isAllDay: start.isDate,
          wall: { parts.times.wall(of: .instant($0.secondsSince1970)) }
        ).text
      }
      return (form, words ?? "by the rule \(form)")
    }
    return (
      texts.map(\.0).joined(separator: " and "), texts.map(\.1).joined(separator: " and ")
    )
  }
}
