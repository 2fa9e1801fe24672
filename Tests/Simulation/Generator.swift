import SyncExecution
import SyncPlanning
import TestSupport

extension Story {
  /// A random story: a seed gives the same one on every machine.
  ///
  /// One world is made and then perturbed on both sides, so that most items are related; between
  /// and during the runs people go on, and things break.
  public init(seed: UInt64) {
    var generator = Generator(seed: seed)
    self = generator.story()
  }
}

private struct Generator {
  private var random: SeededRandom
  /// Of what came later: a seed's story is else as it was before.
  private var later: SeededRandom
  private var version = 0
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xC0FF_EE00)
    later = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x70_0C4ED)
  }

  private static let uids = [
    "dentist", "gym", "meeting", "odd", "task", "weekly", "weekly2", "flight", "choir", "walk",
    "meeting2", "bank",
  ]

  /// Small ones: what breaks a promise mostly takes two items and two runs, and many small worlds
  /// meet it sooner than few large ones.
  mutating func story() -> Story {
    var story = Story(chance: seed &+ 1)
    story.traits = traits()
    story.policy =
      random.pick([.merge, .merge, .merge, .merge, .newest, .local, .remote, .ask]) ?? .merge
    if random.chance(6) { story.direction = random.chance(50) ? .pull : .push }
    let count = random.chance(5) ? 12 : 1 + random.below(4)
    let first = random.below(Self.uids.count)
    let uids = Array((Self.uids[first...] + Self.uids[..<first]).prefix(count))
    story.steps = base(uids)
    let backup = random.chance(15) ? backup() : nil
    if let backup { story.steps.append(.act(Act(backup.copy))) }
    for _ in 0..<(random.pick([1, 1, 1, 2, 2, 3]) ?? 1) {
      for _ in 0..<random.below(count + 2) { story.steps.append(.act(edit(uids))) }
      if random.chance(45) { story.steps += editsOfBoth(uids).map(Story.Step.act) }
      if random.chance(25) { story.steps.append(.act(oddity(uids))) }
      if story.nameFolding == .accents {
        story.steps.append(.act(act(.localRecase, random.pick(uids) ?? "gym")))
      }
      if let backup, random.chance(25) { story.steps.append(.act(Act(backup.restore))) }
      story.steps.append(.run(.sync, events(uids)))
      if random.chance(18) {
        let command = command(uids)
        story.steps.append(.run(command, random.chance(50) ? events(uids) : []))
      }
      if random.chance(15) {
        story.steps.append(.wait(random.pick([100, 3_000, 200_000, 90_000_000]) ?? 100))
      }
    }
    if random.chance(6) { story.traits.append(Trait.littleMemory.name) }
    if random.chance(8) { askQuestions(in: &story, uids) }
    if random.chance(3) { story.traits.append(Trait.counter.name) }
    if random.chance(5) { story.traits.append(Trait.attachments.name) }
    let isSlow = random.chance(4)
    if random.chance(8) { provoke(in: &story, uids) }
    var switches = ModelSwitches()
    story.applyTraits(to: &switches)
    if isSlow, switches.maySlowDown { story.traits.append(Trait.asynchronous.name) }
    if random.chance(6) { story.traits.append(Trait.comparison.name) }
    if later.chance(12) { touch(in: &story, uids) }
    if later.chance(6) { giveOwnUIDs(in: &story) }
    if later.chance(6) { remakeCalendar(in: &story, uids) }
    return story
  }

  /// A server that is plain but for that, and may store them at addresses of its own as well, and
  /// an item that is new to it.
  private mutating func giveOwnUIDs(in story: inout Story) {
    if story.traits.contains(where: { $0.hasPrefix("C6.") }) { return }
    story.traits.append(Trait.ownUIDs.name)
    if later.chance(30) { story.traits.append(Trait.untoldAddresses.name) }
    let new = act(.localSave, "lunch")
    let kinds: [Act.Kind] = [.localSave, .localDelete, .remoteSave, .remoteDelete]
    let edit = act(later.pick(kinds) ?? .localSave, "lunch")
    story.steps += [.act(new), .run(.sync, []), .act(edit), .run(.sync, [])]
  }

  /// A server that is plain but for that, and a calendar that is made anew and has seen as much by
  /// the next run as the former one had, or less.
  private mutating func remakeCalendar(in story: inout Story, _ uids: [String]) {
    if story.traits.contains(where: { $0.hasPrefix("C6.") }) { return }
    story.traits.append(Trait.formerTokens.name)
    var steps: [Story.Step] = [.run(.sync, []), .act(Act(.calendarRemake))]
    for _ in 0..<(1 + later.below(10)) {
      steps.append(.act(act(.remoteSave, later.pick(uids + ["lunch"]) ?? "gym")))
    }
    if later.chance(40) { steps.append(.act(act(.localSave, later.pick(uids) ?? "gym"))) }
    guard let index = laterRun(of: story) else {
      story.steps += steps + [.run(.sync, [])]
      return
    }
    story.steps.insert(contentsOf: steps, at: index)
  }

  /// A sync after the first one, which makes both sides agree.
  private mutating func laterRun(of story: Story) -> Int? {
    let runs = story.steps.indices.filter { index in
      if case .run(.sync, _) = story.steps[index] { true } else { false }
    }
    return later.pick(Array(runs.dropFirst()))
  }

  /// A program touches an item on one side, before a run or while it is on, and on the other side
  /// somebody mostly edits or deletes it, or touches it, too.
  private mutating func touch(in story: inout Story, _ uids: [String]) {
    let uid = later.pick(uids) ?? "gym"
    let isLocal = later.chance(50)
    let others: [Act.Kind?] =
      isLocal
      ? [nil, .remoteSave, .remoteSave, .remoteDelete, .remoteTouch]
      : [nil, .localSave, .localSave, .localDelete, .localTouch]
    var acts = [act(isLocal ? .localTouch : .remoteTouch, uid)]
    if let other = later.pick(others) ?? nil { acts.append(act(other, uid)) }
    if later.chance(50) { acts.reverse() }
    guard let index = laterRun(of: story), case .run(let command, var events) = story.steps[index]
    else {
      story.steps += acts.map(Story.Step.act) + [.run(.sync, [])]
      return
    }
    if later.chance(25) {
      events.append(
        Story.Event(at: Story.Moment("effect", 1 + later.below(12)), .act(acts.removeLast())))
      story.steps[index] = .run(command, events)
    }
    story.steps.insert(contentsOf: acts.map(Story.Step.act), at: index)
  }

  /// What would act in too few stories by chance alone: a server that is odd, and at once somebody
  /// or something that meets just that.
  private mutating func provoke(in story: inout Story, _ uids: [String]) {
    let uid = random.pick(uids) ?? "gym"
    let other = act(.remoteSave, uid)
    func run(_ call: String, _ happening: Story.Happening) -> Story.Step {
      .run(.sync, [Story.Event(at: Story.Moment(call, 1), happening)])
    }
    switch random.below(8) {
    case 0:
      story.traits.append("C6.31")
      story.steps += [
        .act(act(.localSave, "lunch")), run("http.PUT", .fault("C4.24", isSticky: false)),
      ]
    case 1:
      story.traits.append("C6.32")
      story.steps += [.act(act(.localSave, uid)), run("http.PUT", .act(other))]
    case 2, 3:
      story.traits.append(random.chance(50) ? "C6.33" : "C6.34")
      let new = act(.remoteSave, "lunch")
      story.steps += [.act(act(.localSave, "lunch")), run("http.PUT", .act(new))]
    case 4:
      story.traits.append("C6.35")
      let deletion = act(.remoteDelete, uid)
      story.steps += [.act(act(.localSave, uid)), run("http.PUT", .act(deletion))]
    case 5:
      story.traits.append("C6.38")
      var once = act(.localSave, "weekly")
      once.part = .once
      story.steps += [
        .act(act(.localSave, "weekly")), .run(.sync, []), .act(once), .run(.sync, []),
      ]
    case 6:
      story.traits.append("C6.49")
      story.steps += [.act(act(.localDelete, uid)), run("http.DELETE", .act(other))]
    default:
      story.steps += [
        .act(act(.localSave, uid)), run("http.PUT", kill()), run("journal.openIntents", kill()),
      ]
    }
  }

  /// Somebody is asked about deletions; while he thinks, others go on, and the program dies.
  private mutating func askQuestions(in story: inout Story, _ uids: [String]) {
    story.traits.append(Trait.questions)
    for index in story.steps.indices {
      guard case .run(let command, var events) = story.steps[index], random.chance(40) else {
        continue
      }
      let happening = random.chance(50) ? kill() : .act(edit(uids))
      events.append(Story.Event(at: Story.Moment("question", 1 + random.below(2)), happening))
      story.steps[index] = .run(command, events)
    }
  }

  /// An older state is mostly brought back where one was kept.
  private mutating func backup() -> (copy: Act.Kind, restore: Act.Kind) {
    random.chance(50) ? (.journalCopy, .journalRestore) : (.folderBackup, .folderRestore)
  }

  private mutating func traits() -> [String] {
    var names: [String] = []
    if random.chance(55) {
      for _ in 0..<(1 + random.below(2)) {
        if let trait = random.pick(Trait.drawn) { names.append(trait.name) }
      }
    }
    if random.chance(15), let trait = random.pick(Trait.disk) { names.append(trait.name) }
    return names
  }

  /// What both sides shared at first: mostly synced before the story begins.
  private mutating func base(_ uids: [String]) -> [Story.Step] {
    var steps: [Story.Step] = []
    for uid in uids where random.chance(85) {
      let kind = random.pick([Act.Kind.bothSave, .localSave, .remoteSave]) ?? .bothSave
      steps.append(.act(act(kind, uid)))
    }
    if random.chance(85) {
      steps.append(.run(.sync, []))
      steps.append(.wait(60_000))
    }
    return steps
  }

  private mutating func act(_ kind: Act.Kind, _ uid: String) -> Act {
    version += 1
    return Act(kind, uid, version)
  }

  // MARK: What people do

  private mutating func edit(_ uids: [String]) -> Act {
    let kinds: [Act.Kind] = [
      .localSave, .localSave, .localSave, .localOverwrite, .localDelete, .localDelete,
      .remoteSave, .remoteSave, .remoteSave, .remoteSave, .remoteDelete, .remoteDelete, .bothSave,
    ]
    let uid = random.pick(uids) ?? "gym"
    var edit = act(random.pick(kinds) ?? .localSave, uid)
    if random.chance(60) { edit.part = part(of: uid) }
    return edit
  }

  /// Both sides edit one item: mostly different parts of it.
  private mutating func editsOfBoth(_ uids: [String]) -> [Act] {
    var acts: [Act] = []
    for _ in 0..<(1 + random.below(2)) {
      let uid = random.pick(uids) ?? "gym"
      var local = act(random.chance(80) ? .localSave : .localOverwrite, uid)
      var remote = act(.remoteSave, uid)
      local.part = part(of: uid)
      remote.part = random.chance(20) ? local.part : part(of: uid)
      acts += [local, remote]
      if random.chance(20) { acts.append(edit([uid])) }
    }
    return acts
  }

  private mutating func part(of uid: String) -> Act.Part {
    var parts: [Act.Part] = [.title, .place, .notes, .words]
    if uid.hasPrefix("task") {
      parts.append(.progress)
    } else {
      parts += [.start, .alarm]
    }
    if uid.hasPrefix("weekly") { parts += [.rule, .off, .off, .once, .once, .moved] }
    return random.pick(parts) ?? .title
  }

  /// What people do rarely.
  private mutating func oddity(_ uids: [String]) -> Act {
    let uid = random.pick(uids) ?? "gym"
    let kinds: [Act.Kind] = [
      .localTruncate, .localHalf, .localRename, .localCopy, .localRecreate, .localBreak,
      .localLeftovers,
      .localConflictCopy, .localSameTime, .localCheckout, .localDirectory, .localLink, .localFIFO,
      .localHide, .localDouble, .remoteRecreate, .remoteRetag, .remoteMove, .remoteCopy,
      .remoteSchedule,
      .remoteZones, .remoteControl, .remoteBreak, .calendarHide, .calendarShow, .accessRevoke,
      .accessGrant,
      .clockStep, .serverClockStep, .journalLose, .journalCopy, .journalRestore, .journalBlank,
      .folderDelete, .folderReplace, .folderUnmount, .folderMount, .folderBackup, .folderRestore,
      .otherSync, .otherSave, .otherDelete, .localRecase, .localExchange,
    ]
    let kind = random.pick(kinds) ?? .localRename
    switch kind {
    case .clockStep, .serverClockStep: return step(kind)
    default: return act(kind, uid)
    }
  }

  /// A clock that is set, by seconds or by a year.
  private mutating func step(_ kind: Act.Kind) -> Act {
    let year = 365 * 86_400_000
    return Act(kind, "-", random.pick([-year, -3_600_000, -2_000, 2_000, 3_600_000, year]) ?? 0)
  }

  /// Somebody takes a change back, or says what is to become of a conflict.
  private mutating func command(_ uids: [String]) -> Story.Command {
    let uid = random.pick(uids) ?? "gym"
    if random.chance(50) { return .restore(uid, random.below(6)) }
    return .resolve(uid, random.pick(ConflictChoice.allCases) ?? .local)
  }

  // MARK: What happens during a run

  private mutating func events(_ uids: [String]) -> [Story.Event] {
    var events: [Story.Event] = []
    let count = random.pick([0, 1, 1, 1, 2, 2, 3]) ?? 0
    for _ in 0..<count {
      let dice = random.below(100)
      if dice < 30 {
        events.append(Story.Event(at: anyMoment(), kill()))
      } else if dice < 65, let fault = random.pick(Catalogue.faults) {
        let call = random.pick(fault.calls) ?? "any"
        let moment = Story.Moment(call, 1 + random.below(4))
        // A journal that is locked is so for long (C3.2), and rarely for a moment (C3.1).
        let isSticky = random.chance(fault.name == "C3.1" ? 50 : 20)
        let lasts = fault.extent == .always || isSticky && !fault.isOnce
        events.append(Story.Event(at: moment, .fault(fault.name, isSticky: lasts)))
      } else if dice < 92 {
        events.append(Story.Event(at: anyMoment(), .act(edit(uids))))
      } else if dice < 96 {
        events.append(Story.Event(at: anyMoment(), .act(oddity(uids))))
      } else if dice < 97 {
        events.append(Story.Event(at: anyMoment(), .act(step(.clockStep))))
      } else {
        events.append(Story.Event(at: anyMoment(), .act(Act(.interrupt))))
      }
    }
    return events
  }

  private mutating func kill() -> Story.Happening {
    .kill(
      isAfter: random.chance(50), powerCut: random.chance(40) ? random.next() >> 16 : nil)
  }

  private mutating func anyMoment() -> Story.Moment {
    let call = random.below(100)
    if call < 40 { return Story.Moment("effect", 1 + random.below(40)) }
    if call < 60 { return Story.Moment("any", 1 + random.below(90)) }
    let calls = [
      "http.PUT", "http.DELETE", "http.REPORT", "http.GET", "http.answer", "http.PROPFIND",
      "journal.begin", "journal.close", "journal.record", "journal.agree", "journal.openIntents",
      "files.exchange", "files.renameNoReplace", "files.write", "files.syncData",
      "files.syncDirectory", "files.unlink", "files.read", "files.readContent", "files.status",
    ]
    return Story.Moment(random.pick(calls) ?? "any", 1 + random.below(4))
  }
}
