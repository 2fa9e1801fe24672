import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// What a run that nobody disturbed made of items that one side or both had changed, by an account
/// of their properties that shares no code with the merge.
extension CleanRun {
  func checkMerges(_ report: CollectionReport, _ now: CleanRun, _ world: World) {
    guard world.story.direction == .both else { return }
    let troubles = report.problems.filter { $0.problem.code != .unguarded }
    guard troubles.allSatisfy({ $0.item.uid != nil }) else { return }
    let left = Set(troubles.compactMap { $0.item.uid }).union(open).union(displaced)
    let conflicts = Set(report.conflicts.compactMap { $0.item.uid })
    for uid in agreements.keys.sorted() where !left.contains(uid) && !world.isUnnoticed(uid.text) {
      guard isTouched(uid, but: conflicts), let meeting = Meeting(uid, self, now, world) else {
        continue
      }
      meeting.check(isConflict: conflicts.contains(uid), world)
    }
  }
}

extension CleanRun {
  /// Mostly at least one side is as it was, and then there is nothing to merge.
  private func isTouched(_ uid: ItemID, but conflicts: Set<ItemID>) -> Bool {
    if conflicts.contains(uid) { return true }
    return Side.allCases.allSatisfy { side in
      let now = (side == .local ? local : remote)[uid.text]?.values.first
      return now != agreements[uid].flatMap { texts[$0[side].version.digest]?.bytes }
    }
  }
}

/// An item that both sides have: before the run, as they agreed on it, and after.
private struct Meeting {
  let name: String
  let base: [Side: ItemFacts]
  let before: [Side: ItemFacts]
  let after: [Side: ItemFacts]
  /// The sides on which only times and counters are new.
  let touched: Set<Side>
  /// What the server would make of what was there before.
  let onServer: [Side: ItemFacts]
  /// The folder has what it had, but for an alarm that the server adds.
  let hasServersAlarmAtMost: Bool
  /// When each side was changed before the run, where the policy asks for that.
  let edited: [Side: Int64]

  init?(_ uid: ItemID, _ then: CleanRun, _ now: CleanRun, _ world: World) {
    guard let agreement = then.agreements[uid],
      let baseHere = then.texts[agreement.local.version.digest]?.bytes,
      let baseThere = then.texts[agreement.remote.version.digest]?.bytes,
      let here = Self.only(then.local[uid.text]), let there = Self.only(then.remote[uid.text]),
      let hereNow = Self.only(now.local[uid.text]), let thereNow = Self.only(now.remote[uid.text])
    else { return nil }
    // An override that is a resource of its own, and whose series was deleted there; what is made
    // anew there lacks those that the server took away.
    if world.server.switches.splitsOverrides,
      there.holds("RECURRENCE-ID") || world.story.deletesOnServer
    {
      return nil
    }
    // What nobody named as changed was not there for the merge.
    if world.isUnnoticed(uid.text) { return nil }
    name = uid.text
    base = [.local: ItemFacts(baseHere), .remote: ItemFacts(baseThere)]
    before = [.local: ItemFacts(here), .remote: ItemFacts(there)]
    after = [.local: ItemFacts(hereNow), .remote: ItemFacts(thereNow)]
    let news = [(Side.local, here, baseHere), (.remote, there, baseThere)]
    touched = Set(news.filter { ItemText.isTouch($0.1, of: $0.2) }.map(\.0))
    onServer = [
      .local: ItemFacts(world.server.rewritten(ItemText.wire(here))),
      .remote: ItemFacts(world.server.rewritten(ItemText.wire(there))),
    ]
    let withoutAlarm = [here, hereNow].map { ItemFacts($0, serversAlarm: true) }
    hasServersAlarmAtMost = withoutAlarm[0] == withoutAlarm[1]
    var edited: [Side: Int64] = [:]
    for (side, found) in [(Side.local, then.local[uid.text]), (.remote, then.remote[uid.text])] {
      guard let name = found?.keys.first else { continue }
      edited[side] = then.times[side]?[name]
    }
    self.edited = edited
  }

  private static func only(_ found: [String: [UInt8]]?) -> [UInt8]? {
    found?.count == 1 ? found?.values.first : nil
  }

