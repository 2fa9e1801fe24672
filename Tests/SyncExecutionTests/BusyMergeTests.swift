import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Two people who go on changing titles and places of the same items, each on his side, while calgw
/// merges, is killed, and runs again. Nothing is left to a person, and nothing that was saved is
/// lost: it is on a side or in the history.
@Suite struct BusyMergeTests {
  @Test(arguments: [false, true], 0..<4)
  func `everything is merged and nothing is lost`(serverRewrites: Bool, block: Int) throws {
    var merges = 0
    for seed in (block * 25)..<(block * 25 + 25) {
      merges += try check(seed: UInt64(seed), serverRewrites)
    }
    #expect(merges > 20)
  }

  private func check(seed: UInt64, _ serverRewrites: Bool) throws -> Int {
    var merges = 0
    var random = SeededRandom(seed: seed &+ 77)
    let world =
      serverRewrites ? World(seed: seed, rewrite: ScenarioText.rewritten) : World(seed: seed)
    let editors = Editors(world)
    for uid in editors.uids { world.set(uid, "AAA", on: .local) }
    _ = try world.sync()
    for _ in 0..<5 {
      for _ in 0..<random.below(5) {
        world.executor.advance(Int64(random.below(4)) * 2_500)
        editors.act(&random)
      }
      editors.plan(on: random.chance(50) ? .local : .remote, after: random.below(9), random.next())
      if random.chance(50) {
        world.fuse.stop(
          at: world.fuse.effects + 1 + random.below(10), random.chance(50) ? .before : .after)
      }
      let report = try world.sync()
      #expect(report.conflicts.isEmpty, "seed \(seed)")
      merges += report.merged
      world.fuse.replace()
      for side in Side.allCases { world.storage(side).beforeNextCall { _ in } }
    }
    for _ in 0..<2 { _ = try world.sync() }
    let writes = world.writes
    let report = try world.sync()
    #expect(report.failure == nil, "seed \(seed)")
    #expect(report.conflicts.isEmpty && report.problems.isEmpty, "seed \(seed)")
    #expect(world.writes == writes, "it goes to and fro, seed \(seed)")
    for uid in editors.uids {
      let letters = Side.allCases.map { world.letters(uid, on: $0, width: 3) }
      #expect(letters[0] == letters[1], "\(uid), seed \(seed)")
    }
    let kept = editors.kept()
    for (uid, text) in editors.saved where !kept.contains(text) {
      Issue.record("a save of \(uid) is lost, seed \(seed)")
    }
    return merges
  }
}

/// Change one property at a time, and remember what each saved last.
private final class Editors: @unchecked Sendable {
  let world: World
  let uids = ["dentist", "gym", "lunch"]
  private var last: [String: ItemData] = [:]
  private var count: UInt8 = 0

  init(_ world: World) { self.world = world }

  var saved: [(String, ItemData)] {
    last.keys.sorted().compactMap { key in last[key].map { (key, $0) } }
  }

  func act(_ random: inout SeededRandom) { act(random.chance(50) ? .local : .remote, &random) }

  private func act(_ side: Side, _ random: inout SeededRandom) {
    guard let uid = random.pick(uids) else { return }
    let names = ["SUMMARY", "LOCATION"]
    guard let name = random.pick(names), let there = world.storage(side).items[Href("\(uid).ics")]
    else { return }
    count = count % 26 + 1
    let letter = Character(UnicodeScalar(64 + count))
    let lines = String(decoding: there.bytes, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(name + ":") ? "\(name):\(uid) \(letter)" : String($0) }
    let text = ItemData(bytes: Array(lines.joined(separator: "\r\n").utf8))
    world.storage(side).put(Href("\(uid).ics"), text)
    last["\(uid) \(side)"] = text
  }

  /// Acts once in the middle of the next run, before some call of a storage.
  func plan(on side: Side, after calls: Int, _ seed: UInt64) {
    world.storage(side).beforeNextCall { [self] _ in
      guard calls <= 0 else {
        plan(on: side, after: calls - 1, seed)
        return
      }
      var random = SeededRandom(seed: seed)
      act(side, &random)
    }
  }

  /// Everything that can still be had: on a side, or in the history.
  func kept() -> Set<ItemData> {
    let state = world.journal.state
    let history = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    return Set(world.local.items.values).union(world.remote.items.values).union(history)
  }
}
