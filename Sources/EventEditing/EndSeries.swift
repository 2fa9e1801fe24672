import ICalendar
import Recurrence

extension Series {
  /// Lets the series end before an occurrence: a rule with COUNT keeps as many as come before, any
  /// other gets UNTIL; EXDATEs, RDATEs and overrides from there on go.
  /// - Parameter sibling: The UID of the series that goes on.
  mutating func endSeries(
    _ main: Member, before key: Int, now: UTCDateTime, sibling: [UInt8]? = nil
  ) throws(EditError) {
    let revision = Revision(of: main.id, in: tree)
    let lines = tree[main.id]?.lines(named: "RRULE").map(\.id) ?? []
    for (rule, line) in zip(main.schedule.rules, lines) {
      guard var property = tree[line]?.property else { throw .brokenText }
      var text = RuleText(property.value)
      text.change(from: rule, to: try ended(rule, before: key))
      guard text.value != property.value else { continue }
      property.value = text.value
      let changed = property
      try editing { () throws(EditRefusal) in try tree.replace(line, with: changed) }
    }
    try startEarlier(main, before: key)
    let (set, day) = (set, set.home.map { startOfDay($0.wall(ofKey: key)) } ?? key)
    let isDate = set.home?.isDate ?? false
    try tree.filterTimes("EXDATE", in: main.id) { addition in
      if addition.start.isDate, !isDate { return addition.start.wall <= day }
      return set.key(of: addition.start).map { $0 < key } ?? true
    }
    try tree.filterTimes("RDATE", in: main.id) { addition in
      set.key(of: addition.start).map { $0 < key } ?? true
    }
    try removeOverrides { $0 >= key }
    if let sibling { try tree.relate(main.id, to: sibling) }
    try revision.finish(in: &tree, now: now)
  }

  /// Where DTSTART itself is not before the end, as with an RDATE in front of it, the first that is
  /// becomes the start, and no rule has any part in the series.
  private mutating func startEarlier(_ main: Member, before key: Int) throws(EditError) {
    guard let start = main.schedule.effectiveStart, let startKey = set.key(of: start),
      startKey >= key, let first = set.firstKey(in: Int.min...(key - 1))
    else { return }
    let times = OwnTimes(main.schedule)
    let moved = try times.at(try time(ofKey: first), clock: clock)
    try tree.write(moved, insteadOf: times, in: main.id)
    for name in ["RRULE", "EXRULE"] { try tree.removeAll(name, in: main.id) }
    let set = set
    try tree.filterTimes("RDATE", in: main.id) { addition in
      if case .start(let time) = addition { set.key(of: time) != first } else { true }
    }
  }

  private func ended(
    _ rule: RecurrenceRule, before key: Int
  ) throws(EditError) -> RecurrenceRule {
    guard let home = set.home, let start = main?.schedule.effectiveStart else { return rule }
    var rule = rule
    if let count = rule.count {
      // Of two wall times with this key, as around a gap, neither belongs to the first part.
      let wall = home.walls(ofKey: key).first ?? home.wall(ofKey: key)
      guard let civil = CivilDateTime(secondsSince1970: wall),
        let kept = RuleExpansion.counted(of: rule, start: start, before: civil)
      else { throw .outOfRange }
      rule.count = min(count, max(1, kept))
      return rule
    }
    if let until = lastKey(of: rule), until < key { return rule }
    let last = key - (home.isDate ? 86_400 : 1)
    guard let civil = CivilDateTime(secondsSince1970: last) else { throw .outOfRange }
    rule.until =
      home.isDate ? .date(civil.date) : home.zone == nil ? .floating(civil) : .utc(civil)
    return rule
  }

  /// The last key that UNTIL allows.
  func lastKey(of rule: RecurrenceRule) -> Int? {
    guard let until = rule.until, let home = set.home else { return nil }
    if case .utc(let civil) = until { return civil.secondsSince1970 }
    return home.key(ofWall: until.wall)
  }

  func startOfDay(_ wall: Int) -> Int { Gregorian.floorDivide(wall, 86_400) * 86_400 }
}

extension SyntaxTree {
  /// Joins a component to another item that is a part of the same series (RFC 5545 §3.8.4.5).
  mutating func relate(_ component: Component.ID, to uid: [UInt8]) throws(EditError) {
    let property = Property(
      name: Array("RELATED-TO".utf8), parameters: [Parameter("RELTYPE", text: "SIBLING")],
      value: TextValue(bytes: uid).escaped)
    let isThere = self[component]?.lines(named: "RELATED-TO").contains {
      TextValue(escaped: $0.value).bytes == uid
    }
    guard isThere != true else { return }
    let place = self[component]?.lines(named: "RELATED-TO").last?.id
    try editing { () throws(EditRefusal) in
      try insert(property, in: component, after: place)
    }
  }
}
