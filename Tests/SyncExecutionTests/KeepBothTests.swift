import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Both versions of a conflict are kept, whatever became of second items that were made before of
/// the same text, as where a folder under version control brings one back.
@Suite struct KeepBothTests {
  /// What becomes of the first second item, before the same text is in a conflict again.
  enum Fate: CaseIterable {
    case stays, isRenamed, isEditedHere, isEditedThere, isRenamedAndEdited, isDeletedThere
    case isCutOff, isReplacedByDirectory

    /// The very text stays a second item, and both sides have it.
    var isKept: Bool { [.stays, .isRenamed].contains(self) }
    /// What becomes of it is a matter of its own, and one that no sync settles.
    var isBroken: Bool { [.isCutOff, .isReplacedByDirectory].contains(self) }
    /// What there is of it on the remote side, beside the new one.
    var left: [String] {
      switch self {
      case .stays, .isRenamed, .isDeletedThere, .isReplacedByDirectory: []
      case .isEditedHere, .isEditedThere, .isRenamedAndEdited: ["dentist E"]
      case .isCutOff: ["dentist C"]
      }
    }
  }

  private static let renamed = Href("mine.ics")

  /// The dentist was in a conflict, of which both versions were kept, and is in one with the same
  /// text on the remote side.
  private func again(_ fate: Fate) throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.disagree("B")
    #expect(try world.takeBoth().pulled.created == 1)
    let copy = try #require(world.copy)
    try meet(fate, copy, in: world)
    world.disagree("D")
    return world
  }

  private func meet(_ fate: Fate, _ copy: Href, in world: World) throws {
    let text = try #require(world.local.items[copy])
    let edited = text.replacing("dentist C", with: "dentist E")
    switch fate {
    case .stays: break
    case .isRenamed, .isRenamedAndEdited:
      world.local.remove(copy)
      world.local.put(Self.renamed, fate == .isRenamed ? text : edited)
      _ = try world.sync()
    case .isEditedHere: world.local.put(copy, edited)
    case .isEditedThere: world.remote.put(copy, edited)
    case .isDeletedThere: world.remote.remove(copy)
    case .isCutOff: world.local.put(copy, text.upTo("SUMMARY"))
    case .isReplacedByDirectory:
      world.local.remove(copy)
      _ = try world.sync()
      world.local.obstruct(copy, ItemProblem(.notAFile, "it is a directory", hint: "Move it."))
    }
  }

  @Test(arguments: Fate.allCases)
  func `the same text again is kept again`(fate: Fate) throws {
    let world = try again(fate)
    let dry = try world.takeBoth(isDryRun: true)
    #expect(world.titles(.remote).contains("dentist C"))
    let run = try world.takeBoth()
    #expect(run.problems.isEmpty && run.conflicts.isEmpty && run.failure == nil, "\(run)")
    #expect(dry.pulled == run.pulled && dry.pushed == run.pushed, "\(dry)")
    #expect(run.pulled.created == (fate.isKept ? 0 : 1))
    #expect(run.pushed.created == (fate.isKept ? 0 : 1) && run.pushed.updated == 1)

    let rest = try world.sync()
    #expect(rest.conflicts.isEmpty && rest.problems.isEmpty == !fate.isBroken, "\(rest)")
    let expected = (["dentist C", "dentist D", "gym A"] + fate.left).sorted()
    #expect(world.titles(.remote) == expected)
    if !fate.isBroken { #expect(world.titles(.local) == expected) }
  }

  /// The first one, which was edited, is deleted on both sides by then; the next one has the text,
  /// or is edited, too.
  @Test(arguments: [true, false])
  func `a second item counts also where an earlier one is gone`(isEdited: Bool) throws {
    let world = try again(.isEditedHere)
    #expect(try world.takeBoth().pulled.created == 1)
    _ = try world.sync()
    world.local.remove(try #require(world.file(of: "dentist E")))
    if isEdited {
      let second = try #require(world.file(of: "dentist C"))
      let text = try #require(world.local.items[second])
      world.local.put(second, text.replacing("dentist C", with: "dentist G"))
    }
    _ = try world.sync()
    world.disagree("F")
    let run = try world.takeBoth()
    #expect(run.pulled.created == (isEdited ? 1 : 0) && run.failure == nil, "\(run)")
    _ = try world.sync()
    let expected = ["dentist C", "dentist F"] + (isEdited ? ["dentist G"] : []) + ["gym A"]
    for side in Side.allCases { #expect(world.titles(side) == expected) }
  }

  @Test(arguments: Fuse.Moment.allCases)
  func `a run that is killed anywhere finds its own second item again`(
    moment: Fuse.Moment
  ) throws {
    for number in 1... {
      let world = try again(.isEditedHere)
      let before = world.fuse.effects
      world.fuse.stop(at: before + number, moment)
      _ = try world.takeBoth()
      let isOver = world.fuse.effects < before + number
      world.fuse.replace()
      _ = try world.takeBoth()
      _ = try world.sync()
      for side in Side.allCases {
        #expect(
          world.titles(side) == ["dentist C", "dentist D", "dentist E", "gym A"],
          "killed at \(number)")
      }
      if isOver { break }
    }
  }

  /// Its name is the same as before, since nobody has it any more.
  @Test func `where it cannot be written the conflict stays`() throws {
    let world = try again(.stays)
    let copy = try #require(world.copy)
    world.local.remove(copy)
    _ = try world.sync()
    world.local.refuse(copy, ItemProblem(.refused, "the disk is full", hint: "Make room."))
    let run = try world.takeBoth()
    #expect(run.failure != nil && run.pushed.total == 0, "\(run)")
    #expect(world.titles(.local) == ["dentist D", "gym A"])
    #expect(world.titles(.remote) == ["dentist C", "gym A"])
  }
}

extension World {
  /// The dentist is edited here, and there always to the same text.
  fileprivate func disagree(_ letter: Character) {
    set("dentist", letter, on: .local)
    set("dentist", "C", on: .remote)
  }

  /// Where the second item is.
  fileprivate var copy: Href? {
    local.items.keys.first { ![Href("dentist.ics"), Href("gym.ics")].contains($0) }
  }

  fileprivate func file(of title: String) -> Href? {
    local.items.first { $0.value.text.contains("SUMMARY:\(title)") }?.key
  }

  fileprivate func titles(_ side: Side) -> [String] {
    storage(side).items.values.compactMap { data in
      data.text.split(separator: "\r\n").first { $0.hasPrefix("SUMMARY:") }
        .map { String($0.dropFirst("SUMMARY:".count)) }
    }.sorted()
  }

  /// A dry run works on a copy of the journal.
  fileprivate func takeBoth(isDryRun: Bool = false) throws -> CollectionReport {
    var options = SyncOptions()
    options.isDryRun = isDryRun
    let engine = CollectionSync(
      name: "test", local: local, remote: remote,
      journal: isDryRun ? MemoryJournal(journal.state) : journal, surroundings: surroundings,
      digest: sha256, options: options)
    return try executor.run { await engine.resolve(ItemID("dentist"), taking: .both) }
  }
}

extension ItemData {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

  fileprivate func replacing(_ old: String, with new: String) -> ItemData {
    ItemData(bytes: Array(text.replacing(old, with: new).utf8))
  }

  fileprivate func upTo(_ word: String) -> ItemData {
    let end = text.firstRange(of: word)?.lowerBound ?? text.endIndex
    return ItemData(bytes: Array(text[..<end].utf8))
  }
}
