import CalgwKit
import SyncModel
import TestSupport
import Testing

/// A split stopped at each of its effects, and what the next command makes of it.
struct SplitCrashTests {
  /// The effects of the file system that the whole split takes.
  private static func effects() async throws -> Int {
    let world = SplitWorld()
    _ = try await world.desk().carryOut(SplitWorld.changes)
    return world.files.effects
  }

  @Test func `undisturbed it makes both files and leaves no intent`() async throws {
    let world = SplitWorld()
    let outcomes = try await world.desk().carryOut(SplitWorld.changes)
    #expect(outcomes == [.done(Href("new.ics")), .done(Href("old.ics"))])
    #expect(world["old.ics"] == SplitWorld.shortened)
    #expect(world["new.ics"] == SplitWorld.new)
    #expect(try await world.journal.openIntents().isEmpty)
    let kept = try await world.journal.history(of: ItemID("old")).map(\.entry.before)
    #expect(kept == [sha256(SplitWorld.old)])
  }

  @Test(arguments: ModelFileSystem.Fuse.Moment.allCases, [true, false])
  func `stopped at any effect on the files, every occurrence is there, and once in the end`(
    moment: ModelFileSystem.Fuse.Moment, isPowerCut: Bool
  ) async throws {
    for effect in 1...(try await Self.effects()) {
      for seed in 1...(isPowerCut ? UInt64(10) : 1) {
        var world = SplitWorld()
        world.files.stop(at: .init(effect: effect, moment: moment))
        _ = try? await world.desk().carryOut(SplitWorld.changes)
        if isPowerCut { world.files.crash(seed: seed) }
        world.restart()
        try await requireWholeThenOnce(&world, "\(moment) effect \(effect) seed \(seed)")
      }
    }
  }

  @Test(arguments: Fuse.Moment.allCases)
  func `stopped at any effect on the journal likewise`(moment: Fuse.Moment) async throws {
    for effect in 1...3 {
      var world = SplitWorld()
      world.fuse.stop(at: effect, moment)
      _ = try? await world.desk().carryOut(SplitWorld.changes)
      world.restart()
      try await requireWholeThenOnce(&world, "\(moment) journal effect \(effect)")
    }
  }

  @Test(arguments: ModelFileSystem.Fuse.Moment.allCases)
  func `stopped while it recovers, the command after that recovers`(
    moment: ModelFileSystem.Fuse.Moment
  ) async throws {
    for first in 1...(try await Self.effects()) {
      var second = 1
      while true {
        var world = SplitWorld()
        world.files.stop(at: .init(effect: first, moment: .after))
        _ = try? await world.desk().carryOut(SplitWorld.changes)
        world.restart()
        world.files.stop(at: .init(effect: second, moment: moment))
        _ = try? await world.desk().finish()
        let wasStopped = world.files.isStopped
        world.restart()
        try await requireWholeThenOnce(&world, "effect \(first), then \(moment) effect \(second)")
        guard wasStopped else { break }
        second += 1
      }
    }
  }

  private func requireWholeThenOnce(_ world: inout SplitWorld, _ place: String) async throws {
    let comment = Comment(rawValue: place)
    try #require(Set(world.visible) == [1, 2, 3, 4], comment)
    _ = try await world.desk().finish()
    try #require(world.visible == [1, 2, 3, 4], comment)
    try #require(try await world.journal.openIntents().isEmpty, comment)
    try #require(try await world.desk().finish() == [], comment)
    // Nobody looks again after this, so a power cut must not take it back.
    world.files.crash()
    world.restart()
    try #require(world.visible == [1, 2, 3, 4], comment)
  }
}

/// What somebody did between the kill and the next command is never undone.
struct SplitMeanwhileTests {
  /// The new series is there, the old one is not shortened yet.
  private func halfDone() async throws -> SplitWorld {
    var world = SplitWorld()
    var effect = 1
    while true {
      world = SplitWorld()
      world.files.stop(at: .init(effect: effect, moment: .after))
      _ = try? await world.desk().carryOut(SplitWorld.changes)
      world.restart()
      if world["new.ics"] != nil, world["old.ics"] == SplitWorld.old { return world }
      effect += 1
    }
  }

  @Test func `half done it is finished`() async throws {
    let world = try await halfDone()
    #expect(try await world.desk().finish() == [.finished(ItemID("old"))])
    #expect(world["old.ics"] == SplitWorld.shortened)
  }

  @Test func `the old series changed: the new one is taken back`() async throws {
    let world = try await halfDone()
    let edited = SplitWorld.series("old", [1, 2, 3, 4, 5])
    world["old.ics"] = edited
    #expect(try await world.desk().finish() == [.undone(ItemID("old"))])
    #expect(world["old.ics"] == edited)
    #expect(world["new.ics"] == nil)
  }

  @Test func `the new series changed: the old one is shortened`() async throws {
    let world = try await halfDone()
    let edited = SplitWorld.series("new", [3, 4, 9])
    world["new.ics"] = edited
    #expect(try await world.desk().finish() == [.finished(ItemID("old"))])
    #expect(world["new.ics"] == edited)
    #expect(world["old.ics"] == SplitWorld.shortened)
  }

  @Test func `both changed: both are left alone, and it is told once`() async throws {
    let world = try await halfDone()
    world["new.ics"] = SplitWorld.series("new", [9])
    world["old.ics"] = SplitWorld.series("old", [8])
    #expect(try await world.desk().finish() == [.leftAlone(ItemID("old"))])
    #expect(world.visible == [8, 9])
    #expect(try await world.desk().finish() == [])
  }

  @Test func `the new series deleted: the old one stays whole`() async throws {
    let world = try await halfDone()
    world["new.ics"] = nil
    #expect(try await world.desk().finish() == [])
    #expect(world["old.ics"] == SplitWorld.old)
  }

  @Test func `the old series deleted: the new one stays`() async throws {
    let world = try await halfDone()
    world["old.ics"] = nil
    #expect(try await world.desk().finish() == [.leftAlone(ItemID("old"))])
    #expect(world["new.ics"] == SplitWorld.new)
  }

  @Test func `somebody is faster with the old series: nothing is there twice`() async throws {
    let world = SplitWorld()
    let edited = SplitWorld.series("old", [1, 2, 3, 4, 5])
    world["old.ics"] = edited
    let outcomes = try await world.desk().carryOut(SplitWorld.changes)
    #expect(outcomes == [.done(Href("new.ics")), .changedMeanwhile])
    #expect(world["old.ics"] == edited)
    #expect(world["new.ics"] == nil)
    #expect(try await world.journal.openIntents().isEmpty)
  }
}
