import ICalendar
import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import VdirStorage

/// What a run that nobody disturbed must have done and left alone, judged by what was there before.
///
/// This is a second, simpler account of some rules of docs/reconcile.md, made from the bytes of
/// both sides and not from the engine's own view of them.
struct CleanRun {
  /// Files and resources by UID; broken ones are in none.
  let local: [String: [String: [UInt8]]]
  let remote: [String: [String: [UInt8]]]
  let broken: [String: [UInt8]]
  /// What XML cannot carry, or what is cut off, nobody can read.
  private let brokenThere: [String: [UInt8]]
  let agreements: [ItemID: Agreement]
  /// The texts that the journal has.
  let texts: [ContentDigest: ItemData]
  /// Items of which nobody knows yet what became of a write.
  let open: Set<ItemID>
  /// Items in whose place another one is that a killed run wrote to the other side: what both sides
  /// shared of them goes once that is recorded.
  let displaced: Set<ItemID>
  /// The files that had an item when a version of it went into the history, or a run saw it.
  private let formerFiles: [ItemID: Set<String>]
  /// When each file and resource was changed, as its side tells it, in milliseconds; nothing where
  /// no policy asks for that.
  let times: [Side: [String: Int64]]
  /// Resources that an answer said were gone, and of which calgw knows nothing more.
  private let hidden: Set<String>
  /// How often items with attendees were sent, and which wait until somebody says yes.
  private let mails: [String: Int]
  /// How often each item was sent.
  let puts: [String: Int]
  private let held: Set<ItemID>

  init(_ world: World) {
    let files = world.files.contents(of: World.folder).filter { $0.key.isVisibleItem }
      .map { ($0.key.text, $0.value.data) }
    local = Self.byUID(files.filter { ItemText.isWhole($0.1) })
    broken = Dictionary(
      files.filter { !ItemText.isWhole($0.1) }, uniquingKeysWith: { first, _ in first })
    let resources = world.server.items(in: World.calendar)
      .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
    func isReadable(_ text: [UInt8]) -> Bool { ItemText.isWhole(text) && !text.contains(1) }
    remote = Self.byUID(resources.filter { isReadable($0.1) })
    brokenThere = Dictionary(
      resources.filter { !isReadable($0.1) }, uniquingKeysWith: { first, _ in first })
    let state = world.journal.state
    agreements = state.agreements
    texts = state.contents
    open = Set(state.intents.values.map(\.uid))
    let taken = Set(state.intents.values.compactMap { $0.source?.href })
    displaced = Set(
      agreements.filter { taken.contains($1.local.href) || taken.contains($1.remote.href) }.keys
    ).subtracting(open)
    let kept = state.history.map(\.entry).filter { $0.side == .local }.map { ($0.uid, $0.href) }
    let seen = state.observations.values.compactMap { seen -> (ItemID, Href)? in
      guard seen.side == .local, case .read(let item) = seen.state else { return nil }
      return (item.uid, seen.href)
    }
    formerFiles = (kept + seen).reduce(into: [:]) { files, place in
      files[place.0, default: []].insert(place.1.text)
    }
    times = world.story.policy == .newest ? world.timesOfChanges : [:]
    mails = world.wire.mails
    puts = world.wire.puts
    held = world.held
    let known =
      state.observations.values.filter { $0.side == .remote }.map(\.href)
      + state.agreements.values.map(\.remote.href)
    hidden = world.wire.hidden.subtracting(
      known.map { String(decoding: ModelServer.name(ofPath: $0.spelling), as: UTF8.self) })
  }

  private static func byUID(_ items: [(String, [UInt8])]) -> [String: [String: [UInt8]]] {
    var found: [String: [String: [UInt8]]] = [:]
    for (name, bytes) in items { found[ItemText.uid(bytes) ?? "", default: [:]][name] = bytes }
    return found
  }

  /// Compares with what is there now.
  func check(_ errand: Errand, _ report: CollectionReport, in world: World) {
    let now = CleanRun(world)
    // What a server does not show yet cannot be respected.
    guard report.failure == nil, !world.server.switches.hidesChanges, !world.hasUnknownCalendar
    else { return }
    checkLeftAlone(errand, now, world)
    checkNames(now, world)
    if let uid = errand.uid { return check(errand, uid, report, now, in: world) }
    checkIsTold(report, world)
    checkEditsSurvive(report, now, world)
    checkFaithful(report, now, world)
    checkArrivals(report, now, world)
    checkInvites(now, world)
    checkNoTouchIsSent(now, world)
    checkTwins(now, world)
    if broken.isEmpty { checkMerges(report, now, world) }
  }

