import SyncModel
import SyncPlanning
import TestSupport
import WebDAV

/// Looks at every write that calgw sends, as it is on the wire, and at what it did.
final class Wire {
  // Touched by the thread of the world's executor alone.
  private unowned let world: World
  /// The last request but this one that named an item, by its name.
  private var lastLook: [[UInt8]: String] = [:]
  /// The same before the request that is under way.
  private var lookBefore: String?
  /// The entity tag of the item that a write meets, before it.
  private var tagBefore: [UInt8]?
  /// Writes of this run that nothing guarded.
  var unguarded = 0
  /// Writes that were carried out, by UID.
  private(set) var puts: [String: Int] = [:]
  /// The same of items with attendees alone.
  private(set) var mails: [String: Int] = [:]

  /// What the last look at an item found.
  private var seen: [[UInt8]: [UInt8]] = [:]
  private(set) lazy var unnoticed = Unnoticed(world)
  private(set) lazy var newCalendar = NewCalendar(world)
  /// Names of items that are there, and that an answer said were gone.
  private(set) var hidden: Set<String> = []

  init(_ world: World) { self.world = world }

  /// After the server's answer.
  func note(answer status: Int, to request: HTTPRequest) {
    unnoticed.note(answer: status, to: request)
    newCalendar.note(answer: status, to: request)
    let name = name(of: request)
    if request.method == "GET", [404, 410].contains(status),
      world.server.data(name, in: World.calendar) != nil
    {
      hidden.insert(String(decoding: name, as: UTF8.self))
    }
  }

  private func name(of request: HTTPRequest) -> [UInt8] {
    ModelServer.name(ofPath: Array(request.url.utf8))
  }

  private func header(_ name: String, _ request: HTTPRequest) -> [UInt8]? {
    request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Before the server acts.
  func look(at request: HTTPRequest) {
    unnoticed.look(at: request)
    let name = name(of: request)
    lookBefore = lastLook[name]
    if request.method == "GET" { seen[name] = world.server.data(name, in: World.calendar) }
    defer { lastLook[name] = request.method }
    guard ["PUT", "DELETE"].contains(request.method) else { return }
    tagBefore = world.server.tag(of: name, in: World.calendar)
    checkGuard(request, name)
    checkIntent(request, name)
    checkUID(request)
    if world.story.direction == .pull, world.errand.uid == nil {
      world.violate("OneWay", "\(request.method) in a pull")
    }
    let switches = world.server.switches
    // The answer of another request says nothing of it.
    if switches.advertisesReadOnly, !world.story.strikes("C4.19") {
      world.violate("ReadOnly", "\(request.method) to a read-only calendar")
    }
  }

  private func checkGuard(_ request: HTTPRequest, _ name: [UInt8]) {
    if header("If-Match", request) != nil { return }
    if request.method == "PUT", header("If-None-Match", request) == [UInt8(ascii: "*")] { return }
    // No guard can hold where each look gives another tag, and another text that means the same.
    let switches = world.server.switches
    guard switches.tagForm == .weak || switches.tagChangesOnRead else {
      return world.violate("RemoteGuard", "\(request.method) without a guard")
    }
    // Nothing to guard with: then it looked just before. What comes twice is still the first one.
    let isAgain = lastLook[name] == request.method && world.story.strikes("C4.24")
    if lastLook[name] != "GET", !isAgain {
      world.violate("NoValidator", "\(request.method) without a guard and without a look")
    }
  }

  private func checkIntent(_ request: HTTPRequest, _ name: [UInt8]) {
    let isMeant = world.journal.state.intents.values.contains { intent in
      guard intent.side == .remote, ModelServer.name(ofPath: intent.href.spelling) == name else {
        return false
      }
      if case .delete = intent.effect { return request.method == "DELETE" }
      return request.method == "PUT"
    }
    if !isMeant {
      world.violate("IntentThenFact", "\(request.method) without an intent in the journal")
    }
  }

  private func checkUID(_ request: HTTPRequest) {
    guard request.method == "PUT" else { return }
    let uid = ItemText.uid(request.body)
    let isMeant = world.journal.state.intents.values.contains { $0.uid.text == uid }
    if !isMeant || !ItemText.isWhole(request.body) {
      world.violate("IdentityStable", "a PUT of '\(uid ?? "nothing")', which nobody meant")
    }
  }

  /// After the server acted, or did not.
  func settle(_ request: HTTPRequest, before: [[UInt8]: [UInt8]]) {
    let after = world.server.items(in: World.calendar)
    // A write that only led to another address is still to come.
    if after == before { lastLook[name(of: request)] = lookBefore }
    if request.method == "PUT", after != before, let uid = ItemText.uid(request.body) {
      puts[uid, default: 0] += 1
      if request.body.holds("ATTENDEE") {
        mails[uid, default: 0] += 1
        world.note("C6.40")
      }
    }
    if after != before, header("If-Match", request) == nil,
      header("If-None-Match", request) == nil
    {
      unguarded += 1
    }
    if request.method == "DELETE", after != before, !isAnotherThere(request, before) {
      checkEvidence(before[name(of: request)])
    }
    for name in before.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let old = before[name], after[name] != old else { continue }
      let text = ItemText.wire(old)
      if world.isInHistory(text) || after[name].map(ItemText.wire) == text { continue }
      if isServersDoing(request, name, old) {
        if after[name] == nil {
          world.oracle.drop(String(decoding: name, as: UTF8.self), on: .remote)
        } else if let uid = ItemText.uid(old), uid != ItemText.uid(request.body) {
          // Another item, which nobody has seen, had taken the address of the one that was sent.
          world.oracle.authors.muddle(uid)
        }
        // Whatever has the same text now, nobody can keep what was written over here.
        world.oracle.forget(old, at: String(decoding: name, as: UTF8.self), on: .remote)
        world.excuseWhatIsGone()
      } else {
        world.violate(
          "HistoryFirst",
          "\(request.method) destroyed '\(String(decoding: name, as: UTF8.self))' on the server,"
            + " which is not in the history")
      }
    }
  }

