public import ICalendar
import Recurrence

/// Says in words what changed from one version of an item to another, property by property.
///
/// What does not count as content, or only says that somebody has touched the item (SEQUENCE,
/// LAST-MODIFIED, DTSTAMP, CREATED, PRODID), is left out. Overrides are matched by the moment that
/// they stand for; a new one is compared with the series. An empty list: nothing to tell.
public func describeChange(
  from old: SyntaxTree, to new: SyntaxTree, zones: ItemZones = .ownDefinitions
) -> [PropertyDifference] {
  let context = TimeContext(zones, [old, new])
  guard let before = ItemParts(old, context), let after = ItemParts(new, context) else {
    if zones.isSameContent(old, new) { return [] }
    return [
      PropertyDifference(
        component: "VCALENDAR", property: "", before: nil, after: nil,
        words: "changed; one of the versions cannot be read as one item")
    ]
  }
  var description = ChangeDescription(before: before, after: after)
  description.describe()
  description.compareZones(zones, old: old, new: new)
  return description.differences
}

/// Collects the differences of two versions.
struct ChangeDescription {
  let before: ItemParts
  let after: ItemParts
  var differences: [PropertyDifference] = []
  /// The occurrences that are said to be cancelled.
  var cancelled: [ListedDate] = []
  /// What is compared just now.
  private var component = ""
  private(set) var occurrence: String?
  /// Nil where the series is when it was.
  let move: SeriesMove?
  /// Of overrides that moved with their series: where they were.
  private let moved: MovedOverrides

  init(before: ItemParts, after: ItemParts) {
    self.before = before
    self.after = after
    move = SeriesMove(from: before, to: after)
    moved = MovedOverrides(from: before, to: after)
  }

  mutating func describe() {
    if let (old, new) = newKind {
      component = String(decoding: new.kind, as: UTF8.self)
      let (was, isNow) = (Self.words(ofKind: old.kind), Self.words(ofKind: new.kind))
      note("", was, isNow, "\(was) → \(isNow)")
    } else {
      describeParts()
    }
    component = "VCALENDAR"
    occurrence = nil
    compareLines(before.calendar, after.calendar)
    compareChildren(before.calendar, after.calendar) {
      $0.isNamed("VTIMEZONE") || ItemParts.isPart($0)
    }
  }

  private mutating func describeParts() {
    for key in after.partKeys where !key.isOverride { describe(key) }
    for key in before.partKeys where !key.isOverride && after[key] == nil { describe(key) }
    let former = moved.formerKeys
    let gone = before.overrides.filter { after[$0] == nil && !former.contains($0) }
    for key in (after.overrides + gone).sorted(by: Self.isEarlier) {
      describe(key)
    }
  }

  /// What the item is, where that is of another kind than it was: nothing in it can be compared.
  private var newKind: (old: PartKey, new: PartKey)? {
    guard let old = before.main, let new = after.main, old.name == new.name, old.kind != new.kind
    else { return nil }
    return (old, new)
  }

  private static func words(ofKind kind: [UInt8]) -> String {
    switch String(decoding: kind, as: UTF8.self) {
    case "VEVENT": "an event"
    case "VTODO": "a task"
    case "VJOURNAL": "a note"
    case let other: other
    }
  }

  private static func isEarlier(_ left: PartKey, _ right: PartKey) -> Bool {
    rank(left.occurrence) < rank(right.occurrence)
  }

  /// A number to sort moments by; those of one item are mostly of one kind.
  private static func rank(_ moment: Moment?) -> Int {
    switch moment {
    case .instant(let seconds), .wall(let seconds), .unknown(_, let seconds): seconds
    case .day(let day): day * 86_400
    case .text, nil: Int.max
    }
  }

  private mutating func describe(_ key: PartKey) {
    component = String(decoding: key.kind, as: UTF8.self)
    let words = (after[key] == nil ? before : after).words(for: key)
    occurrence = key.isOverride ? words ?? "an unreadable date" : nil
    let former = moved.former(key) ?? key
    switch (before[former], after[key]) {
    case (let old?, let new?):
      compare(old, new, isMoved: former != key && move?.isWith(old, new) ?? false)
    case (nil, let new?): key.isOverride ? describeNew(new, key) : noteWhole(nil, "added")
    case (_?, nil) where !key.isOverride: noteWhole(nil, "removed")
    case (_?, nil):
      if !isCancelled(key) { noteWhole("changed by itself", "is like the others again") }
    case (nil, nil): break
    }
  }

