import SyncModel
import TestSupport
import VdirStorage

/// What people do in the folder.
extension People {
  func actLocally(_ act: Act, during call: String?) {
    let name = localName(act.uid) ?? nameOnDisk(of: act)
    let old = files.bytes(name, in: World.folder)
    switch act.kind {
    case .localSave:
      noteLocal(call)
      saveLocally(name, ItemText.edited(old, act), act)
    case .localOverwrite: overwrite(name, old, act, setsTimeBack: false, during: call)
    case .localSameTime: overwrite(name, old, act, setsTimeBack: true, during: call)
    case .localTruncate, .localHalf: truncate(name, old, act)
    case .localFinish: finish(act.uid)
    case .localDelete:
      guard old != nil else { return }
      if call != nil { note("C8.10") }
      files.remove(name, in: World.folder)
      unfinished[act.uid] = nil
      world.oracle.give(up: name, holding: old, on: .local)
    case .localTouch:
      guard let old, let new = ItemText.touched(old, act) else { return }
      noteLocal(call)
      saveLocally(name, new, act, asTouch: isTouch(of: old, on: .local, during: call))
    case .localRename, .localRecase: rename(name, old, act)
    case .localExchange: exchange(name, old, act)
    case .localCopy, .localConflictCopy:
      guard let old else { return }
      let isCopy = act.kind == .localCopy
      note(isCopy ? "C8.9" : "C8.14")
      world.oracle.authors.muddle(ItemText.uid(old) ?? ItemText.realUID(act.uid))
      let ending = isCopy ? "-copy-\(act.number)" : ".sync-conflict-20260101"
      files.save("\(act.uid)\(ending).ics", old, in: World.folder)
    case .localRecreate:
      if old != nil { note("C8.23") }
      world.oracle.give(up: name, holding: old, on: .local)
      // If it is deleted again, its name may go to the item that had it before.
      world.oracle.authors.muddle("\(act.uid)-\(act.number)")
      saveLocally(name, ItemText.new("\(act.uid)-\(act.number)", act.number), act)
    case .localBreak:
      files.save(name, Array(ItemText.new(act.uid, act.number).dropLast(20)), in: World.folder)
      world.oracle.give(up: name, holding: old, on: .local)
    case .localLeftovers:
      note("C8.7")
      files.save(".\(name).swp", [98, 48], in: World.folder)
      files.save("\(name)~", old ?? [], in: World.folder)
      files.save("4913", [], in: World.folder)
    case .localCheckout: checkOut(act)
    case .localDirectory, .localLink, .localFIFO: obstruct(name, old, act)
    case .localHide:
      guard let hidden = FileName(name) else { return }
      files.hideFromNextListing([hidden])
    case .localDouble:
      guard old != nil, let doubled = FileName(name) else { return }
      files.doubleInNextListing([doubled])
    default: return
    }
  }

  /// Where no file holds the item, the one that the disk has under its name, however spelled.
  private func nameOnDisk(of act: Act) -> String {
    let name = world.story.fileName(of: act.uid)
    // A program that saves a new file spells it as it likes.
    let isNew = [.localSave, .localRecreate].contains(act.kind)
    guard world.story.foldedNames != nil, !isNew, let meant = FileName(name) else { return name }
    return files.contents(of: World.folder).keys.filter { files.areOne($0, meant) }.min()?.text
      ?? name
  }

  private func noteLocal(_ call: String?) {
    guard let call else { return }
    let isLate = ["files.exchange", "files.renameNoReplace", "files.rename", "files.link"]
    note(isLate.contains(call) ? "C8.2" : "C8.1")
  }

  private func saveLocally(
    _ name: String, _ bytes: [UInt8], _ act: Act, asTouch: Bool = false
  ) {
    if world.story.foldedNames != nil { giveUpInOtherSpelling(name) }
    files.save(name, bytes, in: World.folder)
    unfinished[act.uid] = nil
    if asTouch {
      world.oracle.touch(bytes, at: name, on: .local, label: label(act))
    } else {
      world.oracle.save(bytes, at: name, on: .local, label: label(act))
    }
  }

  /// On a disk that folds names the save replaces a file whose name has another spelling.
  private func giveUpInOtherSpelling(_ name: String) {
    guard let saved = FileName(name) else { return }
    for (other, file) in files.contents(of: World.folder).sorted(by: { $0.key < $1.key })
    where other != saved && files.areOne(other, saved) {
      world.oracle.give(up: other.text, holding: file.data, on: .local)
    }
  }

  private func overwrite(
    _ name: String, _ old: [UInt8]?, _ act: Act, setsTimeBack: Bool, during call: String?
  ) {
    guard let old, let before = files.status(name, in: World.folder) else { return }
    noteLocal(call)
    let text = ItemText.edited(old, act)
    files.overwrite(name, text, in: World.folder)
    if setsTimeBack {
      note("C8.6")
      files.setModified(before.modified, name, in: World.folder)
    }
    let after = files.status(name, in: World.folder)
    if before.size == after?.size, before.changed == after?.changed { note("C8.5") }
    unfinished[act.uid] = nil
    world.oracle.save(text, at: name, on: .local, label: label(act))
  }

