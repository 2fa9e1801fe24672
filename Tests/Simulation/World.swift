import CalDAVStorage
import SyncExecution
import SyncModel
import SyncPlanning
public import TestSupport
import VdirStorage

/// A folder, a server, a journal, people who use them, and calgw, all in memory and on one thread.
///
/// The engine and the storages are the production ones; what is below them is modelled.
public final class World: @unchecked Sendable {
  // Touched by the thread of its executor alone.
  static let folderAbove = "/home/ann"
  static let folderName = "calendar"
  static let folder = folderAbove + "/" + folderName
  static let calendar = "/calendars/alice/work/"
  static let calendarElsewhere = "/calendars/alice/renamed/"
  private static let zones = ItemZones(.machine)
  /// A run takes a thousandth of a second on average, which is thousands of steps at most, and the
  /// longest ones some hours of their own: somebody thinks for one (C9.7), or each request is slow.
  static let mostOfARun = StepExecutor.Limits(steps: 5_000_000, milliseconds: 48 * 3_600_000)

  let story: Story
  public let executor: StepExecutor
  let files = ModelFileSystem()
  let server: ModelServer
  let director = Director()
  let oracle: Oracle
  private(set) var journal = MemoryJournal()
  /// What the journal's collection stands for.
  private var identity: String?
  /// How far the client's clock is ahead of the true one, and the server's, in milliseconds.
  var clientSkew: Int64 = 0
  var serverSkew: Int64 { skew.value }
  private let skew: Skew
  private(set) lazy var wire = Wire(self)
  private(set) lazy var disk = DiskWatch(self)
  private(set) lazy var transport = SimulatedTransport(self, seed: story.chance ^ 0x5EED)
  private(set) lazy var people = People(self)
  private var clientSurroundings: Surroundings
  /// A second calgw with a folder of its own; made when it is first needed.
  private(set) lazy var other = OtherClient(self)
  var violations: [Violation] = []
  /// Names of the catalogue that really acted: once a story.
  public private(set) var hits: [String: Int] = [:]
  private(set) var runsSoFar = 0
  /// A run never ended: what it holds the next one may wait for.
  private var isGivenUp = false
  private(set) var effectsOfLastRun = 0
  /// How much of what the story says of it happened in it.
  private(set) var struckInLastRun = 0
  /// What the folder held when the power was cut in the last run; nil where it was not.
  private(set) var folderAtDeath: [FileName: [UInt8]]?
  /// A journal that comes back knows nothing of what calgw itself did since.
  private(set) lazy var hasJournalRestores = story.acts.contains { $0.kind == .journalRestore }
  /// Of this run: whose deletion on a side nobody said yes to.
  var denied: [Side: Set<String>] = [:]
  /// Items to whose deletion somebody said yes in this run.
  var confirmed: [Side: Set<String>] = [:]
  /// Nobody disturbs any more.
  var isSettling = false
  /// What calgw is called for at the moment.
  private(set) var errand = Errand.sync
  /// The conflicts that the last run told of.
  var waiting: [ItemID] = []
  /// What the runs learned of the server, which stands beside the journal.
  private(set) var learned: CalDAVAccount.Learned?
  /// Meetings that wait until somebody says yes to them, which stands there, too.
  private(set) var held: Set<ItemID> = []
  /// A copy of the journal, what it stands for, and what stands beside it.
  private var saved: SavedJournal?
  /// The journal was lost, and no run has come to its end since: what it does not know when a run
  /// begins may not be deleted by that.
  var isJournalNew = false

  public init(_ story: Story, keepsLines: Bool = false) {
    self.story = story
    let executor = StepExecutor(seed: story.chance)
    self.executor = executor
    let skew = Skew()
    self.skew = skew
    var serverSurroundings = executor.surroundings
    serverSurroundings.now = { Instant(milliseconds: executor.clock + skew.value) }
    var switches = ModelSwitches()
    story.applyTraits(to: &switches)
    // Who answers an unknown token with everything would never come to the last page of it.
    if switches.pageSize != nil, switches.invalidTokenListsAll { switches.tokenLifetime = nil }
    server = ModelServer(switches, surroundings: serverSurroundings)
    clientSurroundings = executor.surroundings
    oracle = Oracle()
    prepare(keepsLines: keepsLines)
  }

  private func prepare(keepsLines: Bool) {
    makeCalendar()
    clientSurroundings.now = { [unowned self] in
      Instant(milliseconds: executor.clock + clientSkew)
    }
    files.follow { [unowned self] in executor.clock + clientSkew }
    files.setUmask(0o022)
    files.makeFolders(World.folder)
    files.setNameFolding(story.nameFolding)
    if story.traits.contains("C2.32") { files.setGranularity(2_000_000_000) }
    director.trace = Trace(keepsLines: keepsLines)
    director.perform = { [unowned self] act, call in people.act(act, during: call) }
    director.note = { [unowned self] name in
      // Without a write of which nobody knows what became of it there is nothing to recover.
      note(name == "C1.11" && journal.state.intents.isEmpty ? "C1.1" : name)
    }
    files.direct { [unowned self] in fileVerdict($0, $1, isEffect: $2) }
    files.watch { [unowned self] _ in disk.look() }
    journal = makeJournal(JournalState())
  }

