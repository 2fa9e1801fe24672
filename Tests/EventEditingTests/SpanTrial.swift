import EventEditing
import ICalendar
import Recurrence

/// One edit of a random series with each span; nil where it does what it should.
struct SpanTrial {
  let series: RandomSeries
  let text: [UInt8]
  /// The wall time, by the rule, of the occurrence that is edited.
  let chosen: Int
  let edit: EventEdit
  let change: ExpectedChange

  private var object: CalendarObject { CalendarObject(SyntaxTree(bytes: text)) }

  private var name: GivenTime {
    let shown = series.home.wall(ofKey: series.key(chosen))
    guard let civil = CivilDateTime(secondsSince1970: shown) else { return .instant(0) }
    return .exactly(series.start.with(civil))
  }

  private var isFirst: Bool { series.visible.first == chosen }

  private func happenings(of text: [UInt8]?, shift: Int = 0) -> [Happening] {
    let horizon =
      series.horizon == Int.max ? Int.max : series.key(series.horizon + shift)
    return text.map { Happening.all(in: $0, before: horizon) } ?? []
  }

  func editThis() throws -> String? {
    let result = try editEvent(
      object, edit, span: .thisEvent, occurrence: name, context: .forTests)
    var expected = series.happenings()
    guard let index = expected.firstIndex(where: { $0.id == series.key(chosen) }) else {
      return "not there"
    }
    let old = expected[index]
    let start = edit.start == nil ? old.start : series.key(chosen + change.shift)
    let length = change.length ?? old.end - old.start
    expected[index] = Happening(
      id: old.id, start: start, end: start + length, summary: change.summary ?? old.summary)
    let main = object.mainComponents.first?.component.bytes
    guard let item = result.item else { return "deleted" }
    guard CalendarObject(SyntaxTree(bytes: item)).mainComponents.first?.component.bytes == main
    else { return "the main component changed" }
    return difference(happenings(of: item), expected, "this")
  }

  func deleteThis() throws -> String? {
    let result = try deleteEvent(
      object, span: .thisEvent, occurrence: name, context: .forTests)
    let expected = series.happenings().filter { $0.id != series.key(chosen) }
    return difference(happenings(of: result.item), expected, "delete this")
  }

  func deleteFuture() throws -> String? {
    let result = try deleteEvent(
      object, span: .futureEvents, occurrence: name, context: .forTests)
    let expected = series.happenings().filter { $0.id < series.key(chosen) }
    return difference(happenings(of: result.item), expected, "delete future")
  }

  func editAll() throws -> String? {
    var edit = edit
    if edit.start != nil {
      edit.start = CivilDateTime(secondsSince1970: series.startWall + change.shift).map {
        .exactly(series.start.with($0))
      }
    }
    guard isPlain(fits: { _ in true }) else { return nil }
    let result = try editEvent(object, edit, span: .allEvents, context: .forTests)
    let expected = series.happenings(changed: change)
    return difference(
      happenings(of: result.item, shift: change.shift), expected, "all \(result.notes)")
  }

  func editFuture() throws -> String? {
    let key = series.key(chosen)
    guard isPlain(fits: { series.key($0) >= key }) else { return nil }
    let result = try editEvent(
      object, edit, span: .futureEvents, occurrence: name, context: .forTests)
    let isSplit = result.created != nil
    if isSplit == isFirst, result.item != text { return "split at the first occurrence" }
    var expected = series.happenings(changed: change) { series.key($0) >= key }
    // The occurrence that is named gets what it is given, also where it was changed before.
    let id = series.key(chosen + change.shift)
    if let index = expected.firstIndex(where: { $0.id == id }) { named(&expected[index]) }
    if result.item == text {
      let unchanged = series.happenings().filter { $0.id >= key }
      return difference(unchanged, expected, "future, without a change")
    }
    if !isSplit {
      return difference(
        happenings(of: result.item, shift: change.shift), expected, "future, first")
    }
    let earlier = series.happenings().filter { $0.id < key }
    let created = String(decoding: result.created?.text ?? [], as: UTF8.self)
    return difference(happenings(of: result.item), earlier, "future, before")
      ?? difference(
        happenings(of: result.created?.text, shift: change.shift), expected,
        "future, after \(result.notes)\n\(created)")
      ?? countsAgree(result)
  }

  private func named(_ happening: inout Happening) {
    if let summary = change.summary { happening.summary = summary }
    let length = change.length ?? happening.end - happening.start
    if edit.start != nil { happening.start = happening.id }
    happening.end = happening.start + length
  }

  /// COUNT is split, and its sum stays.
  private func countsAgree(_ result: LinkedChange) -> String? {
    guard series.rules.count == 1, let count = series.rules[0].count, series.additions.isEmpty
    else { return nil }
    let counts = [result.item, result.created?.text].map { text -> Int in
      let object = CalendarObject(SyntaxTree(bytes: text ?? []))
      var notes: [ValueNote] = []
      let line = object.mainComponents.first?.component.line(named: "RRULE")
      return line.flatMap { try? RecurrenceRule.read($0.value, notes: &notes).count } ?? 0
    }
    return counts[0] + counts[1] == count ? nil : "COUNT=\(count) became \(counts)"
  }

  /// The moved wall times are instants in the same order, too.
  private func isPlain(fits: (Int) -> Bool) -> Bool {
    let walls = series.walls.filter(fits)
    let keys = walls.map { series.key($0 + change.shift) }
    return zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
      && series.isPlainAtHorizon(movedBy: change.shift, last: walls.last)
      && series.canEnd(series.startWall + change.shift, change.length ?? series.length)
      && series.canEnd(chosen, series.length)
      && series.canEnd(chosen + change.shift, change.length ?? series.length)
      && series.overrides.values.allSatisfy {
        series.canEnd($0.wall + change.shift, $0.length)
          && series.canEnd($0.wall + change.shift, change.length ?? $0.length)
      }
  }

  private func difference(
    _ actual: [Happening], _ expected: [Happening], _ what: String
  ) -> String? {
    guard actual != expected else { return nil }
    let (has, wants) = (Set(actual), Set(expected))
    return """
      \(what), at \(chosen) moved by \(change.shift), length \(change.length ?? -1)
      too much: \(has.subtracting(wants).sorted().prefix(4))
      missing: \(wants.subtracting(has).sorted().prefix(4))
      """
  }
}
