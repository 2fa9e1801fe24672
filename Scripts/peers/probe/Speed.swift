import Glibc
import ICalendar
import Recurrence

/// Prints how many occurrences the rules of a file have in a window, and the processor seconds that
/// finding them takes. Lines of the file are a start and a rule, with a tab; all are in a zone.
func speed(_ arguments: [String]) {
  guard let from = Int(arguments[1]), let to = Int(arguments[2]) else { fail("no window") }
  let zones = ZoneResolver(catalog: systemZones)
  var schedules: [Schedule] = []
  for line in contents(of: arguments[0]).split(separator: 0x0A) {
    let fields = line.split(separator: 0x09)
    var notes: [ValueNote] = []
    do {
      let zone = TimeZoneName("Europe/Vienna")
      let start = try DateTime.read(fields[0], zone: zone, notes: &notes)
      let rule = try RecurrenceRule.read(fields[1], notes: &notes)
      schedules.append(Schedule(start: start, rules: [rule]))
    } catch {
      fail("cannot read " + String(decoding: line, as: UTF8.self))
    }
  }
  let window = OccurrenceWindow(from: from, to: to)
  report {
    var count = 0
    for schedule in schedules {
      let set = RecurrenceSet(main: schedule, zones: zones)
      for _ in set.occurrences(in: window) { count += 1 }
    }
    return count
  }
}

/// Prints how many lines a file has, and the processor seconds that reading it into the tree takes;
/// with `deeply`, also each line's name, parameters and value.
func parse(_ arguments: [String]) {
  let bytes = contents(of: arguments[0])
  let isDeep = arguments.dropFirst().first == "deeply"
  let before = clock()
  let tree = SyntaxTree(bytes: bytes)
  var count = 0
  if isDeep { count = valuesRead(of: tree.root) }
  let seconds = Double(clock() - before) / Double(CLOCKS_PER_SEC)
  print(isDeep ? count : tree.calendars.reduce(0) { $0 + $1.components.count }, seconds)
}

private func valuesRead(of component: Component) -> Int {
  var count = 0
  for line in component.lines {
    count += 1
    precondition(line.name.count + line.value.count + line.parameters.count > 0)
  }
  for inner in component.components { count += valuesRead(of: inner) }
  return count
}

/// Repeats work for a fifth of a second at least.
private func report(_ work: () -> Int) {
  var (count, runs) = (work(), 0)
  let start = clock()
  var spent = 0
  while spent < CLOCKS_PER_SEC / 5 {
    count = work()
    runs += 1
    spent = clock() - start
  }
  print(count, Double(spent) / Double(CLOCKS_PER_SEC) / Double(runs))
}