  private func truncate(_ name: String, _ old: [UInt8]?, _ act: Act) {
    guard let old, let handle = files.holdOpen(name, in: World.folder) else { return }
    let text = ItemText.edited(old, act)
    note(act.kind == .localTruncate ? "C8.3" : "C8.4")
    files.write(act.kind == .localTruncate ? [] : Array(text.prefix(text.count / 2)), to: handle)
    unfinished[act.uid] = (handle, text, name, label(act))
    // Truncating gave up what was in the file.
    world.oracle.give(up: name, holding: old, on: .local)
  }

  /// The editor writes all of it, wherever the file it holds open may be by now.
  func finish(_ uid: String) {
    guard let open = unfinished.removeValue(forKey: uid) else { return }
    // Between calgw's last look at a displaced file and its removal nobody can be protected: the
    // file has no name any more.
    let names = files.names(of: open.handle)
    if names.isEmpty { return }
    files.write(open.text, to: open.handle)
    // Nor is who holds a file open whose name a power cut took back (docs/reliability.md).
    if names.allSatisfy(\.isDraft) { return }
    world.oracle.save(open.text, at: open.name, on: .local, label: open.label)
  }

  private func rename(_ name: String, _ old: [UInt8]?, _ act: Act) {
    guard old != nil else { return }
    let other =
      act.kind == .localRecase
      ? world.story.respelled(name) : "\(act.uid)-renamed-\(act.number).ics"
    guard FileName(other) != FileName(name) else { return }
    note(act.kind == .localRecase ? world.story.foldedNames ?? "C2.30" : "C8.8")
    files.rename(name, to: other, in: World.folder)
    world.oracle.move(name, to: other, on: .local)
  }

  private func exchange(_ name: String, _ old: [UInt8]?, _ act: Act) {
    let names = files.contents(of: World.folder).keys.filter(\.isVisibleItem).map(\.text).sorted()
    guard old != nil, names.count > 1, let index = names.firstIndex(of: name) else { return }
    let other = names[(index + 1) % names.count]
    let between = "exchanged-\(act.number)"
    note("C8.8")
    for (from, to) in [(name, between), (other, name), (between, other)] {
      files.rename(from, to: to, in: World.folder)
      world.oracle.move(from, to: to, on: .local)
    }
    // Whoever has one of them open writes it where it is by then.
    for (uid, open) in unfinished.sorted(by: { $0.key < $1.key }) {
      if open.name == name { unfinished[uid]?.name = other }
      if open.name == other { unfinished[uid]?.name = name }
    }
  }

  /// As a version control system does: every file is a new one.
  private func checkOut(_ act: Act) {
    note("C8.12")
    for (name, file) in files.contents(of: World.folder).sorted(by: { $0.key < $1.key })
    where name.isVisibleItem {
      files.save(name.text, file.data, in: World.folder)
    }
    let name = localName(act.uid) ?? world.story.fileName(of: act.uid)
    let old = files.bytes(name, in: World.folder)
    saveLocally(name, ItemText.edited(old, act), act)
  }

  private func obstruct(_ name: String, _ old: [UInt8]?, _ act: Act) {
    files.remove(name, in: World.folder)
    world.oracle.give(up: name, holding: old, on: .local)
    switch act.kind {
    case .localDirectory:
      note("C2.19")
      files.makeFolder(name, in: World.folder)
    case .localLink:
      note("C2.20")
      files.makeLink(name, to: "/etc/passwd", in: World.folder)
    default:
      note("C2.21")
      files.makeFIFO(name, in: World.folder)
    }
  }

  // MARK: The folder itself

  func changeFolder(_ act: Act) {
    let (parent, name) = (World.folderAbove, World.folderName)
    let there = files.contents(of: World.folder).sorted { $0.key < $1.key }
      .map { ($0.key.text, $0.value.data) }
    switch act.kind {
    case .folderDelete:
      guard files.names(in: World.folder) != nil else { return }
      note("C8.11")
      for (name, bytes) in there {
        world.oracle.give(up: name, holding: bytes, on: .local)
      }
      files.remove(name, in: parent)
    case .folderReplace:
      guard files.names(in: World.folder) != nil else { return }
      note("C2.28")
      files.remove(name, in: parent)
      files.makeFolders(World.folder)
      for (name, bytes) in there { files.save(name, bytes, in: World.folder) }
    case .folderUnmount:
      guard files.names(in: "/home/ann/away") == nil, files.names(in: World.folder) != nil else {
        return
      }
      note("C2.29")
      files.rename(name, to: "away", in: parent)
      files.makeFolders(World.folder)
    case .folderMount:
      guard files.names(in: "/home/ann/away") != nil else { return }
      // What was written below the mount point is out of sight, as on a real system.
      files.remove(name, in: parent)
      files.rename("away", to: name, in: parent)
      world.excuseWhatIsGone()
      world.rehomeWhatIsElsewhere()
    case .folderBackup: backup = there
    case .folderRestore:
      guard files.names(in: World.folder) != nil else { return }
      restore(there)
    default: return
    }
    unfinished = [:]
  }

  /// An older copy of all files is put back; what came since is gone, by a person's doing.
  private func restore(_ there: [(String, [UInt8])]) {
    for (name, bytes) in there where FileName(name)?.isVisibleItem == true {
      files.remove(name, in: World.folder)
      world.oracle.give(up: name, holding: bytes, on: .local)
    }
    for (name, bytes) in backup where FileName(name)?.isVisibleItem == true {
      files.save(name, bytes, in: World.folder)
    }
  }
}