  /// An occurrence that was one of its own is said to be cancelled.
  private func isCancelled(_ key: PartKey) -> Bool {
    guard !key.isThisAndFuture, let moment = key.occurrence else { return false }
    let wall = before.times.wall(of: moment).map { $0.secondsSince1970 + (move?.shift ?? 0) }
    return cancelled.contains { $0.moment == moment || wall.map($0.names) ?? false }
  }

  /// What makes a new override differ from the series.
  private mutating func describeNew(_ new: Component, _ key: PartKey) {
    let series = after.main == nil ? before : after
    let main = series.main.flatMap { series[$0] }
    let was = series.occurrence(key, named: new)
    let count = differences.count
    if let start = new.line(named: "DTSTART").flatMap({ ItemTimes.time($0) }),
      let time = new.line(named: "RECURRENCE-ID").flatMap({ ItemTimes.time($0) }),
      after.times.moment(start) != after.times.occurrence(time)
    {
      let place = Clock(time, start)
      note("DTSTART", place.before, place.after, "moved to \(Clock.full(start))")
      if let was { compareLength(was, new) }
    } else if let was {
      compareEnd(was, new)
    }
    if let main { compare(main, new, isNewOverride: true) }
    if differences.count > count { return }
    let isAsBefore = was.map { !MergeDraft.differsBeyondNoise($0, new) } ?? false
    noteWhole(nil, isAsBefore ? "written out, as the series has it" : "changed by itself")
  }

  private mutating func noteWhole(_ before: String?, _ words: String) {
    let subject = occurrence == nil ? "\(component) " : ""
    note("", before, nil, subject + words)
  }

  /// - Parameter isMoved: as far as its series is.
  private mutating func compare(
    _ old: Component, _ new: Component, isNewOverride: Bool = false, isMoved: Bool = false
  ) {
    if isMoved { compareLength(old, new) } else if !isNewOverride { compareSchedule(old, new) }
    compareLines(old, new)
    compareChildren(old, new)
  }

  /// Adds a difference of what is compared just now.
  mutating func note(
    _ property: String, _ before: String?, _ after: String?, _ words: String,
    _ unsaid: PropertyDifference.Unsaid = .nothing
  ) {
    var sentence = words
    if let occurrence {
      let isVerb = property.isEmpty || words.hasPrefix("moved to")
      sentence = "occurrence of \(occurrence)\(isVerb ? "" : ":") \(words)"
    }
    differences.append(
      PropertyDifference(
        component: component, occurrence: occurrence, property: property, before: before,
        after: after, words: sentence, unsaid: unsaid))
  }

  /// Tells of the definitions of time zones; of those that say what tzdata says only where the
  /// other version has one that does not.
  mutating func compareZones(_ zones: ItemZones, old: SyntaxTree, new: SyntaxTree) {
    let (before, after) = (ZonesOfText(old, zones), ZonesOfText(new, zones))
    for name in Set(before.counting.keys).union(after.counting.keys).sorted()
    where before.counting[name] != after.counting[name] {
      let (was, isNow) = (before.names.contains(name), after.names.contains(name))
      let what = !was ? "added" : !isNow ? "removed" : "changed"
      note(
        "VTIMEZONE", was ? name : nil, isNow ? name : nil,
        "definition of the time zone \(name) \(what)")
    }
  }
}

/// The definitions of time zones in a text, by their names.
private struct ZonesOfText {
  var names: Set<String> = []
  /// Those that say something else than tzdata, as canonical forms.
  var counting: [String: [UInt8]] = [:]

  init(_ tree: SyntaxTree, _ zones: ItemZones) {
    let redundant = Set(zones.redundant.all(in: tree).map(\.id))
    for zone in tree.calendars.flatMap(\.components) where zone.isNamed("VTIMEZONE") {
      let name = zone.line(named: "TZID").map { TextValue(escaped: $0.value).text } ?? ""
      names.insert(name)
      if !redundant.contains(zone.id) { counting[name] = canonicalForm(of: zone) }
    }
  }
}
