import SyncModel
import TestSupport
import VdirStorage

/// Carries out what the story lets others do, and tells the oracle what they saved and gave up.
final class People: @unchecked Sendable {
  // Touched by the thread of the world's executor alone.
  unowned let world: World
  /// Files that an editor truncated and holds open, by UID: the handle and what it will write.
  var unfinished: [String: (handle: UInt64, text: [UInt8], name: String, label: String)] = [:]
  var backup: [(name: String, bytes: [UInt8])] = []
  var files: ModelFileSystem { world.files }
  var server: ModelServer { world.server }

  init(_ world: World) { self.world = world }

  /// - Parameter call: during which call of calgw; nil between runs.
  func act(_ act: Act, during call: String?) {
    if act.kind.rawValue.hasPrefix("local") {
      guard files.names(in: World.folder) != nil else { return }
      actLocally(act, during: call)
    } else if act.kind.rawValue.hasPrefix("remote") {
      breathe()
      actRemotely(act, during: call)
      breathe()
    } else {
      actOtherwise(act, during: call)
    }
    world.disk.refresh()
  }

  /// Where the server counts seconds, an edit in the same second as another one cannot be told from
  /// it: no client can, so it is no part of these worlds.
  private func breathe() {
    let switches = server.switches
    guard switches.tagIsSecond || switches.tokenIsSecond else { return }
    world.setServerSkew(world.serverSkew + 1_100)
  }

  func note(_ name: String) { world.note(name) }

  // MARK: Names

  /// The file that holds an item, as a person finds it.
  func localName(_ uid: String) -> String? {
    let items = files.contents(of: World.folder).filter { $0.key.isVisibleItem }
      .sorted { $0.key < $1.key }.map { ($0.key.text, ItemText.uid($0.value.data)) }
    return find(uid, among: items)
  }