  private func checkIsTold(_ report: CollectionReport, _ world: World) {
    let isTold = report.problems.contains {
      [.incomplete, .unreadable].contains($0.problem.code)
    }
    if !broken.isEmpty, !isTold { world.violate("Quarantine", "a broken file is not told of") }
    guard !brokenThere.isEmpty, world.showsWhatWasDone else { return }
    let isToldThere = report.problems.contains { $0.problem.code == .brokenRemote }
    if !isToldThere, !isTold {
      world.violate("Quarantine", "what is broken on the server is not told of")
    }
  }

  private func checkLeftAlone(_ errand: Errand, _ now: CleanRun, _ world: World) {
    for (name, bytes) in broken.sorted(by: { $0.key < $1.key }) where now.broken[name] != bytes {
      // In the place of a broken file a person may want an older version.
      if let uid = errand.uid,
        ItemText.uid(bytes) == uid.text || agreements[uid]?.local.href.text == name
          || formerFiles[uid]?.contains(name) ?? false
      {
        continue
      }
      world.violate("Quarantine", "the broken file '\(name)' was touched")
    }
    if world.showsWhatWasDone, errand.uid == nil, now.brokenThere != brokenThere {
      world.violate("Quarantine", "what is broken on the server was touched")
    }
    for uid in Set(local.keys).union(remote.keys).sorted() {
      guard (local[uid]?.count ?? 0) > 1 || (remote[uid]?.count ?? 0) > 1 else { continue }
      if now.local[uid] != local[uid] || now.remote[uid] != remote[uid] {
        // Another request's answer may say that one of them is gone.
        if knowsOne(of: uid, now) || world.story.strikes("C4.19") { continue }
        if now.local[uid] == local[uid], isJoined(uid, now, world) { continue }
        if world.server.switches.tagChangesOnRead, isInAnothersPlace(uid) { continue }
        // A person wanted an older version, before calgw had read the second one there.
        if errand.uid?.text == uid, now.remote[uid] == remote[uid], local[uid]?.count == 1 {
          continue
        }
        world.violate("DupIsolated", "\(uid) is there twice, and was touched")
      }
    }
  }

  /// Of two that are there calgw knows one alone, and did nothing to the other.
  private func knowsOne(of uid: String, _ now: CleanRun) -> Bool {
    let before = remote[uid] ?? [:]
    let other = hidden.intersection(before.keys)
    return other.count == before.count - 1 && (local[uid]?.count ?? 0) < 2
      && other.allSatisfy { now.remote[uid]?[$0] == before[$0] }
  }

  /// One that was sent under a longer UID, which the server cut off, has joined it.
  private func isJoined(_ uid: String, _ now: CleanRun, _ world: World) -> Bool {
    world.server.switches.truncatesAt == ItemText.lineLength(uid)
      && Set((remote[uid] ?? [:]).keys).isSubset(of: (now.remote[uid] ?? [:]).keys)
  }

  /// A file and a resource keep the name that they have.
  private func checkNames(_ now: CleanRun, _ world: World) {
    for uid in local.keys.sorted() {
      guard let before = local[uid], let after = now.local[uid] else { continue }
      // A version that is brought back beside a file that calgw could never read.
      let isBeside =
        world.story.hides(uid) && Set(before.keys).isSubset(of: after.keys)
      if Set(before.keys) != Set(after.keys), !isBeside {
        world.violate("IdentityStable", "the file of \(uid) has another name")
      }
    }
    let switches = world.server.switches
    if switches.movesUIDs || switches.choosesNames || switches.splitsOverrides { return }
    for uid in remote.keys.sorted() {
      guard let before = remote[uid], let after = now.remote[uid] else { continue }
      // A new one that is listed, and gone in every look, is nothing that one in the folder is.
      let isHidden =
        agreements[ItemID(uid)] == nil && !world.wire.hidden.isDisjoint(with: before.keys)
        && Set(before.keys).isSubset(of: after.keys)
      let isOfTwo =
        before.count > 1 && (knowsOne(of: uid, now) || world.story.strikes("C4.19"))
      // A deletion that got the answer to another one counts as done, and is brought back beside;
      // so is what looks that got other answers said to be gone.
      let isKept =
        world.story.strikes("C4.19") && Set(before.keys).isSubset(of: after.keys)
      if Set(before.keys) != Set(after.keys), !isJoined(uid, now, world), !isHidden, !isOfTwo,
        !isKept
      {
        world.violate("IdentityStable", "\(uid) has another address")
      }
    }
  }

