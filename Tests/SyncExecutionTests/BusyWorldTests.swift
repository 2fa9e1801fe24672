import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// Two people and other clients who go on editing while calgw runs, is killed, and runs again. When
/// they have stopped, both sides become the same and nothing that anybody saved last is lost.
@Suite struct BusyWorldTests {
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func `nothing is lost and both sides become the same`(block: UInt64) throws {
    for seed in (block * 40)..<(block * 40 + 40) {
      try check(seed: seed)
    }
  }

  /// docs/architecture.md: a run looks, decides and acts at most five times.
  @Test func `an item that somebody saves again and again is left to the next run`() throws {
    let world = World()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    let tries = world.remote.counts.writes
    let listings = Mutex(0)
    let note: @Sendable (SyncProgress) -> Void = { step in
      if step == .listing(.remote) { listings.withLock { $0 += 1 } }
    }
    let saved = Mutex(Character("-"))
    Self.save("dentist", in: world.remote, beforeEachOf: 100) { letter in
      saved.withLock { $0 = letter }
    }
    let report = try world.sync {
      $0.policy = .local
      $0.progress = note
    }
    #expect(report.failure == nil)
    #expect(report.problems.map(\.item.uid?.text) == ["dentist"])
    #expect((2...5).contains(world.remote.counts.writes - tries))
    // A round lists a side once more where a listing and what it names do not fit together.
    let count = listings.withLock { $0 }
    #expect((2...10).contains(count))
    let last = saved.withLock { $0 }
    #expect(world.letter("dentist", on: .remote) == last)

    world.remote.beforeNextCall { _ in }
    #expect(try world.sync { $0.policy = .local }.problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  /// Saves an item before each of so many calls of a side. That ends, so that a run which goes on
  /// as long as somebody saves fails and does not hang.
  private static func save(
    _ uid: String, in storage: MemoryStorage, beforeEachOf calls: Int,
    note: @escaping @Sendable (Character) -> Void
  ) {
    guard calls > 0 else { return }
    storage.beforeNextCall { storage in
      let letter = Character(UnicodeScalar(UInt8(67 + calls % 24)))
      storage.put(Href("\(uid).ics"), World.event(uid, letter))
      note(letter)
      save(uid, in: storage, beforeEachOf: calls - 1, note: note)
    }
  }

  private func check(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let world = World(seed: seed)
    let people = People(world)
    let policy = random.pick(ConflictPolicy.allCases) ?? .merge
    for _ in 0..<6 { people.act(&random) }
    for _ in 0..<5 {
      let actsAt = (0..<3).map { _ in random.below(12) }
      people.plan(at: actsAt, seed: random.next())
      if random.chance(40) {
        world.fuse.stop(
          at: world.fuse.effects + 1 + random.below(12), random.chance(50) ? .before : .after)
      }
      _ = try world.sync { $0.policy = policy }
      world.fuse.replace()
      world.executor.advance(5_000)
      for _ in 0..<random.below(4) { people.act(&random) }
    }
    people.rest()
    for _ in 0..<3 { _ = try world.sync { $0.policy = policy } }
    let report = try world.sync { $0.policy = policy }
    let comment: Comment = "seed \(seed), policy \(policy)"
    #expect(report.failure == nil, comment)
    #expect(report.problems.filter { $0.problem.code != .massDelete }.isEmpty, comment)
    #expect(report.pulled.total + report.pushed.total == 0, comment)

    let waiting = Set(report.conflicts.compactMap { $0.item.uid?.text })
    let isHeld = report.problems.contains { $0.problem.code == .massDelete }
    for uid in people.uids where !waiting.contains(uid) && !isHeld {
      let letters = Side.allCases.map { world.letter(uid, on: $0) }
      #expect(letters[0] == letters[1], "\(uid): \(comment)")
    }
    let kept = people.kept()
    for (uid, letter) in people.lastSaves where !kept.contains(World.event(uid, letter)) {
      Issue.record("\(uid) \(letter) is lost: \(comment)")
    }
    #expect(world.journal.state.intents.isEmpty, comment)
  }
}

/// Saves and deletes items on both sides, and remembers what it saved last.
private final class People: @unchecked Sendable {
  let world: World
  let uids = ["dentist", "gym", "lunch", "school", "flight"]
  private var saved: [String: [Side: Character]] = [:]
  private var letters = 0

  init(_ world: World) { self.world = world }

  /// What each side's owner saved last and did not delete himself.
  var lastSaves: [(String, Character)] {
    saved.keys.sorted().flatMap { uid in
      Side.allCases.compactMap { side in saved[uid]?[side].map { (uid, $0) } }
    }
  }

  func act(_ random: inout SeededRandom) {
    guard let uid = random.pick(uids) else { return }
    act(uid, random.chance(50) ? .local : .remote, isDeletion: random.chance(25))
  }

  private func act(_ uid: String, _ side: Side, isDeletion: Bool) {
    if isDeletion {
      guard world.letter(uid, on: side) != "-" else { return }
      for (href, data) in world.storage(side).items
      where String(decoding: data.bytes, as: UTF8.self).contains("UID:\(uid)\r\n") {
        world.storage(side).remove(href)
      }
      // Who deletes what both sides show, gives up both saves of it; the history has them anyway.
      saved[uid] = nil
    } else {
      letters += 1
      let letter = Character(UnicodeScalar(UInt8(33 + letters % 90)))
      guard letter != "-", letter != "2" else { return }
      let data = World.event(uid, letter)
      let storage = world.storage(side)
      let names = storage.items.filter {
        String(decoding: $0.value.bytes, as: UTF8.self).contains("UID:\(uid)\r\n")
      }.map(\.key).sorted()
      storage.put(names.first ?? Href("\(uid).ics"), data)
      saved[uid, default: [:]][side] = letter
    }
  }

  /// Acts in the middle of the next run, before some calls of the storages.
  func plan(at calls: [Int], seed: UInt64) {
    for side in Side.allCases {
      hook(side, after: calls.min() ?? 0, seed: seed, left: calls.count)
    }
  }

  private func hook(_ side: Side, after calls: Int, seed: UInt64, left: Int) {
    guard left > 0 else { return }
    world.storage(side).beforeNextCall { [self] _ in
      var random = SeededRandom(seed: seed &+ UInt64(left))
      if calls <= 0, let uid = random.pick(uids) {
        act(uid, side, isDeletion: random.chance(20))
        hook(side, after: random.below(4), seed: random.next(), left: left - 1)
      } else {
        hook(side, after: calls - 1, seed: seed, left: left)
      }
    }
  }

  func rest() {
    for side in Side.allCases { world.storage(side).beforeNextCall { _ in } }
  }

  /// Everything that can still be had: on a side, or in the history.
  func kept() -> Set<ItemData> {
    let state = world.journal.state
    let history = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    return Set(world.local.items.values).union(world.remote.items.values).union(history)
  }
}
