import SyncModel
import SyncPlanning
import TestSupport
import VdirStorage

/// Looks at the folder after every effect of calgw on it.
final class DiskWatch {
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  private var last: [FileName: (data: [UInt8], isDurable: Bool)] = [:]
  /// The count of changes at the last look.
  private var lastChange = -1
  /// Contents that were seen under a name of an item: other people's, or complete ones of ours.
  private(set) var known: Set<[UInt8]> = []
  private var isOn = false
  /// Where calgw moved an item that nobody deleted on the server, by UID: to have a look at it, and
  /// put it back.
  private var aside: [String: FileName] = [:]
  /// What calgw looked at last, and has done nothing since.
  private var lookedAt: FileName?
  /// The same, where somebody has saved it since that look.
  private var savedAfterLook: FileName?

  init(_ world: World) { self.world = world }

  func begin() {
    isOn = true
    refresh()
  }

  func end() {
    isOn = false
    (lookedAt, savedAfterLook) = (nil, nil)
  }

  /// Somebody else changed the folder: what he did is as it shall be.
  func refresh() {
    lastChange = world.files.changes
    let before = last
    last = world.files.contents(of: World.folder)
    if let name = lookedAt, last[name]?.data != before[name]?.data { savedAfterLook = name }
    for (name, file) in last where before[name]?.data != file.data && name.isVisibleItem {
      known.insert(file.data)
    }
  }

  /// Before a call of calgw, and after what others do at that moment.
  func note(_ operation: FileOperation, _ name: FileName?) {
    switch operation {
    case .readContent: return
    case .read, .status: (lookedAt, savedAfterLook) = (name, nil)
    case .rename: lookedAt = nil
    default: (lookedAt, savedAfterLook) = (nil, nil)
    }
  }

  /// After an effect of calgw.
  func look() {
    guard isOn, !world.other.isRunning, world.files.changes != lastChange else { return }
    lastChange = world.files.changes
    let now = world.files.contents(of: World.folder)
    for name in now.keys.sorted() where name.isVisibleItem {
      guard let file = now[name], last[name]?.data != file.data else { continue }
      checkNew(name, file.data, isDurable: file.isDurable)
    }
    checkEvidence(now)
    for name in last.keys.sorted() {
      guard let old = last[name]?.data, now[name]?.data != old else { continue }
      if now.values.contains(where: { $0.data == old }) { continue }
      checkGone(name, old)
    }
    last = now
    savedAfterLook = nil
  }

  private func checkNew(_ name: FileName, _ data: [UInt8], isDurable: Bool) {
    let text = name.text
    // Put back, or moved: it was there before.
    if known.contains(data), last.values.contains(where: { $0.data == data }) { return }
    if !ItemText.isWhole(data) {
      world.violate("WholeFile", "'\(text)' holds a text that is not whole")
    }
    if !isDurable {
      world.violate("WholeFile", "'\(text)' holds what a power cut would take away")
    }
    known.insert(data)
    checkMayChange(name)
    if let uid = ItemText.uid(data) {
      let isNew = !last.contains { $0.key.isVisibleItem && ItemText.uid($0.value.data) == uid }
      if isNew { world.oracle.note(arrivalOf: uid, data) }
      // What a person takes back is written as if he saved it himself, and so is a second item.
      if world.errand.mayWrite(uid, over: last[name]?.data) { return }
    }
    let intents = world.journal.state.intents.values.filter { $0.side == .local }
    if !intents.contains(where: { $0.href.text == text }) {
      world.violate("IntentThenFact", "'\(text)' was written without an intent in the journal")
    }
    if let uid = ItemText.uid(data), !intents.contains(where: { $0.uid.text == uid }) {
      world.violate("IdentityStable", "'\(text)' got the UID \(uid), which nobody meant")
    }
  }

  private func checkMayChange(_ name: FileName) {
    if world.story.direction == .push, world.errand.uid == nil {
      world.violate("OneWay", "'\(name.text)' was changed in a push")
    }
  }

  /// What nobody took off the server is not taken out of the folder.
  private func checkEvidence(_ now: [FileName: (data: [UInt8], isDurable: Bool)]) {
    // What was moved may show later than that it is gone.
    if world.server.switches.hidesChanges { return }
    if world.hasJournalRestores { return }
    for uid in aside.keys.sorted() {
      guard let name = aside[uid], now[name] == nil else { continue }
      aside[uid] = nil
      if isMissing(uid, now) { violateEvidence(uid) }
    }
    for name in last.keys.sorted() where name.isVisibleItem && now[name] == nil {
      guard let old = last[name]?.data, let uid = ItemText.uid(old), isMissing(uid, now) else {
        continue
      }
      // A file is moved away before it is looked at for the last time: who saved another one over
      // it in that moment finds it in its place again. It is deleted once it is nowhere.
      let moved = now.keys.filter { $0.isDisplaced && last[$0] == nil && now[$0]?.data == old }
      if let place = moved.min() { aside[uid] = place } else { violateEvidence(uid) }
    }
  }

  /// It is in no file that people see, and nobody took it away.
  private func isMissing(_ uid: String, _ now: [FileName: (data: [UInt8], isDurable: Bool)])
    -> Bool
  {
    !world.oracle.hasDeparted(uid, from: .remote) && !world.oracle.hasDeparted(uid, from: .local)
      && !world.story.misreads(uid)
      && !now.contains { $0.key.isVisibleItem && ItemText.uid($0.value.data) == uid }
  }

  private func violateEvidence(_ uid: String) {
    world.violate("DeletionEvidence", "\(uid) was deleted here, and nobody deleted it there")
  }

  /// The last copy of a content left the folder.
  private func checkGone(_ name: FileName, _ old: [UInt8]) {
    // A draft never held what somebody else wrote; what stands aside may be a draft too.
    let text = name.text
    guard known.contains(old), !old.isEmpty, !name.isDraft else { return }
    if name.isVisibleItem { checkMayChange(name) }
    guard !world.isInHistory(old) else { return }
    // Without exchange and links nothing can be looked at once more after it was replaced: what
    // came between the look right before and the rename is gone.
    if world.story.traits.contains("C2.33"), savedAfterLook == name {
      world.excuseWhatIsGone()
      return world.rehomeWhatIsElsewhere { $0 == .local && $1 == text }
    }
    if text.hasPrefix(".calgw-"), world.isOnServer(old) || !world.oracle.isAlive(old) { return }
    world.violate(
      "HistoryFirst", "the last of what '\(name.text)' held is gone and not in the history")
  }
}

extension FileName {
  /// calgw moved the file of an item here.
  fileprivate var isDisplaced: Bool {
    [".calgw-x", ".calgw-y"].contains { text.hasPrefix($0) }
  }
}

extension Story {
  /// What is at the new address of an item may have been another one's text; and of a calendar that
  /// is taken away an earlier answer says that it is there, without an item that it has since.
  fileprivate func misreads(_ uid: String) -> Bool {
    strikes("C4.19")
      && acts.contains {
        $0.kind == .calendarHide || $0.kind == .remoteMove && $0.isAbout(uid)
      }
  }
}
