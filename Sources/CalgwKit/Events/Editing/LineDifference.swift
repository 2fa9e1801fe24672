import ICalendar

/// A property that differs between two texts of an item.
public struct LineDifference: Sendable, Hashable {
  /// `VEVENT`, or for an override with its RECURRENCE-ID: `VEVENT 20260105T090000`.
  public var component: String
  /// In upper case; `BEGIN` for a component as a whole.
  public var property: String
  /// The lines, unfolded; empty where there was none, or is none any more.
  public var before: [String]
  public var after: [String]

  var json: JSONValue {
    .object(
      ("component", .string(component)), ("property", .string(property)),
      ("before", .array(before.map { .string($0) })), ("after", .array(after.map { .string($0) })))
  }
}

/// What differs between two texts, in the order of the old text and then of the new one. The times
/// at which a text was written (DTSTAMP, LAST-MODIFIED) are left out.
func lineDifferences(_ old: [UInt8], _ new: [UInt8]) -> [LineDifference] {
  let (before, after) = (sections(of: old), sections(of: new))
  var result: [LineDifference] = []
  for (name, lines) in before.ordered {
    guard let other = after.byName[name] else {
      result.append(
        LineDifference(component: name, property: "BEGIN", before: [name], after: []))
      continue
    }
    result += differences(name, lines, other)
  }
  for (name, _) in after.ordered where before.byName[name] == nil {
    result.append(
      LineDifference(component: name, property: "BEGIN", before: [], after: [name]))
    result += own(of: name, after.byName[name] ?? [], beside: before.ordered.first?.lines ?? [])
  }
  return result
}

/// What a split makes of the series in its new part.
func partDifferences(_ old: [UInt8], _ new: [UInt8]) -> [LineDifference] {
  guard let before = sections(of: old).ordered.first, let after = sections(of: new).ordered.first
  else { return [] }
  let made: Set = ["UID", "CREATED", "SEQUENCE", "RELATED-TO"]
  return differences(after.name, before.lines, after.lines).filter { !made.contains($0.property) }
}

/// What a new override says otherwise than its series.
private func own(
  of name: String, _ lines: [(String, String)], beside main: [(String, String)]
) -> [LineDifference] {
  /// The parameters and the value.
  func rest(_ name: String, _ lines: [(String, String)]) -> Substring? {
    lines.first { $0.0 == name }.map { $0.1.dropFirst(name.count) }
  }
  /// How long it lasts, as far as that can be read off the lines: on its day until then.
  func until(_ name: String, _ lines: [(String, String)]) -> Substring? {
    guard let start = rest("DTSTART", lines), let end = rest(name, lines),
      let clock = end.lastIndex(of: "T"), end[..<clock] == start.prefix(end[..<clock].count)
    else { return nil }
    return end[clock...]
  }
  var passed: Set = ["RECURRENCE-ID", "SEQUENCE", "CREATED", "DTSTAMP", "LAST-MODIFIED"]
  if rest("DTSTART", lines) == rest("RECURRENCE-ID", lines) {
    passed.insert("DTSTART")
    passed.formUnion(
      ["DTEND", "DUE"].filter { name in
        until(name, lines).map { $0 == until(name, main) } ?? false
      })
  }
  let (known, said) = (Set(main.map(\.1)), Set(lines.map(\.0)))
  let ofSeries = passed.union(["RRULE", "RDATE", "EXDATE", "EXRULE"])
  let lacking = main.filter { !ofSeries.contains($0.0) && !said.contains($0.0) }
  let new = lines.filter { !passed.contains($0.0) && !known.contains($0.1) }
  return lacking.map {
    LineDifference(component: name, property: $0.0, before: [$0.1], after: [])
  } + new.map { LineDifference(component: name, property: $0.0, before: [], after: [$0.1]) }
}

private struct Sections {
  var ordered: [(name: String, lines: [(String, String)])] = []
  var byName: [String: [(String, String)]] = [:]
}

/// The components of a text with their lines, each as its property's name and the line.
private func sections(of text: [UInt8]) -> Sections {
  var sections = Sections()
  for item in CalendarObject(SyntaxTree(bytes: text)).components {
    let id = item.recurrenceID.map { " " + String(decoding: $0.value, as: UTF8.self) } ?? ""
    var name = item.kind + id
    if sections.byName[name] != nil { name += " (\(sections.ordered.count + 1))" }
    var lines: [(String, String)] = []
    collect(item.component, prefix: "", depth: 0, into: &lines)
    sections.ordered.append((name, lines))
    sections.byName[name] = lines
  }
  return sections
}

private func collect(
  _ component: Component, prefix: String, depth: Int, into lines: inout [(String, String)]
) {
  for line in component.lines {
    let name = String(decoding: line.name, as: UTF8.self).uppercased()
    lines.append((prefix + name, String(decoding: line.content, as: UTF8.self)))
  }
  guard depth < SyntaxTree.depthLimit else { return }
  for part in component.components {
    let name = String(decoding: part.name, as: UTF8.self).uppercased()
    collect(part, prefix: "\(prefix)\(name) ", depth: depth + 1, into: &lines)
  }
}

private func differences(
  _ component: String, _ old: [(String, String)], _ new: [(String, String)]
) -> [LineDifference] {
  let ignored: Set = ["DTSTAMP", "LAST-MODIFIED"]
  let before = Dictionary(grouping: old, by: \.0).mapValues { $0.map(\.1) }
  let after = Dictionary(grouping: new, by: \.0).mapValues { $0.map(\.1) }
  var seen: Set<String> = []
  var result: [LineDifference] = []
  for name in (old + new).map(\.0)
  where !ignored.contains(name) && seen.insert(name).inserted && before[name] != after[name] {
    result.append(
      LineDifference(
        component: component, property: name, before: before[name] ?? [],
        after: after[name] ?? []))
  }
  return result
}
