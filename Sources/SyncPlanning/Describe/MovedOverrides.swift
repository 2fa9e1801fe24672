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
    let new = after.overrides.filter { before[$0] == nil }
    guard !new.isEmpty, let main = after.main, let was = before[main], let now = after[main],
      let shift = Self.shift(was, now)
    else { return }
    self.shift = shift
    func wall(_ key: PartKey, _ parts: ItemParts) -> Int? {
      key.occurrence.flatMap { parts.times.wall(of: $0) }?.secondsSince1970
    }
    var old: [Int: PartKey] = [:]
    for key in before.overrides {
      if let wall = wall(key, before) { old[wall + shift] = key }
    }
    for key in new {
      // In a daily series that was moved by a day, one is where that of the next day was, and so on
      // to the first, which is where none is any more.
      var links: [PartKey: PartKey] = [:]
      var later = key
      while links[later] == nil, let former = wall(later, after).flatMap({ old[$0] }),
        former.isThisAndFuture == later.isThisAndFuture
      {
        links[later] = former
        later = former
        guard after[former] == nil else { continue }
        keys.merge(links) { known, _ in known }
        break
      }
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
