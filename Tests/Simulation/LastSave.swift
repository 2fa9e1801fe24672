import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// Who edited an item since both sides last were the same, and what his last save was.
///
/// What one side alone edits is everywhere in the end as it was last saved there: not an older
/// version, and no conflict, however often calgw was killed on the way.
final class Authors {
  private struct Item {
    var sides: Set<Side> = []
    /// Nil: deleted.
    var last: [UInt8]?
    /// Something was done to it after which nobody can say what it shall be.
    var isMuddled = false
  }

  private var items: [String: Item] = [:]

  func save(_ bytes: [UInt8], _ uid: String, on side: Side) {
    items[uid, default: Item()].sides.insert(side)
    items[uid]?.last = bytes
  }

  func delete(_ uid: String, on side: Side) {
    items[uid, default: Item()].sides.insert(side)
    items[uid]?.last = nil
  }

  func muddle(_ uid: String) { items[uid, default: Item()].isMuddled = true }

  /// That it was deleted is forgotten, and had to be.
  func forgetDeletion(of uid: String) {
    if let item = items[uid], item.last == nil { muddle(uid) }
  }

  /// Both sides are the same: who edits it next knows all that is in it.
  func agree(_ uid: String) { items[uid]?.sides = [] }

  /// Edited since both sides were the same.
  var open: [String] { items.filter { !$0.value.sides.isEmpty }.keys.sorted() }

  /// Items that one side alone edited, with what they are to be.
  var settled: [(uid: String, last: [UInt8]?)] {
    items.sorted { $0.key < $1.key }
      .filter { !$0.value.isMuddled && $0.value.sides.count == 1 }
      .map { ($0.key, $0.value.last) }
  }
}

extension World {
  /// After a run that came to its end: an item is agreed on where calgw knows what each side has.
  func noteAgreement(_ report: CollectionReport) {
    guard report.failure == nil else { return }
    let named = report.namedUIDs
    let (here, there) = (textsHere, textsThere)
    for uid in oracle.authors.open where !named.contains(uid) {
      guard let agreement = agreement(on: ItemID(uid), here, there), isThere(agreement.remote.href)
      else { continue }
      oracle.authors.agree(uid)
    }
  }

  /// What calgw knows of an item, where that is what each side has.
  func agreement(on uid: ItemID, _ here: [String: [[UInt8]]], _ there: [String: [[UInt8]]])
    -> Agreement?
  {
    guard let agreement = journal.state.agreements[uid],
      here[uid.text]?.map(sha256) == [agreement.local.version.digest],
      there[uid.text]?.map(sha256) == [agreement.remote.version.digest]
    else { return nil }
    return agreement
  }

  /// The same item at another address may be one that the server does not show yet, and that calgw
  /// knows nothing of.
  private func isThere(_ href: Href) -> Bool {
    server.items(in: World.calendar)[ModelServer.name(ofPath: href.spelling)] != nil
  }

  /// An address has one agreement. Two things put another item into it while the one that is gone
  /// there is still on the other side: that side refused for good to delete it, or a person had
  /// something done to the other item alone.
  func noteForgotten(since before: [ItemID: Agreement]) {
    let state = journal.state
    for (uid, old) in before where state.agreements[uid] == nil {
      for side in Side.allCases {
        let heir = state.agreements.values.first { $0[side].href == old[side].href }
        guard let heir else { continue }
        let wait = state.observations[Place(side.opposite, old[side.opposite].href)]?.wait
        let isRefused = if case .refused = wait { true } else { false }
        if isRefused || heir.uid == errand.uid { oracle.authors.forgetDeletion(of: uid.text) }
      }
    }
  }