  func check(isConflict: Bool, _ world: World) {
    guard let here = before[.local], let there = before[.remote], let baseHere = base[.local],
      let baseThere = base[.remote]
    else { return }
    let (mine, theirs) = (here.changes(since: baseHere), there.changes(since: baseThere))
    if mine.isEmpty || theirs.isEmpty {
      if isConflict, here != there {
        world.violate("Merge", "\(name) is a conflict, and one side alone edited it")
      } else {
        checkBesideTouch(mine, theirs, world)
      }
      return
    }
    if here == there { return }
    if isConflict || world.story.policy == .ask {
      if !isConflict { world.violate("Merge", "\(name) was settled, and nobody was asked") }
      if before != after { world.violate("Merge", "\(name) is a conflict, and was changed") }
    }
    switch world.story.policy {
    case .merge: checkMerge(mine, theirs, isConflict: isConflict, world)
    case .local
    where after[.local] != here && !isCut(to: onServer[.local], world)
      && !takesServersAlarm(world):
      world.violate("Merge", "\(name) has another text here than policy local says")
    case .remote where after[.remote] != there:
      world.violate("Merge", "\(name) has another text there than policy remote says")
    case .newest: checkNewest(here, there, world)
    case .local, .remote, .ask: break
    }
  }

  /// One version holds as a whole: the one that was edited last, where that is beyond doubt.
  private func checkNewest(_ here: ItemFacts, _ there: ItemFacts, _ world: World) {
    guard [here, there].contains(after[.local]) else {
      if !onServer.values.contains(where: { isCut(to: $0, world) }), !takesServersAlarm(world) {
        world.violate("Merge", "\(name) is neither of the two whole versions here")
      }
      return
    }
    guard let later = world.laterSide(of: name, edited) else { return }
    if after[.local] != (later == .local ? here : there) {
      world.violate("Merge", "\(name) was edited last on the \(later.rawValue) side, and lost that")
    }
  }

  /// An edit is on both sides, whatever the policy, where the other one was only touched.
  private func checkBesideTouch(
    _ mine: Set<ItemFacts.Key>, _ theirs: Set<ItemFacts.Key>, _ world: World
  ) {
    let side: Side = theirs.isEmpty ? .local : .remote
    let edited = mine.union(theirs)
    guard !edited.isEmpty, touched.contains(side.opposite), !world.story.strikes("C4.19") else {
      return
    }
    world.note("C8.31")
    for key in edited.sorted() {
      if key.isSet {
        checkSet(key, world)
      } else {
        checkArrived(key, side, world)
      }
    }
  }

  /// Both sides have what one of them changed, the server in its own form.
  private func checkArrived(_ key: ItemFacts.Key, _ side: Side, _ world: World) {
    let wanted = before[side]?[key]
    let isThere = [wanted, onServer[side]?[key]].contains(after[.remote]?[key])
    if after[.local]?[key] != wanted || !isThere { tellLost(key, side, world) }
  }

  private func checkMerge(
    _ mine: Set<ItemFacts.Key>, _ theirs: Set<ItemFacts.Key>, isConflict: Bool, _ world: World
  ) {
    if !mine.union(theirs).allSatisfy(\.occurrence.isEmpty) { world.note("C8.27") }
    if isConflict {
      world.note("C8.26")
      if !(mine.contains(where: \.isSchedule) && theirs.contains(where: \.isSchedule)) {
        world.violate("Merge", "\(name) waits, and one side alone changed when it is")
      }
      return
    }
    world.note(mine.isDisjoint(with: theirs) ? "C8.24" : "C8.25")
    for frame in ["DTSTART", "RRULE"].map({ ItemFacts.Key("", $0) })
    where mine.contains(frame) && theirs.contains(frame) {
      if before[.local]?[frame] != before[.remote]?[frame] {
        world.violate("Merge", "\(name) has two times, and nobody was asked")
      }
    }
    for (own, other, side) in [(mine, theirs, Side.local), (theirs, mine, .remote)] {
      for key in own.subtracting(other).sorted() where isKept(key, against: other) {
        if other.contains(ItemFacts.Key("", key.name)), isAsSeries(key, side) { continue }
        checkArrived(key, side, world)
      }
    }
    for key in mine.union(theirs).sorted() where key.isSet {
      checkSet(key, world)
    }
    checkFirstOverrides(mine.union(theirs), world)
    checkFollows(.local, mine, theirs, world)
    checkFollows(.remote, theirs, mine, world)
  }

  // MARK: Overrides that were none when both agreed

