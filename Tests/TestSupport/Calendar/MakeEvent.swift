/// Makes a real-looking item of about 1.5 KB: most are events, some are to-dos; some recur and
/// have overrides, some bring a time zone, attendees, alarms. The same number and seed always give
/// the same bytes; the UID depends on the number alone (`uid(ofEvent:)`). CRLF line ends, folded.
public func makeEvent(number: Int, seed: UInt64) -> [UInt8] {
  let mixed = seed ^ (UInt64(truncatingIfNeeded: number) &* 0x2545_F491_4F6C_DD1D)
  var item = EventText(uid: uid(ofEvent: number), random: SeededRandom(seed: mixed))
  return item.make()
}

/// The UID of a made event.
public func uid(ofEvent number: Int) -> String { "event-\(number)@calgw.example" }

private struct EventText {
  let uid: String
  var random: SeededRandom
  var lines: [String] = []

  init(uid: String, random: SeededRandom) {
    self.uid = uid
    self.random = random
  }

  mutating func make() -> [UInt8] {
    let isTodo = random.oneIn(6)
    let zone = random.oneIn(2) ? "Europe/Vienna" : nil
    let recurs = !isTodo && random.oneIn(4)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Made for tests//EN"]
    if zone != nil { lines += Self.vienna }
    let kind = isTodo ? "VTODO" : "VEVENT"
    component(kind, zone: zone, recurs: recurs, override: nil)
    if recurs {
      for week in 1...random.number(1...2) {
        component(kind, zone: zone, recurs: false, override: week)
      }
    }
    lines.append("END:VCALENDAR")
    return lines.flatMap(Self.fold)
  }

  private mutating func component(_ kind: String, zone: String?, recurs: Bool, override: Int?) {
    let day = random.number(1...6)
    let hour = random.number(7...18)
    let year = random.number(2020...2027)
    lines += ["BEGIN:\(kind)", "UID:\(uid)", "DTSTAMP:\(stamp(year))"]
    if let override {
      // The weekly series of Mondays that `weekly` starts.
      lines.append("RECURRENCE-ID\(Self.time(zone, "202601\(Self.two(5 + 7 * override))", 9))")
    }
    let date = recurs || override != nil ? "2026010\(recurs ? 5 : day)" : "\(year)030\(day)"
    lines.append("DTSTART\(Self.time(zone, date, recurs ? 9 : hour))")
    let end = Self.time(zone, date, recurs ? 10 : hour + 1)
    lines.append(kind == "VTODO" ? "DUE\(end)" : "DTEND\(end)")
    if recurs { lines.append("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=\(random.number(5...60))") }
    lines += ["CREATED:\(stamp(year))", "LAST-MODIFIED:\(stamp(year))"]
    lines += ["SEQUENCE:\(random.number(0...4))", "SUMMARY:\(random.one(of: Self.titles))"]
    if random.oneIn(2) { lines.append("LOCATION:\(random.one(of: Self.places))") }
    lines.append("DESCRIPTION:\(text(sentences: override == nil ? random.number(4...10) : 2))")
    if random.oneIn(3) { lines.append("CATEGORIES:\(random.one(of: Self.categories))") }
    if random.oneIn(2) { attendees() }
    lines.append(kind == "VTODO" ? "STATUS:NEEDS-ACTION" : "STATUS:CONFIRMED")
    if random.oneIn(3) {
      lines.append("X-EXAMPLE-COLOR;X-KIND=\"a,b\":#\(random.number(100...999))")
    }
    if random.oneIn(2) { alarm() }
    lines.append("END:\(kind)")
  }

  private mutating func attendees() {
    lines.append("ORGANIZER;CN=Anna Gruber:mailto:anna@example.org")
    for _ in 0..<random.number(1...4) {
      let name = random.one(of: Self.people)
      let state = random.one(of: ["ACCEPTED", "NEEDS-ACTION", "DECLINED", "TENTATIVE"])
      lines.append(
        "ATTENDEE;CN=\"\(name.0)\";ROLE=REQ-PARTICIPANT;PARTSTAT=\(state);RSVP=TRUE"
          + ":mailto:\(name.1)@example.org")
    }
  }

  private mutating func alarm() {
    lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT\(random.number(5...60))M"]
    lines += ["DESCRIPTION:\(random.one(of: Self.titles))", "END:VALARM"]
  }

  private mutating func text(sentences: Int) -> String {
    (0..<sentences).map { _ in random.one(of: Self.sentences) }.joined(separator: "\\n")
  }

  private mutating func stamp(_ year: Int) -> String {
    "\(year)01\(Self.two(random.number(10...28)))T"
      + "\(Self.two(random.number(0...23)))\(Self.two(random.number(0...59)))00Z"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func time(_ zone: String?, _ date: String, _ hour: Int) -> String {
    let suffix = zone == nil ? "Z" : ""
    return "\(zone.map { ";TZID=\($0)" } ?? ""):\(date)T\(two(hour))0000\(suffix)"
  }

  /// Folds at 75 octets between characters (RFC 5545 §3.1).
  private static func fold(_ line: String) -> [UInt8] {
    var folded: [UInt8] = []
    var width = 0
    for character in line.unicodeScalars {
      let bytes = Array(String(character).utf8)
      if width + bytes.count > 75 {
        folded += [13, 10, 32]
        width = 1
      }
      folded += bytes
      width += bytes.count
    }
    return folded + [13, 10]
  }
}

extension EventText {
  fileprivate static let titles = [
    "Zahnarzt", "Team meeting", "Déjeuner avec Zoë", "Kino: „Metropolis“", "Review\\, part 2",
    "Train to Linz", "Birthday 🎂 of Ida", "Call the bank", "東京との会議", "Chess club",
  ]
  fileprivate static let places = [
    "Room 4\\, second floor", "Café Central\\; Herrengasse 14", "https://meet.example.org/abc",
    "Linz Hbf", "online",
  ]
  fileprivate static let people = [
    ("Bernd Huber", "bernd"), ("Zoë Laurent", "zoe"), ("Doe, Jane", "jane"),
    ("山田 太郎", "taro"), ("Ida; Ltd: Office", "ida"),
  ]
  fileprivate static let categories = ["WORK", "FAMILY,HEALTH", "Travel,WORK,X"]
  fileprivate static let sentences = [
    "Please bring the signed papers and the key of the old flat with you.",
    "Die Unterlagen liegen im Büro\\; wer früher da ist\\, nimmt sie mit.",
    "Agenda: budget\\, staff\\, any other business. The minutes are kept by Anna.",
    "See https://example.org/wiki/page?id=17&view=full for what was decided last time.",
    "L’entrée est gratuite pour les membres – réservation conseillée avant jeudi.",
    "会議室は三階です。",
    "Parking is behind the house.",
  ]
  fileprivate static let vienna = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Vienna",
    "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "TZNAME:CEST", "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
    "BEGIN:STANDARD", "DTSTART:19961027T030000", "TZNAME:CET", "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD",
    "END:VTIMEZONE",
  ]
}
