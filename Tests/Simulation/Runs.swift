import SyncExecution
import SyncModel
import TestSupport
import WebDAV

/// The steps of a story, one after the other.
extension World {
  func step(_ step: Story.Step) {
    switch step {
    case .act(let act):
      director.trace.add("\(act)")
      people.act(act, during: nil)
    case .wait(let time): executor.advance(time)
    case .run(let command, let events): _ = self.step(command, events)
    }
  }

  /// A run with all that is checked after it, and the number of its effects.
  func step(_ command: Story.Command, _ events: [Story.Event]) -> (
    CollectionReport?, effects: Int
  ) {
    guard let errand = errand(for: command) else { return (nil, 0) }
    checkIdentity()
    let before = Picture(self)
    let clean = CleanRun(self)
    // A listing that misses a file does so once: the world is not frozen then.
    let isRehearsed =
      events.isEmpty && story.chance.isMultiple(of: 5)
      && !story.acts.contains { [.localHide, .localDouble].contains($0.kind) }
      && !server.switches.hidesChanges
    let said = isRehearsed ? rehearseRun(errand, options) : nil
    if let uid = errand.uid { oracle.note(wordOn: uid.text) }
    let report = run(errand, events)
    let effects = effectsOfLastRun
    // A moment that did not come disturbed nobody.
    let disturbed = disturbance(by: events)
    check(report, since: before, disturbed)
    checkToken()
    if let report {
      if disturbed.isEmpty {
        clean.check(errand, report, in: self)
      } else if disturbed.isSubset(of: .looks) {
        clean.checkWritten(errand, report, in: self)
      }
      noteConflicts(report, errand)
      noteAgreement(report)
    }
    if let said, let report, said.failure == nil, report.failure == nil, report.problems.isEmpty {
      checkForecast(said, report, of: errand)
    }
    // Time passes between two runs.
    executor.advance(5_000)
    return (report, effects)
  }

  /// As calgw looks at writes of which it does not know what became: what is there is neither the
  /// write nor what it was to replace, but differs from the write in alarms alone. Somebody made
  /// the same edit, or the server left out an alarm or added one: no client can tell which. Nor can
  /// it where an alarm of the write is missing beside another edit.
  func noteUnclearWrites() {
    noteMovedUploads()
    noteTakenOut()
    noteWrittenAnew()
    for intent in journal.state.intents.values where intent.side == .remote {
      guard case .replace(let href, let old, let new) = intent.effect,
        let there = server.data(ModelServer.name(ofPath: href.spelling), in: World.calendar),
        let sent = journal.state.contents[new], sha256(there) != old.digest
      else { continue }
      if differInAlarmsAlone(there, sent.bytes) || lacksAlarms(there, of: sent.bytes) {
        oracle.unclear.insert(intent.uid.text)
      }
      if let before = journal.state.contents[old.digest],
        isWrittenOver(sent.bytes, over: before.bytes, by: there)
      {
        oracle.bare.insert(intent.uid.text)
      }
    }
  }

  /// What somebody saved in the moment in which a file was replaced, by a run that was killed
  /// before its look at what came out of there, is in the history alone: this run has just put it
  /// there.
  private func noteTakenOut() {
    let late = journal.state.history.map(\.entry).filter { $0.action == .lateEdit }
    for intent in journal.state.intents.values where intent.side == .local {
      guard case .replace(_, let old, _) = intent.effect else { continue }
      let isTakenOut = late.contains { entry in
        guard entry.uid == intent.uid, let before = entry.before, before != old.digest,
          let text = journal.state.contents[before]
        else { return false }
        return oracle.isAlive(text.bytes)
      }
      if isTakenOut { oracle.authors.muddle(intent.uid.text) }
    }
  }

  /// Who writes an item anew there, whose upload had arrived when a run was killed, and leaves out
  /// what was in that and no server need keep, is taken for a server that did.
  private func noteWrittenAnew() {
    for intent in journal.state.intents.values where intent.side == .remote {
      guard case .create(let href, let new) = intent.effect,
        story.acts.contains(where: { $0.kind == .remoteBreak && $0.isAbout(intent.uid.text) }),
        let there = server.data(ModelServer.name(ofPath: href.spelling), in: World.calendar),
        let sent = journal.state.contents[new], ItemText.isWhole(there), there != sent.bytes
      else { continue }
      oracle.takenForRewriting.insert(intent.uid.text)
    }
  }

  /// What arrived with a killed run's upload and is at another address by now is anybody's.
  private func noteMovedUploads() {
    for intent in journal.state.intents.values where intent.side == .remote {
      let href: Href
      switch intent.effect {
      case .create(let place, _), .replace(let place, _, _): href = place
      default: continue
      }
      guard server.data(ModelServer.name(ofPath: href.spelling), in: World.calendar) == nil,
        textsThere[intent.uid.text] != nil
      else { continue }
      oracle.authors.muddle(intent.uid.text)
      oracle.bare.insert(intent.uid.text)
    }
  }

