import EventEditing
import ICalendar
import Recurrence
import TestSupport
import Testing

/// Random series and edits, held against what the contract says of each span (docs/spans.md).
@Suite struct SpanPropertyTests {
  #if DEBUG
    private static let runs = 1500
  #else
    private static let runs = 20_000
  #endif

  @Test(arguments: [0, 1, 2, 3])
  func `an edit or deletion does what its span says and nothing else`(part: Int) throws {
    var edited = 0
    var refused = 0
    for seed in 0..<(Self.runs / 4) {
      var random = SeededRandom(seed: UInt64(part * 1_000_000 + seed))
      let series = try RandomSeries(&random)
      guard series.isPlain else { continue }
      edited += 1
      var failure: String?
      do { failure = try check(series, &random) } catch {
        // Two rules with intervals out of step need two starts.
        if case .notSplittable = error as? EditError, series.rules.count > 1 {
          refused += 1
        } else {
          failure = "\(error)"
        }
      }
      if let failure {
        Issue.record(
          "part \(part), seed \(seed): \(failure)\n\(String(decoding: series.text, as: UTF8.self))")
        return
      }
    }
    // A few are left out, where two wall times of a series are one instant.
    #expect(refused <= Self.runs / 4 / 100)
    #expect(edited > Self.runs / 4 * 9 / 10)
  }

  private func check(
    _ series: RandomSeries, _ random: inout SeededRandom
  ) throws -> String? {
    let text = series.text
    let before = Happening.all(in: text, before: series.horizonKey)
    guard before == series.happenings() else { return "the model itself is wrong" }
    guard let chosen = random.pick(series.visible) else { return nil }
    let (edit, change) = series.randomEdit(at: chosen, &random)
    let trial = SpanTrial(series: series, text: text, chosen: chosen, edit: edit, change: change)
    switch random.below(7) {
    case 0: return try trial.editThis()
    case 1: return try trial.deleteThis()
    case 2: return try trial.deleteFuture()
    case 3: return try trial.editAll()
    default: return try trial.editFuture()
    }
  }
}

extension RandomSeries {
  /// The key of the horizon.
  var horizonKey: Int { horizon == Int.max ? Int.max : key(horizon) }

  /// Wall times of occurrences that are not deleted and not so late that the horizon is near.
  var visible: [Int] {
    let excluded = Set(exclusions.map(key))
    return walls.filter { !excluded.contains(key($0)) }
  }

  /// Nothing behind the horizon is an instant in front of it.
  func isPlainAtHorizon(movedBy shift: Int, last: Int?) -> Bool {
    guard horizon != Int.max else { return true }
    let end = key(horizon + shift)
    return home.walls(ofKey: end).count == 1 && last.map { key($0 + shift) < end } ?? true
  }

  /// Its wall times are instants in the same order, as around most gaps they are not.
  var isPlain: Bool {
    zip(walls, walls.dropFirst()).allSatisfy { key($0) < key($1) }
      && isPlainAtHorizon(movedBy: 0, last: walls.last)
  }

  /// An edit as a person would make it on an occurrence, and what it means.
  func randomEdit(
    at chosen: Int, _ random: inout SeededRandom
  ) -> (EventEdit, ExpectedChange) {
    var edit = EventEdit()
    var change = ExpectedChange()
    if random.oneIn(2) {
      change.summary = "Changed"
      edit.setText("SUMMARY", to: "Changed")
    }
    if random.oneIn(3) {
      let new = start.isDate ? 3 * 86_400 : 4500
      change.length = new
      edit.duration =
        start.isDate
        ? CivilDuration(days: 3, seconds: 0) : CivilDuration(days: 0, seconds: 4500)
    }
    if random.oneIn(2) || edit.isEmpty {
      let days = mayChangeDay ? random.one(of: [0, 0, 1, -1, 3, 7, -10]) : 0
      let seconds = start.isDate ? 0 : random.one(of: [0, 1800, 3600, -3600, 8100])
      let crosses = ![chosen, startWall].allSatisfy {
        (0..<86_400).contains((($0 % 86_400) + 86_400) % 86_400 + seconds)
      }
      change.shift = crosses && !mayChangeDay ? 0 : days * 86_400 + seconds
      edit.start = CivilDateTime(secondsSince1970: chosen + change.shift).map {
        .exactly(start.with($0))
      }
    }
    return (edit, change)
  }
}