  /// OneSided: what one side alone edited is there as it was last saved.
  func checkLastSaves(_ report: CollectionReport) {
    guard report.failure == nil, story.direction == .both, story.memoryLosses == 0,
      // Where an item was put elsewhere, and nobody said where, no edit of it can be told from
      // another item.
      !story.hidesFiles, !server.switches.choosesNames,
      !story.acts.contains(where: { $0.kind.rawValue.hasPrefix("other") })
    else { return }
    let named = report.namedUIDs
    let conflicts = Set(report.conflicts.compactMap { $0.item.uid?.text })
    let obstructed = report.problems.contains { $0.item.uid == nil }
    let (here, there) = (textsHere, textsThere)
    // Delivered twice, and the answer is the second one's refusal: what the server made of the
    // first one is anybody's, and a person is asked. So it is where a server says that it failed,
    // or meets the second of two, and does it some seconds later.
    let isDisowned =
      story.policy == .ask && story.strikes("C4.24")
      && (server.switches.isImmutable || server.switches.dropsExtensions
        || server.switches.addsAlarm)
      // What was cut off of a write without an answer is somebody's edit.
      || story.policy == .ask && server.switches.truncatesAt != nil && story.isDisturbed
      || server.switches.writeLag > 0
        && ["C4.19", "C4.24", "C5.26"].contains(where: story.strikes)
    for (uid, last) in oracle.authors.settled {
      if conflicts.contains(uid), !isDisowned, !isMovedUnseen(uid), !takesForGone,
        !isCutOff(last, there[uid]?.first)
      {
        violate("OneSided", "\(uid) is a conflict, and one side alone edited it")
      }
      if named.contains(uid) || obstructed || oracle.takenForRewriting.contains(uid)
        || isUnnoticed(uid) || isUnderTouch(uid)
      {
        continue
      }
      switch (last, here[uid]?.first, there[uid]?.first) {
      case (nil, nil, nil): break
      // Another request's answer said that the deletion was done; or the server did not show what
      // it was to delete.
      case (nil, _, _) where story.strikes("C4.19") || server.switches.hidesChanges: break
      // The look before the deletion said that it is gone, and the listing after it failed.
      case (nil, _, _?) where looksBeforeDeleting && story.deniesAndFails: break
      // What the server cut off of an upload without an answer is somebody's edit, and survives.
      case (nil, _, _?) where server.switches.truncatesAt != nil && story.isDisturbed: break
      // It was moved there before a killed run's deletion was looked after: at its new address it
      // is new.
      case (nil, _, _?) where story.isDisturbed && isMoved(uid): break
      case (nil, _, _): violate("OneSided", "\(uid) was deleted, and is there")
      case (_?, _?, _?)
      where story.letsAbsenceWin && (server.switches.hidesChanges || story.failsThroughout):
        break
      // Forgotten before the move shows, it meets what is made here anew as a stranger's.
      case (_?, _?, _?) where isMovedUnseen(uid) || movesUnderRemote: break
      case (let last?, let one?, _?) where hasRemnants(one, beside: last): break
      case (let last?, let one?, _?):
        if !isSame(last, one, but: hasUnclearAlarms(uid)) {
          violate("OneSided", "\(uid) is not as it was last saved")
        }
      case (_?, _, _): violate("OneSided", "\(uid) was saved, and is not there")
      }
    }
  }
}

extension World {
  /// It was moved on a server that does not show that in time: at its new address it looks like
  /// somebody else's item of its UID.
  func isMovedUnseen(_ uid: String) -> Bool { server.switches.hidesChanges && isMoved(uid) }

  /// Somebody moves it on the server.
  func isMoved(_ uid: String) -> Bool {
    story.acts.contains { $0.kind == .remoteMove && $0.isAbout(uid) }
  }

  /// What is moved on a late server cannot be had at its new address at once; until then it is
  /// gone, and by the policy from here as well.
  fileprivate var movesUnderRemote: Bool {
    story.policy == .remote && server.switches.lag > 0
      && story.acts.contains { $0.kind == .remoteMove }
  }

  /// A touch here goes over what is done there a moment before, where no guard holds.
  fileprivate func isUnderTouch(_ uid: String) -> Bool {
    (!server.switches.guardsWrites || server.switches.tagIsSecond) && story.isDisturbed
      && story.touches(of: uid) > 0
  }

  /// One tag may stand for two texts, so that what is there is read before it is deleted.
  fileprivate var looksBeforeDeleting: Bool {
    server.switches.tagIsCounter || server.switches.tagIsSecond
  }

