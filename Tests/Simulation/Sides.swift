import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

/// Both sides, item by item, when all has settled.
extension World {
  func checkSides(_ report: CollectionReport) {
    guard report.failure == nil, story.direction == .both else { return }
    guard !report.problems.contains(where: { $0.problem.code == .massDelete }) else { return }
    let (local, remote) = (textsHere, textsThere)
    var named = Set(report.conflicts.compactMap { $0.item.uid?.text })
    named.formUnion(report.problems.compactMap { $0.item.uid?.text })
    named.formUnion(uidsAtNamedAddresses(report))
    let obstructed = report.problems.contains { $0.item.uid == nil }
    for uid in Set(local.keys).union(remote.keys).sorted() {
      let (here, there) = (local[uid] ?? [], remote[uid] ?? [])
      if here.count > 1 || there.count > 1 {
        // Another request's answer may have said that one of two there is gone.
        let isUnread = here.count < 2 && there.count == 2 && story.strikes("C4.19")
        // What is left of overrides that went has no UID to be named by, and is named by address.
        let isNothing = uid.isEmpty && obstructed
        if !named.contains(uid), !isUnread, !isNothing {
          violate("DupIsolated", "\(uid) is there twice, and not named")
        }
        continue
      }
      if named.contains(uid) || oracle.takenForRewriting.contains(uid) || isUnnoticed(uid) {
        continue
      }
      guard let one = here.first, let other = there.first else {
        // What could not be read may be this very item.
        if !obstructed, !(uid.isEmpty && namesWhatHasNoUID(report)) {
          violate("Converge", "\(uid) is on the \(here.isEmpty ? "remote" : "local") side only")
        }
        continue
      }
      // Where nothing shows in time, the answer to another request is believed.
      if server.switches.hidesChanges, story.strikes("C4.19") { continue }
      if mayPassForOurs(uid) { continue }
      let isUnclear = hasUnclearAlarms(uid)
      if !isSame(one, other, but: isUnclear), !lacksSplitOverrides(one, other, but: isUnclear) {
        violate("Converge", "\(uid) differs")
      }
    }
    checkExtensions(local)
  }

  /// What is left of overrides that went has no UID; once it had one, by which it is named.
  private func namesWhatHasNoUID(_ report: CollectionReport) -> Bool {
    let named = report.problems.compactMap(\.item.href)
      .map { ModelServer.name(ofPath: $0.spelling) }
    return server.items(in: World.calendar).allSatisfy { name, text in
      ItemText.uid(text) != nil || named.contains(name)
    }
  }

  var textsHere: [String: [[UInt8]]] {
    byUID(files.contents(of: World.folder).filter { $0.key.isVisibleItem }.map(\.value.data))
  }

  var textsThere: [String: [[UInt8]]] { byUID(Array(server.items(in: World.calendar).values)) }

  private func byUID(_ texts: [[UInt8]]) -> [String: [[UInt8]]] {
    // What XML cannot carry nobody can read.
    let readable = texts.filter { ItemText.isWhole($0) && !$0.contains(1) }
    return Dictionary(grouping: readable) { ItemText.uid($0) ?? "" }
  }

  /// The same, or what this server makes of the same; without alarms where nobody can tell whose
  /// they are.
  func isSame(_ one: [UInt8], _ other: [UInt8], but isUnclear: Bool) -> Bool {
    if one == other { return true }
    let texts = [one, other].map { server.rewritten(ItemText.wire($0)) }
    if ItemText.meaning(texts[0]) == ItemText.meaning(texts[1]) { return true }
    // The order of a set is no meaning.
    let facts = texts.map {
      ItemFacts($0, withAlarms: !isUnclear, serversAlarm: server.switches.addsAlarm)
    }
    return facts[0] == facts[1]
  }

  /// The server lacks overrides, since it made them resources of their own, and somebody deleted
  /// those: of what calgw takes for the item nothing but what both sides have was changed there.
  func lacksSplitOverrides(_ here: [UInt8], _ there: [UInt8], but isUnclear: Bool) -> Bool {
    guard server.switches.splitsOverrides else { return false }
    let ours = server.parts(of: server.rewritten(ItemText.wire(here)))
    let theirs = server.parts(of: there)
    guard ours.count > theirs.count, let one = ours.first, let other = theirs.first else {
      return false
    }
    return isSame(one, other, but: isUnclear)
      && theirs.dropFirst().allSatisfy { part in
        ours.contains { isSame($0, part, but: isUnclear) }
      }
  }

