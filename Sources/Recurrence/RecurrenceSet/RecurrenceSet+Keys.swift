package import ICalendar

/// The set by keys, for those who edit it: a key names an occurrence by the start that the rule
/// gives it, and keys of one set can be compared (`Home`).
extension RecurrenceSet {
  /// Where the keys are at home: with the main component, or without one with the first
  /// RECURRENCE-ID. Nil where nothing has a place in time.
  package var home: Home? { idHome }

  /// The key that a RECURRENCE-ID, EXDATE or RDATE of that time names.
  package func key(of time: DateTime) -> Int? { main?.key(of: time) ?? idHome?.key(of: time) }

  /// DTSTART, a rule or RDATE gives the key, and nothing leaves it out.
  package func gives(_ key: Int) -> Bool { firstKey(in: key...key) == key }

  /// The first key of a range; nil if it has none.
  package func firstKey(in range: ClosedRange<Int>) -> Int? {
    keys(in: range, limit: 1).first
  }

  /// The first keys of a range, ascending.
  package func keys(in range: ClosedRange<Int>, limit: Int) -> [Int] {
    guard let main else { return [] }
    let held =
      Swift.max(
        range.lowerBound, CivilDateTime.firstSecond)...Swift.max(
        Swift.min(range.upperBound, CivilDateTime.lastSecond), CivilDateTime.firstSecond)
    var stream = StartStream(main, window: held)
    var keys: [Int] = []
    while keys.count < limit, let key = stream.next()?.key, key <= range.upperBound {
      if key >= range.lowerBound { keys.append(key) }
    }
    return keys
  }

  /// The end of an RDATE's own period that starts at a key.
  package func ownExtent(of key: Int) -> Extent? {
    main?.listed.first { $0.key == key }?.extent
  }

  /// EXDATE leaves the key out.
  package func isExcluded(_ key: Int) -> Bool {
    main.map { $0.exclusions.contain(key, home: $0.home) } ?? false
  }

  /// The override in effect for a key, by its index.
  package func override(of key: Int) -> Int? {
    overrides.first { $0.id == key }?.index
  }

  /// The override that holds at a key since an earlier one, by its index, with its key (RFC 5545
  /// §3.2.13, THISANDFUTURE).
  package func range(at key: Int) -> (index: Int, key: Int)? {
    overrides.last { $0.isThisAndFuture && $0.id < key }.map { ($0.index, $0.id) }
  }

  /// The keys of those overrides whose own start is at an instant.
  package func keys(ofOverridesAt instant: Int) -> [Int] {
    overrides.filter {
      let wall = $0.home.wall(ofKey: $0.start)
      return ($0.home.zone == nil ? $0.home.placement.instant(of: wall) : $0.start) == instant
    }.map(\.id)
  }
}
