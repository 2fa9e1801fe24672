import ICalendar

/// A series that is at another time than it was: what names one of its occurrences moved with the
/// start, and stands for the one that it stood for.
struct SeriesMove {
  /// In seconds on the wall of the series: from or to whole days by the midnight that those begin
  /// at, to another zone perhaps by nothing.
  let shift: Int
  private let before: ItemTimes
  private let after: ItemTimes

  /// Nil where it did not move, or where one of the versions has no series with a start.
  init?(from before: ItemParts, to after: ItemParts) {
    guard let main = after.main,
      let old = before[main].flatMap({ Self.start($0) }),
      let new = after[main].flatMap({ Self.start($0) }),
      old.civil != new.civil || before.times.moment(old) != after.times.moment(new)
    else { return nil }
    shift = Self.shift(old, new)
    self.before = before.times
    self.after = after.times
  }

  /// A component moved just as the series did.
  func isWith(_ old: Component, _ new: Component) -> Bool {
    guard let old = Self.start(old), let new = Self.start(new) else { return false }
    return Self.shift(old, new) == shift
  }

  private static func start(_ component: Component) -> DateTime? {
    ItemTimes.start(of: component).flatMap { ItemTimes.time($0) }
  }

  private static func shift(_ old: DateTime, _ new: DateTime) -> Int {
    new.civil.secondsSince1970 - old.civil.secondsSince1970
  }

  /// For moments that name occurrences now, and did not before: those that named them then.
  ///
  /// In a daily series that was moved by a day, one is where that of the next day was, and so on to
  /// the first, which is where none is any more: the ones in between are given, too.
  func former(of now: [Moment], among was: [Moment]) -> [Moment: Moment] {
    let (known, there) = (Set(was), Set(now))
    let new = now.filter { !known.contains($0) }
    if new.isEmpty { return [:] }
    var old: [Int: Moment] = [:]
    for moment in was {
      if let wall = before.wall(of: moment) { old[wall.secondsSince1970 + shift] = moment }
    }
    var links: [Moment: Moment] = [:]
    var reached: Set<Moment> = []
    for moment in new {
      var chain: [Moment: Moment] = [:]
      var later = moment
      while chain[later] == nil, let wall = after.wall(of: later),
        let former = old[wall.secondsSince1970]
      {
        chain[later] = former
        later = former
        if there.contains(former) { continue }
        if reached.insert(former).inserted { links.merge(chain) { one, _ in one } }
        break
      }
    }
    return links
  }
}

/// The overrides of a series that is at another time than it was: each stands for the occurrence
/// that it stood for, by a RECURRENCE-ID that moved with the start.
struct MovedOverrides {
  /// The keys before, by those after.
  private var keys: [PartKey: PartKey] = [:]

  init(from before: ItemParts, to after: ItemParts) {
    guard let move = SeriesMove(from: before, to: after) else { return }
    for isThisAndFuture in [false, true] {
      func moments(_ parts: ItemParts) -> [Moment] {
        parts.overrides.filter { $0.isThisAndFuture == isThisAndFuture }.compactMap(\.occurrence)
      }
      let former = move.former(of: moments(after), among: moments(before))
      for key in after.overrides where key.isThisAndFuture == isThisAndFuture {
        guard let moment = key.occurrence.flatMap({ former[$0] }) else { continue }
        let twin = PartKey(
          kind: key.kind, name: key.name, occurrence: moment, isThisAndFuture: isThisAndFuture)
        if before[twin] != nil { keys[key] = twin }
      }
    }
  }

  var formerKeys: Set<PartKey> { Set(keys.values) }

  func former(_ key: PartKey) -> PartKey? { keys[key] }
}