  func remoteName(_ uid: String) -> String? {
    let items = server.items(in: path).sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (String(decoding: $0.key, as: UTF8.self), ItemText.uid($0.value)) }
    return find(uid, among: items)
  }

  /// The name of the item, else of what a server made of it under a UID of its own: people know
  /// both by what they say.
  private func find(_ uid: String, among items: [(name: String, uid: String?)]) -> String? {
    let real = ItemText.realUID(uid)
    let found =
      items.first { $0.uid == real } ?? items.first { $0.uid.map(ItemText.sentUID) == real }
    return found?.name
  }

  /// Where the calendar is now.
  var path: String {
    server.calendarPaths.contains(World.calendarElsewhere)
      ? World.calendarElsewhere : World.calendar
  }

  func label(_ act: Act) -> String { "\(act.uid) \(act.number)" }

  // MARK: The server

  private func actRemotely(_ act: Act, during call: String?) {
    let name = remoteName(act.uid) ?? "\(act.uid)-there.ics"
    let old = server.data(Array(name.utf8), in: path)
    switch act.kind {
    case .remoteSave:
      noteRemote(call, isDeletion: false)
      putRemotely(name, ItemText.edited(old.map(printable), act), act)
    case .remoteDelete:
      guard old != nil else { return }
      noteRemote(call, isDeletion: true)
      server.remove(Array(name.utf8), in: path)
      world.oracle.give(up: name, holding: old, on: .remote)
      // It was one of two, as where nobody could read it when the folder's own went up.
      if remoteName(act.uid) != nil { muddleOneOfTwo(ItemText.realUID(act.uid)) }
    case .remoteRecreate:
      if old != nil { note("C8.18") }
      world.oracle.give(up: name, holding: old, on: .remote)
      putRemotely(name, ItemText.new("\(act.uid)-\(act.number)", act.number), act)
    case .remoteRetag:
      server.touch(Array(name.utf8), in: path)
    case .remoteTouch:
      guard let old, let new = ItemText.touched(old, act) else { return }
      noteRemote(call, isDeletion: false)
      putRemotely(name, new, act, asTouch: isTouch(of: old, on: .remote, during: call))
    case .remoteMove, .remoteCopy: copyRemotely(name, old, act, during: call)
    case .remoteSchedule:
      guard let old, let at = old.place(of: "ATTENDEE:") else { return }
      note("C6.13")
      let new = old[..<at] + Array("ATTENDEE;SCHEDULE-STATUS=1.2:".utf8)
      putRemotely(name, Array(new + old[(at + 9)...]), act)
    case .remoteZones:
      guard let old, let new = ItemText.withOtherDefinition(old) else { return }
      note("C6.52")
      server.put(Array(name.utf8), new, in: path)
    case .remoteControl:
      note("C6.41")
      let text = String(decoding: ItemText.new(act.uid, act.number), as: UTF8.self)
      let bad = text.replacing("X-KEEP:yes", with: "X-KEEP:\u{1}yes")
      server.put(Array(name.utf8), Array(bad.utf8), in: path)
      world.oracle.give(up: name, holding: old, on: .remote)
    case .remoteBreak:
      let text = ItemText.new(act.uid, act.number).dropLast(20)
      server.put(Array(name.utf8), Array(text), in: path)
      world.oracle.give(up: name, holding: old, on: .remote)
    default: return
    }
  }

  /// The item is at another address, or there as well.
  private func copyRemotely(_ name: String, _ old: [UInt8]?, _ act: Act, during call: String?) {
    guard let old else { return }
    let other = "\(act.uid)-\(act.number).ics"
    if act.kind == .remoteCopy {
      // Another item may have taken its address.
      world.oracle.authors.muddle(ItemText.uid(old) ?? ItemText.realUID(act.uid))
    }
    server.put(Array(other.utf8), old, in: path)
    if act.kind == .remoteMove {
      server.remove(Array(name.utf8), in: path)
      // Not looked after yet, our deletion counts as done, and at its new address it is new.
      if isBeingWritten(ItemText.realUID(act.uid)) {
        world.oracle.authors.muddle(ItemText.realUID(act.uid))
      }
      if call != nil {
        world.oracle.note(moveOf: ItemText.uid(old) ?? ItemText.realUID(act.uid), on: .remote)
      }
      world.oracle.note(goneTwin: ItemText.uid(old) ?? "")
      world.oracle.move(name, to: other, on: .remote)
    }
  }

  /// Where the one that went is a write of ours that a slow server does not show yet, the other one
  /// looks like what the server made of it (docs/reliability.md).
  private func muddleOneOfTwo(_ uid: String) {
    world.oracle.authors.muddle(uid)
    if server.switches.isLate, isBeingWritten(uid) {
      world.oracle.takenForRewriting.insert(uid)
    }
  }

  private func isBeingWritten(_ uid: String) -> Bool {
    world.journal.state.intents.values.contains { $0.uid.text == uid }
  }

  /// A text with a control character is mended by who saves it next.
  private func printable(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 1 } }

  private func putRemotely(
    _ name: String, _ bytes: [UInt8], _ act: Act, asTouch: Bool = false
  ) {
    let uid = ItemText.realUID(act.uid)
    if isBeingWritten(uid) {
      if act.part == .alarm { world.oracle.unclear.insert(uid) }
      // Who makes it anew takes out what was new in the write.
      let isMadeAnew = server.data(Array(name.utf8), in: path) == nil
      if isMadeAnew || server.switches.givesNoTagAfterPut
        || world.isTakenForDropping(bytes, of: uid)
      {
        world.oracle.takenForRewriting.insert(uid)
      }
    }
    // The UID may be the server's own; who writes the folder's over it takes that away.
    if let former = server.data(Array(name.utf8), in: path).flatMap(ItemText.uid),
      former != ItemText.uid(bytes)
    {
      world.oracle.depart(former, from: .remote)
    }
    server.put(Array(name.utf8), bytes, in: path)
    let kept = server.data(Array(name.utf8), in: path) ?? bytes
    if asTouch {
      world.oracle.touch(kept, at: name, on: .remote, label: label(act))
    } else {
      world.oracle.save(kept, at: name, on: .remote, label: label(act))
    }
  }

  /// Between runs, and of the very text on which both sides agreed, it counts as nobody's edit. At
  /// any other time a touched text may hold an edit that calgw has not seen.
  func isTouch(of old: [UInt8], on side: Side, during call: String?) -> Bool {
    guard call == nil, let uid = ItemText.uid(old) else { return false }
    let state = world.journal.state
    let digest = sha256(old)
    let isAgreed =
      state.agreements[ItemID(uid)]?[side].version.digest == digest
      && state.contents[digest] != nil
    if isAgreed { note("C8.30") }
    return isAgreed
  }

  private func noteRemote(_ call: String?, isDeletion: Bool) {
    switch call {
    case nil: return
    case "http.answer"?: note("C8.19")
    case _ where isDeletion: note("C8.17")
    case "http.PUT"?, "http.DELETE"?: note("C8.16")
    default: note("C8.15")
    }
  }

  // MARK: The world

  private func actOtherwise(_ act: Act, during call: String?) {
    switch act.kind {
    case .bothSave:
      guard files.names(in: World.folder) != nil else { return }
      let old = localName(act.uid).flatMap { files.bytes($0, in: World.folder) }
      let text = ItemText.wire(ItemText.edited(old, act))
      // What both sides have from the beginning nobody edited.
      let uid = ItemID(ItemText.realUID(act.uid))
      if call != nil || world.journal.state.agreements[uid] != nil { note("C8.21") }
      let here = localName(act.uid) ?? world.story.fileName(of: act.uid)
      // Another item may have its name by now.
      if let there = files.bytes(here, in: World.folder), ItemText.uid(there) != uid.text {
        world.oracle.give(up: here, holding: there, on: .local)
      }
      files.save(here, text, in: World.folder)
      world.oracle.save(text, at: here, on: .local, label: label(act))
      breathe()
      putRemotely(remoteName(act.uid) ?? "\(act.uid)-there.ics", text, act)
      breathe()
    case .calendarHide:
      if server.calendarPaths.contains(World.calendar) { note("C8.20") }
      server.moveCalendar(World.calendar, to: World.calendarElsewhere)
    case .calendarShow: server.moveCalendar(World.calendarElsewhere, to: World.calendar)
    case .calendarRemake: remakeCalendar()
    case .accessRevoke:
      note("C8.22")
      server.change { $0.authentication = .never }
    case .accessGrant: server.change { $0.authentication = .none }
    case .clockStep, .serverClockStep: stepClock(act, during: call)
    case .journalLose, .journalCopy, .journalRestore, .journalBlank: changeJournal(act, call)
    case .folderDelete, .folderReplace, .folderUnmount, .folderMount, .folderBackup,
      .folderRestore:
      changeFolder(act)
    case .otherSync where call == nil: world.other.sync()
    case .otherSave where call == nil: world.other.save(act)
    case .otherDelete where call == nil: world.other.delete(act)
    case .interrupt:
      note("C9.1")
      world.director.isInterrupted = true
    default: return
    }
  }

  private func remakeCalendar() {
    // One that is elsewhere comes back to its address.
    guard server.calendarPaths == [World.calendar] else { return }
    let items = server.items(in: World.calendar)
    for name in items.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      world.oracle.give(
        up: String(decoding: name, as: UTF8.self), holding: items[name], on: .remote)
    }
    server.removeCalendar(World.calendar)
    world.makeCalendar()
    world.wire.newCalendar.make()
  }

  private func stepClock(_ act: Act, during call: String?) {
    let step = Int64(act.number)
    if act.kind == .serverClockStep {
      note("C7.6")
      world.setServerSkew(world.serverSkew + step)
      return
    }
    world.clientSkew += step
    switch (call != nil, step > 0) {
    case (false, true): note("C7.1")
    case (false, false): note("C7.2")
    case (true, false): note("C7.3")
    case (true, true): note("C7.4")
    }
  }

  /// Only between runs: another journal is another program's business while one runs.
  private func changeJournal(_ act: Act, _ call: String?) {
    guard call == nil else { return }
    switch act.kind {
    case .journalLose:
      note("C3.6")
      world.loseJournal()
    case .journalCopy: world.copyJournal()
    case .journalRestore:
      guard world.restoreJournal() else { return }
      note("C3.7")
    case .journalBlank:
      if !world.journal.state.contents.isEmpty { note("C3.12") }
      world.replaceJournal(by: world.journal.state.withoutText(number: act.number))
    default: return
    }
    world.excuseWhatIsGone()
    world.rehomeWhatIsElsewhere()
  }
}

extension FileName {
  /// An item as calgw counts them.
  var isVisibleItem: Bool {
    let ending = String(decoding: bytes.suffix(4), as: UTF8.self)
    return bytes.first != UInt8(ascii: ".") && ending.lowercased() == ".ics"
  }

  /// A new text of calgw's that was not put in its place.
  var isDraft: Bool { bytes.starts(with: ".calgw-n".utf8) }
}
