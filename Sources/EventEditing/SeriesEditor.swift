import ICalendar
import Recurrence

/// Carries out an edit of a whole item: of a single event, of all occurrences of a series, or of
/// the series that a split made.
struct SeriesEditor {
  /// Its tree changes; its schedules are those before the edit.
  var series: Series
  let edit: EventEdit
  /// Nil where no revision is to be marked.
  let now: UTCDateTime?
  var notes: [EditNote] = []
  /// The occurrence that new times are given for; nil for the start of the series.
  let named: Int?
  /// The override of the one occurrence that the edit leaves, since it takes the rule away.
  var left: Component.ID?

  init(_ series: Series, _ edit: EventEdit, now: UTCDateTime?, named: Int? = nil) {
    self.series = series
    self.edit = edit
    self.now = now
    // Without a rule the first occurrence is what is left, so that the edit is made on it.
    let first = series.main?.schedule.effectiveStart.flatMap(series.set.key(of:))
    self.named = named ?? (edit.recurrence == .removed ? first : nil)
  }

  /// Changes the main component, and what of the overrides, EXDATEs and RDATEs follows it.
  mutating func run() throws(EditError) {
    let revisions = series.members.map { Revision(of: $0.id, in: series.tree) }
    let texts = series.members.map { PropertyTexts(of: $0.id, edit.properties, in: series.tree) }
    if let main = series.main {
      try changeTimes(of: main)
      try changeRule(of: main)
    } else {
      try moveOverridesAlone()
    }
    try changeProperties(texts)
    if edit.recurrence != nil { try dropWhatIsNotGiven() }
    try series.addZones(of: series.members.map(\.id))
    guard let now else { return }
    let setByHand = Set(edit.properties.map(\.name))
    for (member, revision) in zip(series.members, revisions)
    where series.tree[member.id] != nil {
      try revision.finish(
        in: &series.tree, now: now, setByHand: isMain(member) ? setByHand : [])
    }
  }

  /// The item's text after `run`.
  mutating func text() throws(EditError) -> [UInt8] {
    if let main = series.main { _ = try foldIntoOne(main.id) }
    return series.tree.bytes
  }

  func isMain(_ member: Series.Member) -> Bool { member.id == series.main?.id }

  /// The member is the override of the occurrence that the edit is made on.
  func isNamed(_ member: Series.Member) -> Bool {
    guard let named, let id = member.schedule.recurrenceID else { return false }
    return series.set.key(of: id) == named
  }

  private var changesLength: Bool {
    edit.end != nil || edit.duration != nil || edit.removesEnd
  }

  /// Changes the times of the main component, and lets the series follow.
  private mutating func changeTimes(of main: Series.Member) throws(EditError) {
    guard edit.changesTimes else { return }
    let clock = series.clock
    let old = OwnTimes(main.schedule)
    let isOne = leavesOne(of: main)
    var new: OwnTimes
    if let named, let start = old.effectiveStart, named != series.set.key(of: start) {
      // The edit is made on a later occurrence; the start of the series moves as far.
      let reference = try old.at(series.time(ofKey: named), clock: clock)
      let moved = try reference.edited(edit, clock: clock)
      noteFirstOfTwo(moved)
      new = try old.moved(like: reference, to: moved, clock: clock)
    } else {
      new = try old.edited(edit, clock: clock, isOne: isOne)
      if !isOne { noteFirstOfTwo(new) }
    }
    if let from = old.effectiveStart, let to = new.effectiveStart, from != to {
      try moveSeries(main, from: from, to: to)
    }
    try series.tree.write(new, insteadOf: old, in: main.id)
    guard changesLength else { return try changeNamedOverrides() }
    try changeLengths(from: old, to: new)
  }

  /// After the edit there is one occurrence.
  private func leavesOne(of main: Series.Member) -> Bool {
    switch edit.recurrence {
    case nil: !series.recurs
    case .removed: main.schedule.additions.isEmpty
    case .rule: false
    }
  }

  private mutating func noteFirstOfTwo(_ new: OwnTimes) {
    let given = edit.start ?? (new.isDueAlone ? edit.end : nil)
    notes += [series.clock.note(ofStart: new.effectiveStart, given: given)].compactMap { $0 }
  }

  private mutating func changeNamedOverrides() throws(EditError) {
    for member in series.overrides where isNamed(member) {
      let old = OwnTimes(member.schedule)
      let new = try old.edited(edit, clock: series.clock, isOne: true, home: series.zoneForm)
      try series.tree.write(new, insteadOf: old, in: member.id)
    }
  }

  /// An override that lasted as long as the series does so still; another keeps its length.
  private mutating func changeLengths(from old: OwnTimes, to new: OwnTimes) throws(EditError) {
    try changeNamedOverrides()
    let clock = series.clock
    let (oldLength, newLength) = (OwnLength(old, clock: clock), OwnLength(new, clock: clock))
    for member in series.overrides where !isNamed(member) {
      let times = OwnTimes(series.schedule(of: member.id) ?? member.schedule)
      guard oldLength == OwnLength(OwnTimes(member.schedule), clock: clock), let newLength,
        let start = times.start, start.isDate == new.start?.isDate
      else {
        if let id = member.schedule.recurrenceID, let key = series.set.key(of: id) {
          notes.append(.overrideKept(series.name(ofKey: key), property: "end"))
        }
        continue
      }
      var changed = times
      if case .duration = times.ending, case .duration = new.ending {
        changed.ending = new.ending
      } else {
        changed.ending = .end(
          try newLength.end(from: start, in: times.endForm(for: start), clock: clock))
      }
      try series.tree.write(changed, insteadOf: times, in: member.id)
    }
  }

  /// Overrides without a main component move by as much as the first, or the named one.
  private mutating func moveOverridesAlone() throws(EditError) {
    guard edit.changesTimes else { return }
    let members = series.overrides.filter { $0.schedule.effectiveStart != nil }
    guard let first = members.first(where: isNamed) ?? members.first else { return }
    let clock = series.clock
    let home = OwnTimes(first.schedule).isInUTC ? series.zoneForm : nil
    let old = try OwnTimes(first.schedule).shown(in: home, clock: clock)
    let new = try old.edited(edit, clock: clock, isOne: true)
    for member in members {
      let times = OwnTimes(member.schedule)
      let own = try times.shown(in: home, clock: clock)
      var moved = try own.moved(like: old, to: new, clock: clock)
      if changesLength, OwnLength(own, clock: clock) != OwnLength(old, clock: clock) {
        moved.ending = try own.moved(like: old, to: new, keepingLength: true, clock: clock).ending
      }
      try series.tree.write(moved, insteadOf: times, in: member.id)
    }
  }
}

extension EventEdit {
  /// Some time is given, or a zone.
  var changesTimes: Bool {
    start != nil || end != nil || duration != nil || removesEnd || form != nil
  }
}