  /// What nobody took out of the folder is not taken off the server.
  private func checkEvidence(_ deleted: [UInt8]?) {
    guard let uid = deleted.flatMap(ItemText.uid), !world.oracle.hasDeparted(uid, from: .local),
      !world.hasJournalRestores
    else { return }
    // A listing showed it under the tag of the item that it took the place of.
    if unnoticed.contains(uid) { return }
    world.violate("DeletionEvidence", "\(uid) was deleted there, and nobody deleted it here")
  }

  /// The server has no guards, or none that tell two versions apart, or takes things away by
  /// itself: what a client cannot prevent.
  private func isServersDoing(_ request: HTTPRequest, _ name: [UInt8], _ old: [UInt8]) -> Bool {
    let switches = world.server.switches
    if switches.movesUIDs || switches.splitsOverrides, name != self.name(of: request) {
      return true
    }
    guard let sent = header("If-Match", request) else {
      return header("If-None-Match", request) != nil || !wasSeen(name, old)
        || switches.tagChangesOnRead && isTouchOfKept(old)
    }
    guard let tagBefore else { return true }
    return !isTag(sent, tagBefore) || switches.tagIsSecond
      || switches.tagIsCounter && isMadeAnewUnseen(name, old)
  }

  /// Where tags change with each look, nobody can tell it from a text that the server makes anew.
  private func isTouchOfKept(_ text: [UInt8]) -> Bool {
    let state = world.journal.state
    return state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
      .contains { ItemText.isTouch(ItemText.wire(text), of: $0.bytes) }
  }

  /// Tags count the writes of an item, so that one which was made anew has a former one's. That is
  /// seen by a look just before the write, but for what comes after the look, and calgw looks once
  /// it has learned that tags are not an item's own.
  private func isMadeAnewUnseen(_ name: [UInt8], _ old: [UInt8]) -> Bool {
    lookBefore == "GET" ? seen[name] != old : !world.knowsTagsAreShared
  }

  /// The look just before the write showed it: who has no guard compares that with what he means to
  /// write over.
  private func wasSeen(_ name: [UInt8], _ old: [UInt8]) -> Bool {
    lookBefore == "GET" && seen[name] == old && !world.server.switches.isLate
      && !world.story.strikes("C4.19") && !world.story.strikes("C4.24")
  }

  /// The server took away what the request did not mean: somebody had put it there by then, and the
  /// server has no guard against that, or ignores it.
  private func isAnotherThere(_ request: HTTPRequest, _ before: [[UInt8]: [UInt8]]) -> Bool {
    guard let sent = header("If-Match", request) else {
      let name = name(of: request)
      return lookBefore == "GET" && seen[name] != before[name]
    }
    let switches = world.server.switches
    guard switches.ignoresIfMatchOnDelete || switches.ignoresIfMatch, let tagBefore else {
      return false
    }
    return !isTag(sent, tagBefore)
  }

  /// The tag of a header is an item's; some servers forget the quotes.
  private func isTag(_ sent: [UInt8], _ tag: [UInt8]) -> Bool {
    sent == (tag.first == 34 ? tag : [34] + tag + [34])
  }
}
