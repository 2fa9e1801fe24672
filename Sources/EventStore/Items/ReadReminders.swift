import ICalendar

/// A VALARM that can be read.
struct WrittenReminder {
  let reminder: Reminder
  let component: Component.ID
}

extension Component {
  /// The alarms of an event whose TRIGGER can be read, in the order of the text (RFC 5545 §3.6.6).
  var reminders: [WrittenReminder] {
    components.filter { $0.isNamed("VALARM") }.compactMap { alarm in
      guard let line = alarm.line(named: "TRIGGER"), let trigger = Reminder.Trigger(line) else {
        return nil
      }
      let action = alarm.line(named: "ACTION").map { String(decoding: $0.value, as: UTF8.self) }
      return WrittenReminder(
        reminder: Reminder(trigger, action: action?.uppercased() ?? "DISPLAY"),
        component: alarm.id)
    }
  }
}

extension Reminder.Trigger {
  /// A day of a duration is 24 hours here: an alarm is a matter of clocks.
  fileprivate init?(_ line: ContentLine) {
    if let time = UTCDateTime(line.value) {
      self = .at(seconds: Int(time.millisecondsSince1970 / 1000))
      return
    }
    var notes: [ValueNote] = []
    guard let duration = try? CivilDuration.read(line.value, notes: &notes) else { return nil }
    // Both parts are held to ten thousand years.
    let seconds = duration.days * 86_400 + duration.seconds
    let related = line.parameter(named: "RELATED")?.values.first ?? []
    let isEnd = String(decoding: related, as: UTF8.self).uppercased() == "END"
    self = isEnd ? .fromEnd(seconds: seconds) : .fromStart(seconds: seconds)
  }

  /// The line (RFC 5545 §3.8.6.3); nil for a moment outside of the years 0 to 9999.
  var property: Property? {
    switch self {
    case .fromStart(let seconds): return Property("TRIGGER", value: Self.duration(seconds))
    case .fromEnd(let seconds):
      let related = Parameter("RELATED", text: "END")
      return Property("TRIGGER", parameters: [related], value: Self.duration(seconds))
    case .at(let seconds):
      let type = Parameter("VALUE", text: "DATE-TIME")
      return UTCDateTime(secondsSince1970: seconds).map {
        Property("TRIGGER", parameters: [type], value: $0.value)
      }
    }
  }

  private static func duration(_ seconds: Int) -> String {
    CivilDuration(days: 0, seconds: seconds).value
  }
}
