import CalgwKit

/// A month for 80 columns: seven days side by side, with the number of the week in front.
struct MonthGrid {
  let agenda: Agenda
  let month: CivilDate
  /// The day from 1970 that is marked.
  let today: Int
  let console: Console

  private static let weekColumns = 3
  /// Seven of them and the week are 80.
  private static let cellColumns = 11
  /// Titles of a day; what does not fit is counted.
  private static let titles = 4

  init(_ agenda: Agenda, month: CivilDate, now: Int, console: Console) {
    self.agenda = agenda
    self.month = month
    self.console = console
    today = agenda.zone.day(at: now)
  }

  var lines: [String] {
    let days = Dictionary(uniqueKeysWithValues: agenda.days.map { ($0.date.daysSince1970, $0) })
    let first = month.daysSince1970
    let next = nextMonth
    var lines = [heading, weekdays]
    var monday = first - month.weekday.rawValue
    while monday < next {
      let cells = (monday..<(monday + 7)).map { day in
        (first..<next).contains(day) ? cell(day, days[day]) : []
      }
      let height = cells.map(\.count).max() ?? 0
      for row in 0..<height {
        var line = row == 0 ? weekNumber(monday) : String(repeating: " ", count: Self.weekColumns)
        for cell in cells {
          line += row < cell.count ? cell[row] : String(repeating: " ", count: Self.cellColumns)
        }
        lines.append(trimmed(line))
      }
      monday += 7
      if monday < next { lines.append("") }
    }
    return lines
  }

  private var nextMonth: Int {
    let start = month.month == 12 ? (month.year + 1, 1) : (month.year, month.month + 1)
    // After the last month of all the days run out.
    return CivilDate(year: start.0, month: start.1, day: 1)?.daysSince1970
      ?? month.daysSince1970 + 31
  }

  private var heading: String {
    let name = "\(month.monthName) \(month.year)"
    return console.styled(
      String(repeating: " ", count: max(0, (80 - displayWidth(name)) / 2)) + name, .bold)
  }

  private var weekdays: String {
    let names = Weekday.allCases.map {
      padded($0.shortName, columns: Self.cellColumns)
    }
    return trimmed(String(repeating: " ", count: Self.weekColumns) + names.joined())
  }

  private func weekNumber(_ monday: Int) -> String {
    // The year of a week is the one that its Thursday is in.
    let number = CivilDate(daysSince1970: monday + 3)?.week(startingOn: .monday).number
    let text = number.map { $0 < 10 ? " \($0)" : "\($0)" } ?? "  "
    return console.styled(text, .faint) + " "
  }

  /// Lines of a cell, each of its width.
  private func cell(_ day: Int, _ content: AgendaDay?) -> [String] {
    let number = String(CivilDate(daysSince1970: day)?.day ?? 0)
    let shown = day == today ? "[\(number)]" : number
    var lines = [pad(console.styled(shown, day == today ? .bold : .faint), shown)]
    let rows = content?.rows ?? []
    let fits = rows.count <= Self.titles ? rows.count : Self.titles - 1
    for row in rows.prefix(fits) {
      let details = row.entry.details
      let title = titleText(details.summary)
      let text = fitted(title.isEmpty ? "(no title)" : title, columns: Self.cellColumns - 1)
      lines.append(pad(console.colored(isolated(text), details.calendar.color), text))
    }
    if rows.count > fits {
      let more = "+\(rows.count - fits) more"
      lines.append(pad(console.styled(more, .faint), more))
    }
    return lines
  }

  /// Adds the blanks that a plain text of the same look needs.
  private func pad(_ styled: String, _ plain: String) -> String {
    styled + String(repeating: " ", count: max(0, Self.cellColumns - displayWidth(plain)))
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension Zone {
  /// The day, from 1970, that the wall shows.
  func day(at instant: Int) -> Int {
    let wall = wall(at: instant)
    return wall >= 0 ? wall / 86_400 : -((86_399 - wall) / 86_400)
  }
}