  /// InviteSilence: where the journal was lost, a meeting that only the folder has waits until
  /// somebody says yes to it.
  private func checkInvites(_ now: CleanRun, _ world: World) {
    if world.isSettling { return }
    let isInCommon = local.contains { $0.value.count == 1 && remote[$0.key]?.count == 1 }
    let isForgotten = agreements.isEmpty && open.isEmpty && isInCommon
    for uid in now.mails.keys.sorted() where now.mails[uid] != mails[uid] {
      guard remote[uid] == nil, agreements[ItemID(uid)] == nil,
        isForgotten || held.contains(ItemID(uid))
      else { continue }
      world.violate("InviteSilence", "\(uid) was sent after the journal was lost")
    }
  }

  /// InviteSilence: a meeting is not sent because a program has touched its file.
  private func checkNoTouchIsSent(_ now: CleanRun, _ world: World) {
    guard world.story.memoryLosses == 0 else { return }
    for uid in now.mails.keys.sorted()
    where now.mails[uid] != mails[uid] && !open.contains(ItemID(uid)) {
      guard let agreed = agreements[ItemID(uid)], let files = local[uid], files.count == 1,
        let file = files.values.first, isTouched(file, since: agreed.local),
        !world.oracle.worded.contains(uid)
      else { continue }
      world.violate("InviteSilence", "\(uid) was sent because it was touched")
    }
  }

  /// EditBeatsDelete: what was edited on one side and deleted on the other is on both afterwards,
  /// unless the policy says otherwise.
  private func checkEditsSurvive(_ report: CollectionReport, _ now: CleanRun, _ world: World) {
    guard world.story.direction == .both, report.problems.isEmpty, broken.isEmpty else { return }
    for uid in agreements.keys.sorted() where !open.contains(uid) && !world.isUnnoticed(uid.text) {
      guard let agreement = agreements[uid] else { continue }
      let (here, there) = (local[uid.text] ?? [:], remote[uid.text] ?? [:])
      let isSurvivorHere = here.count == 1 && there.isEmpty
      let isSurvivorThere = there.count == 1 && here.isEmpty
      let side: Side = isSurvivorHere ? .local : .remote
      guard isSurvivorHere || isSurvivorThere,
        let edit = (isSurvivorHere ? here : there).values.first
      else { continue }
      if isTouched(edit, since: agreement[side]) {
        checkTouchGoes(uid.text, now, world)
      } else if isEdited(edit, since: agreement[side]),
        world.story.policy.rawValue != side.opposite.rawValue,
        now.local[uid.text] == nil || now.remote[uid.text] == nil
      {
        world.violate("EditBeatsDelete", "the edit of \(uid.text) did not survive")
      }
    }
  }

  /// What one side deleted and the other one only touched goes from both, whatever the policy.
  private func checkTouchGoes(_ uid: String, _ now: CleanRun, _ world: World) {
    // Somebody may have said no to it, and who cannot see what is there cannot delete it.
    let story = world.story
    if story.reply != nil || story.traits.contains(Trait.questions) { return }
    if story.memoryLosses > 0 || story.hides(uid) || story.strikes("C4.19") || world.isMoved(uid) {
      return
    }
    if world.server.switches.splitsOverrides { return }
    world.note("C8.32")
    if now.local[uid] != nil || now.remote[uid] != nil {
      world.violate("EditBeatsDelete", "\(uid) was deleted, and is back because it was touched")
    }
  }
}

extension CleanRun {
  /// Somebody wrote it over another item there. Under a tag that the listing did not give, that is
  /// not believed.
  private func isInAnothersPlace(_ uid: String) -> Bool {
    let others = agreements.values.filter { $0.uid.text != uid }.map(\.remote.href.text)
    return (remote[uid] ?? [:]).keys.contains { name in others.contains { $0.hasSuffix("/" + name) }
    }
  }

  func isTouched(_ bytes: [UInt8], since agreed: ItemVersion) -> Bool {
    texts[agreed.version.digest].map { ItemText.isTouch(bytes, of: $0.bytes) } ?? false
  }

  func isEdited(_ bytes: [UInt8], since agreed: ItemVersion) -> Bool {
    if sha256(canonicalForm(of: SyntaxTree(bytes: bytes))) == agreed.canonical { return false }
    guard let text = texts[agreed.version.digest] else { return true }
    // Touched alone, or put back as it was: no edit.
    return ItemFacts(bytes) != ItemFacts(text.bytes)
  }
}