  /// What has come to an address since that was named, where nothing tells it from what was there.
  private func uidsAtNamedAddresses(_ report: CollectionReport) -> [String] {
    guard server.switches.tagIsCounter, story.breaksOnServer else { return [] }
    let items = server.items(in: World.calendar)
    return report.problems.compactMap { problem in
      problem.item.href.flatMap { items[ModelServer.name(ofPath: $0.spelling)] }
        .flatMap(ItemText.uid)
    }
  }

  /// A server that shows changes late said of it that it is gone, and it came back from there.
  private func isHiddenForNow(_ uid: String) -> Bool {
    guard server.switches.hidesChanges else { return false }
    if isMovedUnseen(uid) { return true }
    return server.items(in: World.calendar).contains { name, text in
      ItemText.uid(text) == uid && wire.hidden.contains(String(decoding: name, as: UTF8.self))
    }
  }

  /// LossyServer: what the server drops stays in the folder.
  private func checkExtensions(_ local: [String: [[UInt8]]]) {
    // Where one side wins whole, or all memory of both was lost, the other's text is in the
    // history; so it is where the server's own version was never seen, since somebody edited it
    // there at once.
    let switches = server.switches
    guard switches.dropsExtensions || switches.dropsAttachments,
      ![.newest, .remote].contains(story.policy),
      !story.losesMemory, !story.isEditedThereMeanwhile
    else { return }
    // Delivered twice, and the answer to the second one is a refusal, or the answer is another
    // one's: what is there then looks like somebody else's edit.
    if story.strikes("C4.24") || story.strikes("C4.19") { return }
    // So does what a server cut off of a write whose answer a killed run never had.
    if server.switches.truncatesAt != nil, story.steps.contains(where: { !$0.events.isEmpty }) {
      return
    }
    // Of a series that a server takes apart somebody deleted one part there: what is left is all.
    if switches.splitsOverrides, story.deletesOnServer { return }
    // Who deleted it here, or wrote another item over it, gave up what only this side had; and what
    // a server leaves out of another machine's write is that machine's edit to this one.
    let deleted = Set(
      story.acts.filter { [.localDelete, .localRecreate, .otherSave].contains($0.kind) }
        .map { ItemText.realUID($0.uid) }
    ).union(oracle.worded)
    for uid in local.keys.sorted() where !deleted.contains(uid) && !oracle.bare.contains(uid) {
      if isHiddenForNow(uid) || oracle.hasDeparted(uid, from: .local) { continue }
      let texts = local[uid] ?? []
      // A second file of the UID may have come from the server, which never had them.
      let keepsExtensions = !switches.dropsExtensions || texts.contains { $0.holds("X-KEEP") }
      let keepsAttachment =
        !switches.dropsAttachments || !oracle.attached.contains(uid)
        || texts.contains { $0.holds("ATTACH:") }
      if !keepsExtensions || !keepsAttachment {
        violate("LossyServer", "\(uid) lost what the server does not keep")
      }
    }
  }
}

extension Story {
  /// How often a program touches an item.
  func touches(of uid: String) -> Int {
    acts.count { [.localTouch, .remoteTouch].contains($0.kind) && $0.isAbout(uid) }
  }

  /// An item of that name may be another one there than it was.
  var deletesOnServer: Bool {
    acts.contains {
      [.remoteDelete, .remoteRecreate, .otherDelete, .calendarRemake].contains($0.kind)
    }
  }

  /// An item cannot be read there.
  var breaksOnServer: Bool {
    acts.contains { [.remoteControl, .remoteBreak].contains($0.kind) }
  }

  fileprivate var isEditedThereMeanwhile: Bool {
    steps.flatMap(\.events).compactMap(\.act).contains {
      [.remoteSave, .remoteTouch, .bothSave].contains($0.kind)
    }
  }

  /// Something in it makes calgw forget what both sides shared.
  fileprivate var losesMemory: Bool { memoryLosses > 0 }

  var memoryLosses: Int {
    acts.count {
      $0.kind.rawValue.hasPrefix("journal") || $0.kind.rawValue.hasPrefix("folder")
    }
  }
}
