import Glibc
import ICalendar
import Recurrence

/// The zones of this machine.
let systemZones = ZoneCatalog { name in
  let path = "/usr/share/zoneinfo/" + name
  return access(path, R_OK) == 0 ? contents(of: path) : nil
}

/// Reads lines of FROM, TO, LIMIT and an item's text, with tabs; the text has U+001F for its line
/// ends. Prints for each the occurrences that overlap the window, LIMIT of them at most, with
/// commas: the instants of its identity (empty if nothing recurs), start and end, and the index of
/// its override (empty for the main component), with colons.
func expand() {
  while let line = readLine() {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 4, let from = Int(fields[0]), let to = Int(fields[1]),
      let limit = Int(fields[2])
    else { fail("not a request: " + line) }
    let text = fields[3].utf8.map { $0 == 0x1F ? 0x0A : $0 }
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: text))
    let set = RecurrenceSet(object, catalog: systemZones, findings: &findings)
    let found = set.occurrences(in: OccurrenceWindow(from: from, to: to)).prefix(limit)
    print(found.map(\.asked).joined(separator: ","))
  }
}

extension Occurrence {
  fileprivate var asked: String {
    let id = recurrenceID.map { String($0.instant) } ?? ""
    let override = if case .override(let index) = source { String(index) } else { "" }
    return "\(id):\(start.instant):\(end.instant):\(override)"
  }
}
