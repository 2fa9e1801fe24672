import CalgwKit

/// How an agenda is printed for people.
enum AgendaView {
  /// Day by day.
  case days(now: Int)
  /// The grid of the month that begins on the day.
  case month(CivilDate, now: Int)
  /// A line an occurrence, in its own zone.
  case table
}

extension Console {
  /// Prints an agenda, and then what could not be read.
  func show(_ agenda: Agenda, as view: AgendaView) {
    if isJSON {
      printLines(agenda.entries.lazy.map(\.json.text))
    } else {
      switch view {
      case .days(let now): showDays(agenda, now: now)
      case .month(let first, let now):
        printLines(MonthGrid(agenda, month: first, now: now, console: self).lines)
      case .table: printLines(agenda.entries.lazy.map(tableLine))
      }
      if agenda.entries.isEmpty, agenda.failures.isEmpty, !isQuiet { note("nothing is on") }
    }
    if !isQuiet {
      // Whole paths are in them.
      for notice in agenda.notices { note("note: " + visibleText(notice, limit: 1000)) }
    }
    for failure in agenda.failures { report(failure) }
  }

  /// Prints lines in large pieces: a listing may have a million.
  private func printLines(_ lines: some Sequence<String>) {
    var piece = ""
    for line in lines {
      if !piece.isEmpty { piece += "\n" }
      piece += line
      if piece.utf8.count > 1 << 16 {
        print(piece)
        piece = ""
        guard isWanted else { return }
      }
    }
    if !piece.isEmpty { print(piece) }
  }

  private func showDays(_ agenda: Agenda, now: Int) {
    let today = agenda.zone.day(at: now)
    let namesCalendars = agenda.calendars.count > 1
    var lines: [String] = []
    for day in agenda.days {
      if !lines.isEmpty { lines.append("") }
      let isToday = day.date.daysSince1970 == today
      let heading = "\(day.date.weekday.name), \(day.date)" + (isToday ? " (today)" : "")
      lines.append(styled(heading, .bold))
      lines += day.rows.map { line(of: $0, namesCalendars: namesCalendars) }
    }
    printLines(lines)
  }

  private func line(of row: AgendaRow, namesCalendars: Bool) -> String {
    let details = row.entry.details
    let mark = colored("●", details.calendar.color)
    var text = "  " + padded(row.time, columns: 11) + "  " + mark + " " + eventTitle(details)
    if let part = row.part { text += styled(" (day \(part.day) of \(part.of))", .faint) }
    if let last = row.lastDay { text += styled(" (to \(last))", .faint) }
    text += notes(on: details)
    if namesCalendars {
      text += styled(" [\(isolated(titleText(details.calendar.title, limit: 40)))]", .faint)
    }
    return text
  }

  /// The title, with a box in front of a to-do.
  func eventTitle(_ details: EventDetails) -> String {
    let summary = titleText(details.summary)
    let shown = summary.isEmpty ? "(no title)" : isolated(summary)
    guard details.kind == .todo else { return shown }
    return (details.isDone ? "[x] " : "[ ] ") + shown
  }

  private func notes(on details: EventDetails) -> String {
    var text = ""
    let location = titleText(details.location ?? "")
    if !location.isEmpty { text += styled(" · \(isolated(location))", .faint) }
    if details.isCancelled { text += " " + styled("(cancelled)", .red) }
    if details.status == "TENTATIVE" { text += styled(" (tentative)", .faint) }
    return text
  }

  private func tableLine(_ entry: AgendaEntry) -> String {
    let times = padded(entry.timeSpan, columns: 36)
    return times + "  " + eventTitle(entry.details) + notes(on: entry.details)
  }

  /// A text in a calendar's colour, `#RRGGBB`.
  func colored(_ text: String, _ color: String?) -> String {
    guard colorsOutput, let color, let number = UInt32(color.dropFirst(), radix: 16) else {
      return text
    }
    let parts = [number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF].map(String.init)
    return "\u{1B}[38;2;\(parts.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