extension World {
  /// DryRun: it says what the run after it does, and does nothing.
  func rehearseRun(_ errand: Errand, _ options: SyncOptions) -> CollectionReport? {
    let (before, writes) = (Picture(self), transport.writes)
    let copy = MemoryJournal(journal.state)
    var dry = options
    dry.isDryRun = true
    dry.confirmDeletion = nil
    let settled = dry
    let report = undisturbed(errand, settled, copy)
    let after = Picture(self)
    if before.local != after.local || before.remote != after.remote || transport.writes != writes {
      violate("DryRun", "a dry run changed a side")
    }
    return report
  }

  /// InviteSilence: attendees are told of what a person did, and of nothing else.
  func checkMail() {
    if mayHideWrites { return }
    for uid in wire.mails.keys.sorted() {
      let most =
        (oracle.reasonsForMail[uid] ?? 0) + accidents + foldersBroughtBack + byPolicy
        + copies(uid) + forgottenDeletions(uid) + sentAnew(uid) + untoldTouches(uid)
      guard let count = wire.mails[uid], count > most else { continue }
      violate("InviteSilence", "\(uid) was sent \(count) times, and \(most) is the most")
    }
  }

  /// Where all was forgotten, a policy that lets the folder win sends it: that is a person's word.
  private var byPolicy: Int {
    [.local, .newest].contains(story.policy) ? story.memoryLosses : 0
  }

  /// Where it was deleted on the server, and all was forgotten before calgw knew of it, it looks
  /// like a new one in the folder: once for each time that both happened. So it does where it was
  /// deleted in what stood in the folder's place, or where the server does not show it yet.
  private func forgottenDeletions(_ uid: String) -> Int {
    let isSwapped = story.acts.contains { $0.kind == .folderUnmount }
    let deletions = story.acts.count {
      ([.remoteDelete, .remoteRecreate, .otherDelete].contains($0.kind)
        || isSwapped && $0.kind == .localDelete) && $0.isAbout(uid)
    }
    if server.switches.lag > 0 { return story.memoryLosses }
    let remakes = story.acts.count { $0.kind == .calendarRemake }
    return min(deletions + remakes, story.memoryLosses)
  }

  /// An item that a server keeps under a part of its UID, or under one of its own, looks like a new
  /// one, once all was forgotten.
  private func sentAnew(_ uid: String) -> Int {
    if server.switches.makesUIDs { return story.memoryLosses + unseenOwners(uid) }
    guard let limit = server.switches.truncatesAt, ItemText.lineLength(uid) > limit else {
      return 0
    }
    return story.memoryLosses
  }

  /// Once what both had is forgotten, nobody can tell a touch from an edit.
  private func untoldTouches(_ uid: String) -> Int {
    story.memoryLosses > 0 ? story.touches(of: uid) : 0
  }

  /// How often a listing missed the file of an item: what the server has under a UID of its own
  /// comes down then, and the item is new when it shows again.
  private func unseenOwners(_ uid: String) -> Int {
    guard server.switches.makesUIDs else { return 0 }
    return story.acts.count { $0.kind == .localHide && $0.isAbout(uid) }
  }

  /// How often a person had a second item made: each is sent once.
  private func copies(_ uid: String) -> Int {
    ItemText.isMade(uid)
      ? story.steps.count { if case .run(.resolve(_, .both), _) = $0 { true } else { false } } : 0
  }

  /// Each is an edit of all items, as far as anybody can tell.
  private var foldersBroughtBack: Int { story.acts.count { $0.kind == .folderRestore } }

  private var accidents: Int { story.steps.reduce(0) { $0 + $1.events.count } }

  /// So many milliseconds calgw looks for what it has sent: the sum of `CalDAVStorage.latePauses`.
  /// The account goes by what `docs/reliability.md` promises, and takes no number of the engine.
  private static let looksForWrites: Int64 = 3_500

  /// What is not shown in time, at an address that nobody knows, is sent once more. A listing alone
  /// tells of one that the server does not say (`Location`).
  private var mayHideWrites: Bool {
    let switches = server.switches
    return switches.choosesNames
      && (switches.writeLag > 0 || !switches.tellsNames && switches.lag > Self.looksForWrites)
  }

  /// NoPingPong: calgw never sends an item more often than people and accidents gave reason to.
  func checkPingPong() {
    if mayHideWrites { return }
    for uid in wire.puts.keys.sorted() {
      let most =
        (oracle.saves[uid] ?? 0) + accidents + story.memoryLosses + copies(uid)
        + unseenOwners(uid)
      guard let count = wire.puts[uid], count > most else { continue }
      violate("NoPingPong", "\(uid) was sent \(count) times, and \(most) is the most")
    }
  }
}

extension Story {
  /// Somebody kept calgw from reading the file of an item.
  fileprivate func hides(_ uid: String) -> Bool {
    acts.contains { $0.kind == .localHide && $0.isAbout(uid) }
  }
}