  func makeCalendar() {
    let kinds = story.traits.contains("C6.37") ? ["VEVENT"] : nil
    server.makeCalendar("work", displayName: "Work", components: kinds)
  }

  func note(_ name: String) { hits[name] = 1 }

  func violate(_ rule: String, _ what: String) {
    // The first one tells; the rest is mostly what follows from it.
    guard violations.count < 20 else { return }
    violations.append(Violation(rule: rule, what: what, run: runsSoFar))
    director.trace.add("VIOLATION \(rule): \(what)")
  }

  // MARK: Ports

  private func makeJournal(_ state: JournalState) -> MemoryJournal {
    let fuse = Fuse()
    fuse.direct { [unowned self] in journalVerdict($0, isEffect: $1) }
    return MemoryJournal(state, fuse: fuse)
  }

  /// Puts another journal in the place of this one, as a person does with a backup.
  func replaceJournal(by state: JournalState) {
    journal = makeJournal(state)
    waiting = []
  }

  private func fileVerdict(_ operation: FileOperation, _ name: FileName?, isEffect: Bool)
    -> ModelFileSystem.Verdict
  {
    // Another calgw works in its own folder.
    if other.isRunning { return .carryOut }
    let call = Self.callNames[operation] ?? ""
    defer { disk.note(operation, name) }
    switch director.reach("files", call, isEffect: isEffect) {
    case .carryOut: return unsupported(operation)
    case .stop: return .stop
    case .carryOutAndStop: return .carryOutAndStop
    case .strike(let fault):
      guard case .file(let code, let partial, let isDone) = fault.effect else { return .carryOut }
      return .fail(code, partial: partial, isDone: isDone)
    }
  }

  /// Naming a case takes longer than carrying out the call.
  private static let callNames = Dictionary(
    uniqueKeysWithValues: FileOperation.allCases.map { ($0, "files.\($0)") })

  private func unsupported(_ operation: FileOperation) -> ModelFileSystem.Verdict {
    guard story.traits.contains("C2.33"),
      [.exchange, .renameNoReplace, .link].contains(operation)
    else { return .carryOut }
    note("C2.33")
    return .fail(22, partial: nil, isDone: false)
  }

  private func journalVerdict(_ call: String, isEffect: Bool) -> Fuse.Verdict {
    if call == "openIntents" { noteUnclearWrites() }
    switch director.reach("journal", "journal.\(call)", isEffect: isEffect) {
    case .carryOut: return .carryOut
    case .stop: return .stop
    case .carryOutAndStop: return .carryOutAndStop
    case .strike(let fault):
      guard case .journal(let kind) = fault.effect else { return .carryOut }
      return .fail(JournalError(kind, fault.title))
    }
  }

  // MARK: Runs

  /// One run of calgw, with what the story says of it. Nil: it was killed.
  func run(
    _ errand: Errand, _ events: [Story.Event], _ change: (inout SyncOptions) -> Void = { _ in }
  ) -> CollectionReport? {
    runsSoFar += 1
    director.trace.add("run \(runsSoFar)")
    self.errand = errand
    director.begin(events)
    disk.begin()
    wire.unguarded = 0
    wire.unnoticed.beginRun()
    wire.newCalendar.beginRun()
    (denied, confirmed) = ([:], [:])
    forgetLostWrites()
    folderAtDeath = nil
    var settled = options
    change(&settled)
    let report = undisturbed(errand, settled, journal)
    noteUnsupported(report)
    let wasKilled = director.isStopped
    if let report, !wasKilled { for line in report.inWords { director.trace.add("  " + line) } }
    if wasKilled { mourn() }
    wire.newCalendar.endRun(wasKilled ? nil : report, isDisturbed: !events.isEmpty)
    checkAnswers()
    (effectsOfLastRun, struckInLastRun) = (director.effects, director.struck)
    director.end()
    disk.end()
    return wasKilled ? nil : report
  }

  /// Room for some items, and for none of them beside others that come one by one.
  private var bytesAtOnce: Int {
    story.traits.contains(Trait.littleMemory.name) ? 3_000 : StorageTraits.usualBytesAtOnce
  }

  /// What the story asks of every run.
  var options: SyncOptions {
    var options = SyncOptions()
    options.policy = story.policy
    options.direction = story.direction
    options.shouldStop = { [unowned self] in director.isInterrupted }
    options.invitations.held = held
    options.invitations.keep = { [unowned self] in held = $0 }
    if isSettling { options.invitations.answer = .asked { _ in true } }
    if story.reply != nil || story.traits.contains(Trait.questions), !isSettling {
      options.confirmDeletion = { [unowned self] item, side in await answer(item, side) }
    }
    return options
  }

  /// A run with these options and this journal.
  func undisturbed(_ errand: Errand, _ options: SyncOptions, _ journal: MemoryJournal)
    -> CollectionReport?
  {
    let access = VdirAccess(
      files: files, digest: sha256, surroundings: clientSurroundings, bytesAtOnce: bytesAtOnce)
    return finish { await self.carryOut(errand, options, access, self.transport, journal) }
  }

