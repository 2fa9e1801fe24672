import ICalendar
import Recurrence

/// The overrides of a series that is at another time than it was: each stands for the occurrence
/// that it stood for, by a RECURRENCE-ID that moved with the start.
struct MovedOverrides {
  /// In seconds on the wall of the series.
  private var shift = 0
  /// The keys before, by those after.
  private var keys: [PartKey: PartKey] = [:]

  init(from before: ItemParts, to after: ItemParts) {
    guard let main = after.main, let old = before[main], let new = after[main],
      let shift = Self.shift(old, new), shift != 0
    else { return }
    self.shift = shift
    func wall(_ key: PartKey, _ parts: ItemParts) -> Int? {
      key.occurrence.flatMap { parts.times.wall(of: $0) }?.secondsSince1970
    }
    var left: [Int: PartKey] = [:]
    for key in before.overrides where after[key] == nil {
      if let wall = wall(key, before) { left[wall + shift] = key }
    }
    for key in after.overrides where before[key] == nil {
      guard let former = wall(key, after).flatMap({ left[$0] }),
        former.isThisAndFuture == key.isThisAndFuture
      else { continue }
      keys[key] = former
    }
  }

  var formerKeys: Set<PartKey> { Set(keys.values) }

  func former(_ key: PartKey) -> PartKey? { keys[key] }

  /// An override moved just as its series did.
  func isWith(_ old: Component, _ new: Component) -> Bool { Self.shift(old, new) == shift }

  private static func shift(_ old: Component, _ new: Component) -> Int? {
    let starts = [old, new].compactMap { ItemTimes.start(of: $0).flatMap { ItemTimes.time($0) } }
    guard starts.count == 2, starts[0].isDate == starts[1].isDate else { return nil }
    return starts[1].civil.secondsSince1970 - starts[0].civil.secondsSince1970
  }
}