  /// Such an override has a property of the series, as who makes one begins with.
  private func isAsSeries(_ key: ItemFacts.Key, _ side: Side) -> Bool {
    guard !key.occurrence.isEmpty,
      !Side.allCases.contains(where: { base[$0]?.occurrences.contains(key.occurrence) ?? true })
    else { return false }
    let own = key.name == "DTSTART" ? nil : base[side]?[ItemFacts.Key("", key.name)]
    let itsTime = ["DTSTART:" + (key.occurrence.split(separator: ":").last ?? "")]
    return before[side]?[key] == (key.name == "DTSTART" ? itsTime : own)
  }

  /// Where both sides made the first override of an occurrence, what one of them alone gave it is
  /// on both in the end.
  private func checkFirstOverrides(_ changed: Set<ItemFacts.Key>, _ world: World) {
    if isOfFrame(changed) || changed.contains(where: { $0.name == "EXDATE" }) { return }
    for key in changed.sorted() where ["SUMMARY", "DTSTART"].contains(key.name) {
      for side in Side.allCases where isAsSeries(key, side.opposite) && !isAsSeries(key, side) {
        guard let wanted = before[side]?[key] else { continue }
        let isThere = [wanted, onServer[side]?[key]].contains(after[.remote]?[key])
        if after[.local]?[key] != wanted || !isThere { tellLost(key, side, world) }
      }
    }
  }

  /// What one side alone changed of a series is in the overrides that the other side alone made
  /// meanwhile, where they have it as the series had it.
  private func checkFollows(
    _ side: Side, _ own: Set<ItemFacts.Key>, _ other: Set<ItemFacts.Key>, _ world: World
  ) {
    let (made, there) = (before[side]?.occurrences ?? [], before[side.opposite]?.occurrences ?? [])
    if isOfFrame(other) || own.union(other).contains(where: { $0.name == "EXDATE" }) { return }
    for occurrence in made.subtracting(there).sorted() {
      let time = ItemFacts.Key(occurrence, "DTSTART")
      let isMoved = !isAsSeries(time, side)
      for series in other.subtracting(own).sorted()
      where series.occurrence.isEmpty && !series.isSet && !(isMoved && series.name == "ATTENDEE") {
        let key = ItemFacts.Key(occurrence, series.name)
        guard isAsSeries(key, side) else { continue }
        let wanted = before[side.opposite]?[series]
        let isThere = [wanted, onServer[side.opposite]?[series]].contains(after[.remote]?[key])
        if after[.local]?[key] != wanted || !isThere { tellLost(series, side.opposite, world) }
      }
    }
  }

  private func isOfFrame(_ changed: Set<ItemFacts.Key>) -> Bool {
    changed.contains { $0.occurrence.isEmpty && ["DTSTART", "RRULE"].contains($0.name) }
  }

  private func tellLost(_ key: ItemFacts.Key, _ side: Side, _ world: World) {
    if hidesCuts(world), after[.local]?[key] == onServer[side]?[key] { return }
    world.violate(
      "Merge",
      "\(name) lost \(key.occurrence) \(key.name), which the \(side.rawValue) side changed")
  }

  /// Where the tag that a write got is not the one that a look gives, nobody can tell what the
  /// server cut off from an edit there: the folder has what the server made of it.
  private func hidesCuts(_ world: World) -> Bool {
    world.server.switches.truncatesAt != nil && !tellsOwnWrites(world)
  }

  /// The folder has what the server made of a version, but for what the server drops.
  private func isCut(to kept: ItemFacts?, _ world: World) -> Bool {
    guard hidesCuts(world), let here = after[.local], let kept else { return false }
    let switches = world.server.switches
    return here.changes(since: kept).allSatisfy { key in
      switches.dropsAttachments && key.name == "ATTACH"
        || switches.dropsExtensions && key.name.hasPrefix("X-")
    }
  }

  /// So it is where it drops an attachment, and what it adds beside comes to the folder.
  private func takesServersAlarm(_ world: World) -> Bool {
    let switches = world.server.switches
    return switches.dropsAttachments && switches.addsAlarm && !tellsOwnWrites(world)
      && hasServersAlarmAtMost
  }

  private func tellsOwnWrites(_ world: World) -> Bool {
    let switches = world.server.switches
    return !switches.tagChangesOnRead && switches.listsTags && switches.putTag != .wrong
  }