  /// The server does not show in time what it has, and denied an item throughout a run: it counts
  /// as gone, and what is saved here before it comes back meets it as a conflict.
  private var takesForGone: Bool { server.switches.lag > 0 && story.deniesThroughout }

  /// Somebody made there the most of what a killed run's write was to carry, on a server that does
  /// late what it is asked, or whose tag never tells of an edit: what is there counts as what it
  /// made of that write.
  func mayPassForOurs(_ uid: String) -> Bool {
    (server.switches.writeLag > 0 || server.switches.calendarTagIsConstant) && story.isDisturbed
      && story.acts.contains { $0.kind == .bothSave && ItemText.realUID($0.uid) == uid }
  }

  /// What the server cut off of the last save is there: to a calgw that never got the answer to its
  /// write it may be somebody's edit, and a person is asked.
  fileprivate func isCutOff(_ last: [UInt8]?, _ there: [UInt8]?) -> Bool {
    guard server.switches.truncatesAt != nil, story.isDisturbed, let last, let there else {
      return false
    }
    return ItemText.meaning(server.rewritten(ItemText.wire(last))) == ItemText.meaning(there)
  }
}

extension World {
  /// All that is there beside the last save is what the server cut off of a write without an
  /// answer, and was taken out here before the next run: it counts as somebody's edit there.
  fileprivate func hasRemnants(_ one: [UInt8], beside last: [UInt8]) -> Bool {
    guard let limit = server.switches.truncatesAt, story.isDisturbed else { return false }
    let facts = [one, last].map { ItemFacts(server.rewritten(ItemText.wire($0))) }
    return facts[0].changes(since: facts[1]).allSatisfy { key in
      facts[1][key] == nil && facts[0][key]?.allSatisfy { $0.utf8.count == limit } ?? false
    }
  }
}

extension Story {
  /// Something happens while a run is on.
  var isDisturbed: Bool { steps.contains { !$0.events.isEmpty } }

  /// The disk says in all of a run that files that are there are not, or cannot be read; or it says
  /// so once of one that has another name now.
  var hidesFiles: Bool {
    let renames: [Act.Kind] = [.localRename, .localRecase, .localExchange]
    let isRenamed = acts.contains { renames.contains($0.kind) }
    return steps.flatMap(\.events).contains { event in
      guard let (name, lasts) = event.happening.namedFault else { return false }
      return ["C2.10", "C2.17"].contains(name) && (lasts || isRenamed)
    }
  }

  /// An item may seem to be gone where it is asked for, and what is gone on the server goes here,
  /// edited or not.
  fileprivate var letsAbsenceWin: Bool {
    policy == .remote && (strikes("C5.13") || strikes("C5.17"))
  }

  /// An answer of a server's, or of what stands before it, stays wrong for the rest of a run.
  var failsThroughout: Bool {
    steps.flatMap(\.events).contains { event in
      guard let (name, lasts) = event.happening.namedFault else { return false }
      return lasts && (name.hasPrefix("C5") || name == "C4.20")
    }
  }

  /// An item that is asked for is said to be gone, for the rest of a run.
  fileprivate var deniesThroughout: Bool {
    steps.flatMap(\.events).contains { event in
      guard let (name, lasts) = event.happening.namedFault else { return false }
      return lasts && ["C5.13", "C5.17"].contains(name)
    }
  }

  /// An item that is asked for is said to be gone, and another request fails, too.
  fileprivate var deniesAndFails: Bool {
    guard strikes("C5.13") || strikes("C5.17") else { return false }
    return steps.flatMap(\.events).contains { event in
      guard let (name, lasts) = event.happening.namedFault else { return false }
      let isDenial = ["C5.13", "C5.17"].contains(name)
      return isDenial ? lasts : name.hasPrefix("C4") || name.hasPrefix("C5")
    }
  }

  /// A fault of this name is part of it.
  func strikes(_ name: String) -> Bool {
    steps.flatMap(\.events).contains { event in
      if case .fault(name, _) = event.happening { true } else { false }
    }
  }
}

extension CollectionReport {
  /// Items that a run said something about.
  fileprivate var namedUIDs: Set<String> {
    Set((conflicts.map(\.item) + problems.map(\.item)).compactMap { $0.uid?.text })
  }
}
