import ICalendar

/// What one element of an EXDATE or RDATE names.
struct ListedMoment: Hashable {
  /// Of a period, when it begins.
  let start: Moment
  /// When a period ends (RFC 5545 §3.3.9); nil for what is as long as the series says.
  let end: Moment?
}

extension ItemTimes {
  func listed(_ element: [UInt8], in line: ContentLine) -> ListedMoment {
    var notes: [ValueNote] = []
    guard let period = try? Period.read(element, zone: Self.zone(of: line), notes: &notes) else {
      return ListedMoment(start: occurrence(of: element, in: line), end: nil)
    }
    // Where nobody can say when it ends, the spelling tells it from others.
    return ListedMoment(start: occurrence(period.start), end: end(of: period) ?? .text(element))
  }

  private func end(of period: Period) -> Moment? {
    switch period.extent {
    case .end(let end): occurrence(end)
    case .duration(let length): moment(period.start, plus: length)
    }
  }

  /// Days of a duration are counted on the calendar (RFC 5545 §3.3.6); nil where nobody can say.
  func moment(_ start: DateTime, plus length: CivilDuration) -> Moment? {
    let wall = start.civil.secondsSince1970 + length.days * 86_400
    guard let civil = CivilDateTime(secondsSince1970: wall) else { return nil }
    switch moment(start.with(civil)) {
    case .instant(let seconds): return .instant(seconds + length.seconds)
    case .wall(let seconds): return .wall(seconds + length.seconds)
    case .day, .unknown, .text: return nil
    }
  }
}