  /// What one side alone changed is kept; but not with an occurrence that the other one took away
  /// or put back, nor a part of what goes together.
  private func isKept(_ key: ItemFacts.Key, against others: Set<ItemFacts.Key>) -> Bool {
    if key.isSet { return false }
    if key.name == "EXDATE" { return !others.contains { !$0.occurrence.isEmpty } }
    if key.occurrence.isEmpty { return true }
    return !others.contains { $0.occurrence == key.occurrence || $0.name == "EXDATE" }
  }

  /// A set: what either side added is there in the end, on both.
  private func checkSet(_ key: ItemFacts.Key, _ world: World) {
    // Of an alarm that both put another one in the place of, one holds.
    let bothTookOne = Side.allCases.allSatisfy {
      !elements(key, base, $0).isSubset(of: elements(key, before, $0))
    }
    if key.name == "VALARM", bothTookOne { return }
    for side in Side.allCases where isKept(occurrence: key.occurrence) {
      var added = elements(key, before, side).subtracting(elements(key, base, side))
      // What a killed or refused run had carried over from the series is nobody's, and may be taken
      // off again; so it is with the series that somebody has taken it off meanwhile.
      if let own = base[side], !own.occurrences.contains(key.occurrence) {
        let ofSeries = ItemFacts.Key("", key.name)
        added.subtract(elements(ofSeries, before, side.opposite))
        added.subtract(elements(ofSeries, base, side.opposite))
        // An override begins with what the series has on its own side, as a server's own alarm.
        added.subtract(elements(ofSeries, base, side))
      }
      let isThere = Side.allCases.allSatisfy { added.isSubset(of: elements(key, after, $0)) }
      if !isThere { tellLost(key, side, world) }
    }
  }

  /// Both have it: of one that is gone on a side, nothing can be asked.
  private func isKept(occurrence: String) -> Bool {
    occurrence.isEmpty
      || Side.allCases.allSatisfy { before[$0]?.occurrences.contains(occurrence) ?? false }
  }

  private func elements(_ key: ItemFacts.Key, _ facts: [Side: ItemFacts], _ side: Side)
    -> Set<String>
  {
    Set(facts[side]?[key] ?? [])
  }
}

/// What a text says, property by property, without what only says that it was touched.
struct ItemFacts: Hashable {
  struct Key: Hashable, Comparable {
    /// The RECURRENCE-ID of an override; empty: the item itself.
    var occurrence: String
    var name: String

    init(_ occurrence: String, _ name: String) {
      self.occurrence = occurrence
      self.name = name
    }

    /// It says when the item is.
    var isSchedule: Bool {
      !occurrence.isEmpty || ["DTSTART", "RRULE", "EXDATE"].contains(name)
    }

    var isSet: Bool { ["CATEGORIES", "VALARM"].contains(name) }

    static func < (one: Key, other: Key) -> Bool {
      (one.occurrence, one.name) < (other.occurrence, other.name)
    }
  }

  private var lines: [Key: [String]] = [:]

  private static let noise: Set = [
    "SEQUENCE", "LAST-MODIFIED", "DTSTAMP", "CREATED", "END",
  ]

  /// What the model server adds.
  private static let serversAlarm: Set = [
    "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT15M",
  ]

  init(_ bytes: [UInt8], withAlarms: Bool = true, serversAlarm: Bool = false) {
    for item in EventText(bytes).items {
      let occurrence = item.first { $0.hasPrefix("RECURRENCE-ID") } ?? ""
      var depth = 0
      for line in item {
        if line.hasPrefix("BEGIN:") {
          depth += 1
          continue
        }
        if line.hasPrefix("END:") { depth -= 1 }
        let end = line.firstIndex { $0 == ":" || $0 == ";" } ?? line.endIndex
        let name = depth > 1 ? "VALARM" : String(line[..<end])
        if Self.noise.contains(name) || name == "VALARM" && !withAlarms { continue }
        if serversAlarm, Self.serversAlarm.contains(line) { continue }
        // A set of words has no order.
        let parts = name == "CATEGORIES" ? line.dropFirst(11).split(separator: ",") : [line[...]]
        lines[Key(occurrence, name), default: []] += parts.map(String.init)
      }
    }
    for key in lines.keys { lines[key]?.sort() }
  }

  var occurrences: Set<String> { Set(lines.keys.map(\.occurrence)) }

  subscript(key: Key) -> [String]? { lines[key] }

  func changes(since old: ItemFacts) -> Set<Key> {
    Set(lines.keys).union(old.lines.keys).filter { lines[$0] != old.lines[$0] }
  }
}
