/// An item as people make them, in UTC so that servers have no zones to write anew.
struct SampleItem: Sendable {
  let uid: String
  let text: String

  private init(_ uid: String, _ components: [[String]]) {
    self.uid = uid
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Written by hand//EN"]
      + components.flatMap { $0 } + ["END:VCALENDAR", ""]
    text = lines.joined(separator: "\r\n")
  }

  private static func component(_ kind: String, _ uid: String, _ lines: [String]) -> [String] {
    ["BEGIN:\(kind)", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + lines + ["END:\(kind)"]
  }

  static func event(_ uid: String, _ title: String, _ lines: [String] = []) -> SampleItem {
    let times = ["DTSTART:20260105T100000Z", "DTEND:20260105T110000Z"]
    return SampleItem(uid, [component("VEVENT", uid, times + ["SUMMARY:\(title)"] + lines)])
  }

  static func task(_ uid: String, _ title: String) -> SampleItem {
    SampleItem(uid, [component("VTODO", uid, ["DUE:20260301T100000Z", "SUMMARY:\(title)"])])
  }

  /// Ten weeks, of which the second is an hour later and has another title.
  static func series(_ uid: String, _ title: String) -> SampleItem {
    let all = [
      "DTSTART:20260105T190000Z", "DTEND:20260105T200000Z", "RRULE:FREQ=WEEKLY;COUNT=10",
      "SUMMARY:\(title)",
    ]
    let second = [
      "RECURRENCE-ID:20260112T190000Z", "DTSTART:20260112T200000Z", "DTEND:20260112T210000Z",
      "SUMMARY:\(title) in the church",
    ]
    return SampleItem(uid, [component("VEVENT", uid, all), component("VEVENT", uid, second)])
  }

  /// What counts of it, however a server orders its lines.
  var telling: [String] { Self.telling(text) }

  static func telling(_ text: String) -> [String] {
    let names = [
      "BEGIN", "UID", "SUMMARY", "LOCATION", "DTSTART", "DTEND", "DUE", "RRULE", "RECURRENCE-ID",
    ]
    return text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      names.contains { line.hasPrefix("\($0):") }
    }.sorted()
  }
}
