import ICalendar
import Recurrence

/// The details for people.
extension DetailsReader {
  func rows(of item: FoundItem) -> [ItemDetails.Row] {
    let modified = stamp("LAST-MODIFIED") ?? item.modified.map { timestamp($0) }
    let ofFile: [(String, [String])] = [
      ("modified", [modified].compactMap { $0 }), ("calendar", [item.folder.name]),
      ("file", [item.file.text]), ("uid", [item.uid.text]),
    ]
    let rows = content() + ofFile.map { ItemDetails.Row(label: $0.0, lines: $0.1) }
    return rows.filter { !$0.lines.isEmpty }
  }

  /// What the text itself says but for the title: of every item the same labels in the same order,
  /// some without a line.
  ///
  /// - Parameter tellingUsual: also what goes without saying, as that an event is one: beside
  ///   another version that is something else it does not.
  func content(tellingUsual: Bool = false) -> [ItemDetails.Row] {
    let rows: [(String, [String])] = [
      ("kind", kindWords(tellingUsual: tellingUsual)), ("when", when),
      ("occurrence", originalStart), ("repeats", repeats),
      ("except", exceptions),
      ("also", additions), ("changed", changedOccurrences),
      ("where", lines(text("LOCATION"))), ("status", status(tellingUsual: tellingUsual)),
      ("organizer", people("ORGANIZER").map(words)), ("attendees", people("ATTENDEE").map(words)),
      ("alarms", alarms.map(words)), ("link", values("URL")), ("attached", attachments),
      ("categories", categories.isEmpty ? [] : [categories.joined(separator: ", ")]),
      ("notes", lines(text("DESCRIPTION"))),
    ]
    return rows.map { ItemDetails.Row(label: $0.0, lines: $0.1) }
  }

  private func lines(_ text: String?) -> [String] {
    guard let text else { return [] }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  /// Usually only what is no event needs to be told.
  private func kindWords(tellingUsual: Bool) -> [String] {
    switch main?.kind {
    case nil: []
    case "VEVENT": tellingUsual ? ["event"] : []
    case "VTODO": ["to-do"]
    case "VJOURNAL": ["journal entry"]
    case "VFREEBUSY": ["free and busy times"]
    case let kind?: [kind]
    }
  }

  private var when: [String] {
    guard let times else { return [] }
    if let words = times.words { return [words] }
    return main?.kind == "VEVENT" ? ["at no time: it has no DTSTART that can be read"] : []
  }

  /// Of the one occurrence that is shown, where it was moved.
  private var originalStart: [String] {
    guard let times, let id = times.schedule.recurrenceID else { return [] }
    return ["of the series, originally \(originalStarts.words(id))"]
  }

  private var repeats: [String] {
    rules.map { text, rule in
      guard let rule, let times else { return text }
      return times.ruleWords(rule, text: text)
    }
  }

  private var exceptions: [String] {
    guard let times else { return [] }
    return times.schedule.exclusions.map(originalStarts.excludedWords)
  }

  private var additions: [String] {
    guard let times else { return [] }
    // The second of two equal times has the words of the first.
    var seen: Set<String> = []
    return times.schedule.additions.map(\.start)
      .filter { seen.insert(originalStarts.text($0)).inserted }
      .map(originalStarts.words)
  }

  /// What overrides say, by the occurrence that each replaces.
  private var changedOccurrences: [String] {
    overrides.map { override in
      let own = ComponentTimes(override, zones: zones, here: here)
      let id = own.schedule.recurrenceID.map(originalStarts.words) ?? "an occurrence"
      let later = own.schedule.isThisAndFuture ? " and later ones" : ""
      let isCancelled =
        override.component.line(named: "STATUS").map {
          String(decoding: $0.value, as: UTF8.self).uppercased()
        } == "CANCELLED"
      if isCancelled { return "\(id)\(later): cancelled" }
      var parts: [String] = []
      if originalStarts.isMoved(own.schedule), let words = own.words { parts.append(words) }
      if let title = override.summary?.text, title != object.summary {
        parts.append("\"\(title)\"")
      }
      return "\(id)\(later): " + (parts.isEmpty ? "other details" : parts.joined(separator: ", "))
    }
  }

  private func status(tellingUsual: Bool) -> [String] {
    var words: [String] = []
    func add(_ name: String, usual: String, _ inWords: (String) -> String) {
      guard let value = value(name)?.lowercased() else { return }
      if tellingUsual || value != usual { words.append(inWords(value)) }
    }
    add("STATUS", usual: "confirmed") { $0.replacing("-", with: " ") }
    add("TRANSP", usual: "opaque") {
      switch $0 {
      case "opaque": "busy"
      case "transparent": "free"
      default: $0
      }
    }
    add("CLASS", usual: "public") { $0 }
    if let percent = value("PERCENT-COMPLETE") { words.append("\(percent) % done") }
    add("PRIORITY", usual: "0") { $0 == "0" ? "no priority" : "priority \($0)" }
    return words.isEmpty ? [] : [words.joined(separator: ", ")]
  }

  private func words(_ person: Person) -> String {
    var text = person.name.map { "\($0) <\(person.address)>" } ?? person.address
    let states = [
      "ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "maybe",
      "NEEDS-ACTION": "no answer yet", "DELEGATED": "delegated",
    ]
    var notes: [String] = []
    if let status = person.status { notes.append(states[status] ?? status.lowercased()) }
    switch person.role {
    case "OPT-PARTICIPANT": notes.append("optional")
    case "NON-PARTICIPANT": notes.append("for information")
    case "CHAIR": notes.append("chair")
    default: break
    }
    if !notes.isEmpty { text += ": \(notes.joined(separator: ", "))" }
    return text
  }

  /// `15 minutes before (DISPLAY)`.
  private func words(_ alarm: Component) -> String {
    let action =
      alarm.line(named: "ACTION").map { String(decoding: $0.value, as: UTF8.self).lowercased() }
      ?? ""
    let suffix = action.isEmpty || action == "display" ? "" : " (\(action))"
    guard let trigger = alarm.line(named: "TRIGGER") else { return "at no time" + suffix }
    var notes: [ValueNote] = []
    if let duration = try? CivilDuration.read(trigger.value, notes: &notes) {
      let related =
        trigger.parameter(named: "RELATED")?.values.first
          .map { String(decoding: $0, as: UTF8.self).uppercased() } == "END"
        ? "the end" : "the start"
      let seconds = duration.days * 86_400 + duration.seconds
      if seconds == 0 { return "at \(related)" + suffix }
      let place = seconds < 0 ? "before" : "after"
      return "\(TimeWords.length(seconds: seconds)) \(place) \(related)" + suffix
    }
    if let time = try? DateTime.read(trigger.value, notes: &notes) {
      let zone = if case .utc = time { " (UTC)" } else { "" }
      return "\(TimeWords.day(time.civil.date)), \(TimeWords.clock(time.civil))\(zone)\(suffix)"
    }
    return String(decoding: trigger.value, as: UTF8.self) + suffix
  }

  /// What an attachment is, never what is in it.
  private var attachments: [String] {
    main?.component.lines(named: "ATTACH").map { line in
      let isInline = line.parameter(named: "ENCODING") != nil
      let type =
        line.parameter(named: "FMTTYPE")?.texts.first
        .map { String(decoding: $0, as: UTF8.self) } ?? "a file"
      return isInline
        ? "\(type), \(line.value.count / 4 * 3) bytes, in the item itself"
        : String(decoding: line.value, as: UTF8.self)
    } ?? []
  }
}