  private func finish(_ body: @escaping @Sendable () async -> CollectionReport)
    -> CollectionReport?
  {
    if isGivenUp { return nil }
    do {
      return try executor.run(within: Self.mostOfARun, body)
    } catch {
      isGivenUp = true
      violate("Progress", "the run never ends: \(error)")
      return nil
    }
  }

  /// What the death of the process leaves.
  private func mourn() {
    if let seed = director.powerCut {
      // Saved in place, into a file that calgw had put there a moment before.
      let unnamed = files.unsettled(in: World.folder)
      let before = files.contents(of: World.folder).mapValues(\.data)
      folderAtDeath = before
      files.crash(seed: seed)
      let now = files.contents(of: World.folder).mapValues(\.data)
      notePowerCut(before: before, after: now)
      // What the old name of a draft leads to is a draft, and goes.
      let left = now.filter { !$0.key.isDraft }.map(\.value)
      for (name, bytes) in unnamed where !left.contains(bytes) {
        oracle.forget(bytes, at: name.text, on: .local)
      }
      // An exchange of names that was in the cache alone is undone: what no history has any more
      // is where it was before.
      if hasJournalRestores { rehomeWhatIsElsewhere { side, _ in side == .local } }
    } else {
      files.kill()
    }
  }

  /// What the composition does: opens both sides, and begins anew where a folder is another one.
  func carryOut(
    _ errand: Errand, _ options: SyncOptions, _ access: VdirAccess, _ transport: SimulatedTransport,
    _ journal: MemoryJournal, folder: String = World.folder
  ) async -> CollectionReport {
    var failed = CollectionReport(name: "work")
    do throws(StorageError) {
      let local = try VdirStorage.open(path: Array(folder.utf8), access: access)
      // The folder that was listed a moment ago is the one that is opened, or none is.
      if folder == World.folder, let identity, identity != mark {
        throw StorageError(.vanished, "another folder has taken its place")
      }
      let (account, remote): (CalDAVAccount, CalDAVStorage)
      do throws(StorageError) {
        (account, remote) = try await openCalendar(transport)
      } catch {
        failed.failure = .storage(.remote, error)
        return failed
      }
      var options = options
      options.zones = Self.zones
      let engine = CollectionSync(
        name: "work", local: local, remote: remote, journal: journal,
        surroundings: access.surroundings, digest: sha256, options: options)
      let report = await errand.run(engine)
      if transport.isObserved, !director.isStopped { learned = account.learned }
      return report
    } catch {
      failed.failure = .storage(.local, error)
      return failed
    }
  }

  private func openCalendar(
    _ transport: SimulatedTransport
  ) async throws(StorageError) -> (CalDAVAccount, CalDAVStorage) {
    var options = CalDAVAccount.Options()
    options.bytesAtOnce = bytesAtOnce
    if transport.isObserved { options.learned = learned }
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + ModelServer.homePath]), foundAt: clientSurroundings.now())
    let account = try CalDAVAccount(
      url: ModelServer.origin + "/",
      credentials: .init(username: Array("alice".utf8), password: Array("secret".utf8)),
      transport: transport, surroundings: clientSurroundings, digest: sha256, options: options)
    let listed = try await account.listCollections()
    guard let mine = listed.first(where: { $0.href.text == World.calendar }) else {
      throw StorageError(.vanished, "the calendar is not listed")
    }
    return (account, try await account.openCalendar(mine))
  }

  /// What makes the folder the one that it is.
  private var mark: String? {
    let status = files.status(World.folderName, in: World.folderAbove)
    return status.map { "\($0.identity.device) \($0.identity.inode)" }
  }

  /// The composition sets an agreement aside where the folder is another one than last time.
  func checkIdentity() {
    guard let now = mark else { return }
    if let identity, identity != now { replaceJournal(by: journal.state.retired()) }
    identity = now
  }

  func copyJournal() {
    saved = SavedJournal(state: journal.state, identity: identity, learned: learned, held: held)
  }

  /// Brings the copy back; false where there is none.
  func restoreJournal() -> Bool {
    guard let saved else { return false }
    replaceJournal(by: saved.state)
    identity = saved.identity
    learned = saved.learned
    held = saved.held
    isJournalNew = false
    return true
  }

  func loseJournal() {
    replaceJournal(by: JournalState())
    identity = nil
    learned = nil
    held = []
    isJournalNew = true
  }

  /// Between runs: the first line of every run.
  func setServerSkew(_ value: Int64) { skew.value = value }
}

/// A backup of a journal.
private struct SavedJournal {
  var state: JournalState
  var identity: String?
  var learned: CalDAVAccount.Learned?
  var held: Set<ItemID>
}

/// A number that the server's clock and the world share.
private final class Skew: @unchecked Sendable {
  // One thread, as all of a world.
  var value: Int64 = 0
}

/// A promise that was broken.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The invariant's name, as in docs/reliability.md.
  public let rule: String
  public let what: String
  /// The number of the run in which it showed.
  public let run: Int

  public var description: String { "\(rule) (run \(run)): \(what)" }
}
