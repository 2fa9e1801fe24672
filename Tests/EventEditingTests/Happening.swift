import EventEditing
import ICalendar
import Recurrence

/// An occurrence as a person sees it, for comparisons.
struct Happening: Hashable, Comparable, CustomStringConvertible {
  /// By the rule; a key of the series.
  var id: Int
  var start: Int
  var end: Int
  var summary: String

  static func < (left: Happening, right: Happening) -> Bool {
    (left.id, left.start, left.end) < (right.id, right.start, right.end)
  }

  var description: String { "\(id): \(start)…\(end) \(summary)" }

  /// What takes place by a text, up to an original start.
  static func all(in text: [UInt8], before horizon: Int = Int.max) -> [Happening] {
    let object = CalendarObject(SyntaxTree(bytes: text))
    var findings: [ScheduleFinding] = []
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    let main = object.mainComponents.first?.summary?.text ?? ""
    let overrides = object.components.filter(\.isOverride).map { $0.summary?.text ?? "" }
    // Overrides may lie far from where the rule has them.
    let slack = 100 * 86_400
    let window =
      horizon == Int.max
      ? .all : OccurrenceWindow(from: Int.min, to: horizon + slack)
    var found: [Happening] = []
    for occurrence in set.occurrences(in: window) {
      let isFloating = occurrence.start.offset == nil
      let value = { (time: OccurrenceTime) in isFloating ? time.wall : time.instant }
      let summary: String
      switch occurrence.source {
      case .main: summary = main
      case .override(let index): summary = overrides[index]
      }
      let id = value(occurrence.recurrenceID ?? occurrence.start)
      guard id < horizon else { continue }
      found.append(
        Happening(
          id: id, start: value(occurrence.start), end: value(occurrence.end), summary: summary))
    }
    return found.sorted()
  }
}

/// How the occurrences of a series change, as the contract says it and not as the editor does it.
struct ExpectedChange {
  /// Seconds on the wall.
  var shift = 0
  var length: Int?
  var summary: String?
}

extension RandomSeries {
  /// The key that the rule's wall time has.
  func key(_ wall: Int) -> Int { home.key(ofWall: wall) }

  /// What takes place of those wall times that fit, changed.
  func happenings(
    changed: ExpectedChange = ExpectedChange(), where fits: (Int) -> Bool = { _ in true }
  ) -> [Happening] {
    let excluded = Set(exclusions.map(key))
    var byID: [Int: Happening] = [:]
    for wall in walls where fits(wall) && !excluded.contains(key(wall)) {
      let id = key(wall + changed.shift)
      guard let override = overrides[wall] else {
        byID[id] = Happening(
          id: id, start: id, end: end(id, changed.length ?? length),
          summary: changed.summary ?? "Series")
        continue
      }
      let start = key(override.wall + changed.shift)
      let sameLength = override.length == length
      byID[id] = Happening(
        id: id, start: start,
        end: end(start, sameLength ? changed.length ?? override.length : override.length),
        summary: override.summary == "Series" ? changed.summary ?? "Series" : override.summary)
    }
    return byID.values.sorted()
  }

  private func end(_ start: Int, _ length: Int) -> Int {
    start + (home.isDate ? max(86_400, length) : length)
  }
}