  /// Nobody can tell whose the item's alarms are. So it is as well where a write goes over what the
  /// server does not show yet: what shows then looks like what it made of the write.
  func hasUnclearAlarms(_ uid: String) -> Bool {
    oracle.unclear.contains(uid) || server.switches.ignoresIfMatch && server.switches.writeLag > 0
  }

  /// Nothing that a write changed is as it wrote it, but changed by somebody else once more: what
  /// the server dropped of the write is as well that person's doing.
  private func isWrittenOver(_ sent: [UInt8], over old: [UInt8], by there: [UInt8]) -> Bool {
    let texts = [old, server.rewritten(sent), there].map { ItemFacts($0) }
    let written = texts[1].changes(since: texts[0]).filter { $0.name != "X-KEEP" }
    return texts[1] != texts[2] && written.allSatisfy { texts[1][$0] != texts[2][$0] }
  }

  /// A write is answered as if it had been carried out. Where the entity tag does not tell either
  /// whether it was, and nothing but alarms is new, the server may as well have dropped them; where
  /// it tells of somebody's edit, the server may have dropped whatever was new in the write.
  func noteLostWrite(_ request: HTTPRequest, answered head: HTTPResponseHead) {
    let name = ModelServer.name(ofPath: Array(request.url.utf8))
    let tag = head.values(of: "ETag").first
    guard request.method == "PUT", let uid = ItemText.uid(request.body),
      let there = server.data(name, in: World.calendar)
    else { return }
    let tellsNothing =
      server.switches.tagChangesOnRead || tag == nil
      || tag == server.tag(of: name, in: World.calendar)
    let digest = journal.state.agreements[ItemID(uid)]?.remote.version.digest
    let agreed = digest.flatMap { journal.state.contents[$0]?.bytes }
    let isEdited = agreed != nil && agreed != there
    if let agreed { oracle.lostWrites[uid] = (request.body, agreed) }
    // Nor does the tag of the answer where what is there is read without one.
    if !server.switches.listsTags, differInAlarmsAlone(there, request.body) {
      oracle.unclear.insert(uid)
    }
    guard tellsNothing else {
      if let agreed, isEdited, lacksWhatIsNew(there, in: request.body, since: agreed) {
        oracle.takenForRewriting.insert(uid)
      }
      if isEdited, lacksAlarms(there, of: request.body) { oracle.unclear.insert(uid) }
      return
    }
    if differInAlarmsAlone(there, request.body) { oracle.unclear.insert(uid) }
    // Without a tag an edit that calgw has not seen yet looks like what the server makes of ours.
    if tag == nil, isEdited { oracle.takenForRewriting.insert(uid) }
  }

  /// Forgets what earlier runs' writes became, but for those that a killed run left open: the next
  /// one looks after them.
  func forgetLostWrites() {
    let open = Set(journal.state.intents.values.map(\.uid.text))
    oracle.lostWrites = oracle.lostWrites.filter { open.contains($0.key) }
  }

  /// Who edits an item while calgw looks after a write that never came there leaves out what was
  /// new in it, and that looks like what the server dropped (docs/reliability.md).
  func isTakenForDropping(_ edit: [UInt8], of uid: String) -> Bool {
    guard let lost = oracle.lostWrites[uid] else { return false }
    return lacksWhatIsNew(edit, in: lost.sent, since: lost.agreed)
  }

  private func lacksWhatIsNew(_ there: [UInt8], in sent: [UInt8], since old: [UInt8]) -> Bool {
    let (there, sent, old) = (ItemFacts(there), ItemFacts(sent), ItemFacts(old))
    return sent.changes(since: old).contains { old[$0] == nil && there[$0] == nil }
  }

  private func lacksAlarms(_ there: [UInt8], of sent: [UInt8]) -> Bool {
    let alarms = [there, sent].map { text in
      Set(EventText(text).items.flatMap(\.self).filter { $0.hasPrefix("TRIGGER") })
    }
    return !alarms[1].isSubset(of: alarms[0])
  }

  private func differInAlarmsAlone(_ there: [UInt8], _ sent: [UInt8]) -> Bool {
    // What others store there the server leaves as it is.
    let texts = [there, sent].map { server.rewritten($0) }
    let facts = texts.map { ItemFacts($0) }
    let bare = texts.map { ItemFacts($0, withAlarms: false) }
    return facts[0] != facts[1] && bare[0] == bare[1]
  }

  private func noteConflicts(_ report: CollectionReport, _ errand: Errand) {
    let told = report.conflicts.compactMap(\.item.uid)
    if let uid = errand.uid {
      if report.failure == nil { waiting.removeAll { $0 == uid && !told.contains(uid) } }
    } else {
      waiting = told.sorted()
    }
  }
}
