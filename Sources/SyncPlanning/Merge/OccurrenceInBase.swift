import ICalendar

extension ItemParts {
  /// What an occurrence was before anybody made an override of it: the main component at its time,
  /// which is what programs begin an override with. Nil where there is no such series, or its times
  /// cannot be moved.
  ///
  /// - Parameters:
  ///   - key: of an override that is none here.
  ///   - override: one of that key, as which the RECURRENCE-ID is spelt.
  func occurrence(_ key: PartKey, named override: Component) -> Component? {
    guard let main, let series = self[main], main.kind == key.kind, main.name == key.name,
      let moment = key.occurrence, !key.isThisAndFuture,
      let id = override.line(named: "RECURRENCE-ID"),
      let start = ItemTimes.start(of: series).flatMap({ ItemTimes.time($0) }),
      let wall = times.wall(of: moment)
    else { return nil }
    let shift = wall.secondsSince1970 - start.civil.secondsSince1970
    let kind = Array(String(decoding: key.kind, as: UTF8.self).utf8)
    var text = Array("BEGIN:".utf8) + kind + Self.lineEnd
    for line in series.lines {
      let name = line.name.uppercased
      if PropertyRule.isNoise(name) || Self.ofTheSeries.contains(name) { continue }
      if Self.times.contains(name) {
        guard let moved = Self.moved(line, by: shift, alongside: start) else { return nil }
        text += moved + Self.lineEnd
      } else {
        text += line.content + Self.lineEnd
      }
    }
    text += id.content + Self.lineEnd
    for child in series.components { text += child.bytes + Self.lineEnd }
    text += Array("END:".utf8) + kind + Self.lineEnd
    return SyntaxTree(bytes: text).root.components.first
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]
  private static let ofTheSeries = PropertyRule.names("RRULE", "EXRULE", "RDATE", "EXDATE")
  private static let times = PropertyRule.names("DTSTART", "DTEND", "DUE")

  /// The line so many seconds later on its wall, which has to be that of the start.
  private static func moved(
    _ line: ContentLine, by shift: Int, alongside start: DateTime
  ) -> [UInt8]? {
    guard let time = ItemTimes.time(line), time == start.with(time.civil),
      let civil = CivilDateTime(secondsSince1970: time.civil.secondsSince1970 + shift)
    else { return nil }
    return line.content.dropLast(line.value.count) + Array(time.with(civil).value.utf8)
  }
}
