import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What a run over one item, to settle or to restore it, says of others: nothing, the next sync
/// does.
@Suite struct OneItemTests {
  /// Half an item, and one that does not even tell whose it is.
  private static let half = ItemData(
    bytes: Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:dentist\r\n".utf8))
  private static let nobody = ItemData(bytes: Array("BEGIN:VCALENDAR\r\n".utf8))

  private func agreedWorld(_ uids: String...) throws -> World {
    let world = World()
    for uid in uids { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  @Test func `who settles or restores one item is told of no other`() throws {
    let world = try agreedWorld("dentist", "gym", "lunch", "walk")
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    world.local.put(Href("gym.ics"), Self.nobody)
    world.local.put(Href("again.ics"), World.event("lunch", "A"))
    world.local.put(Href("odd.ics"), Self.nobody)
    world.remote.obstruct(
      Href("walk.ics"), ItemProblem(.unreadable, "no answer", hint: "wait"))
    let sync = try world.sync { $0.policy = .ask }
    #expect(sync.conflicts.count == 1)
    #expect(
      Set(sync.problems.map(\.problem.code)) == [.incomplete, .duplicateUID, .unreadable])
    for isDryRun in [true, false] {
      let settled = try world.asPerson(isDryRun: isDryRun) {
        await $0.resolve(ItemID("dentist"), taking: .local)
      }
      #expect(settled.problems.isEmpty && settled.conflicts.isEmpty, "\(settled.problems)")
      #expect(settled.pushed.updated == 1)
    }
    #expect(world.letter("dentist", on: .remote) == "B")
    for isDryRun in [true, false] {
      let restored = try world.asPerson(isDryRun: isDryRun) {
        await $0.restore(World.event("dentist", "A"), as: ItemID("dentist"))
      }
      #expect(restored.problems.isEmpty && restored.conflicts.isEmpty, "\(restored.problems)")
    }
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "A") }
    #expect(try world.sync().problems.count == sync.problems.count)
  }

  @Test(arguments: ConflictChoice.allCases)
  func `what is the matter with this one is told`(choice: ConflictChoice) throws {
    let world = try agreedWorld("dentist", "gym")
    world.local.put(Href("again.ics"), World.event("dentist", "B"))
    let twice = try world.asPerson { await $0.resolve(ItemID("dentist"), taking: choice) }
    #expect(twice.problems.map(\.problem.code) == [.duplicateUID, .duplicateUID])

    world.local.remove(Href("again.ics"))
    world.local.put(Href("dentist.ics"), Self.nobody)
    world.set("dentist", "-", on: .remote)
    let broken = try world.asPerson { await $0.resolve(ItemID("dentist"), taking: choice) }
    #expect(broken.problems.map(\.problem.code) == [.incomplete])
  }

  @Test func `so is the file of another item that holds it by now`() throws {
    let world = try agreedWorld("gym", "walk")
    world.set("dentist", "A", on: .remote)
    world.local.put(Href("gym.ics"), Self.half)
    world.local.put(Href("walk.ics"), Self.nobody)
    let report = try world.asPerson { await $0.resolve(ItemID("dentist"), taking: .remote) }
    #expect(report.problems.contains { $0.item.file == Href("gym.ics") }, "\(report.problems)")
    #expect(report.problems.contains { $0.item.uid == ItemID("dentist") }, "\(report.problems)")
    #expect(!report.problems.contains { $0.item.file == Href("walk.ics") })
  }

  /// Under the name that it had, which is none of calgw's, or under one of calgw's.
  @Test(arguments: ["odd name.ics", "dentist.ics"], [true, false])
  func `so is what a restore has put back that tells nothing of whose it is`(
    name: String, isDryRun: Bool
  ) throws {
    let world = try agreedWorld("gym", "walk")
    let file = Href(name)
    world.local.put(file, World.event("dentist", "A"))
    _ = try world.sync()
    let there = world.remote.items.first {
      String(decoding: $0.value.bytes, as: UTF8.self).contains("UID:dentist\r\n")
    }
    world.remote.remove(try #require(there?.key))
    _ = try world.sync()
    #expect(world.letter("dentist", on: .local) == "-")
    world.local.put(Href("walk.ics"), Self.nobody)
    let report = try world.asPerson(isDryRun: isDryRun) {
      await $0.restore(
        Self.nobody, as: ItemID("dentist"), from: FormerPlace(side: .local, href: file))
    }
    #expect(report.problems.map(\.problem.code) == [.incomplete], "\(report.problems)")
    #expect(report.problems.first?.item.file == file)
    #expect(world.local.items.keys.contains(file) != isDryRun)
  }
}

extension World {
  /// A dry run works on a copy of the journal.
  fileprivate func asPerson(
    isDryRun: Bool = false,
    _ act: @escaping @Sendable (CollectionSync) async -> CollectionReport
  ) throws -> CollectionReport {
    var options = SyncOptions()
    options.isDryRun = isDryRun
    let engine = CollectionSync(
      name: "test", local: local, remote: remote,
      journal: isDryRun ? MemoryJournal(journal.state) : journal,
      surroundings: surroundings, digest: sha256, options: options)
    return try executor.run { await act(engine) }
  }
}
