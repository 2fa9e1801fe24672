import SyncModel
import TestSupport
import Testing
import VdirStorage

/// A person's program that works between any two calls of a batch.
struct EditorTests {
  @Test(arguments: ["replace.ics", "delete.ics", "create.ics"])
  func `a save by rename is in place afterwards, whenever it came`(name: String) async throws {
    for moment in 1...(try await Scene.countCalls()) {
      let scene = try await Scene()
      let outcome = await carryOut(scene, name, at: [moment: { $0.save(name, Scene.edited) }])
      #expect(scene[name] == Scene.edited, "\(name), before call \(moment): \(outcome.result)")
      try await requireSeen(scene, name, outcome, "before call \(moment)")
    }
  }

  @Test(arguments: ["replace.ics", "delete.ics", "create.ics"])
  func `two saves leave the second in place`(name: String) async throws {
    let calls = try await Scene.countCalls(only: name) + 4
    let effects = try await Scene.countEffects(only: name)
    for first in 1..<calls {
      for second in (first + 1)...calls {
        let scene = try await Scene(only: name)
        let counter = await edit(
          scene,
          at: [
            first: { $0.save(name, Scene.edited) }, second: { $0.save(name, Scene.editedAgain) },
          ])
        let last =
          counter >= second ? Scene.editedAgain : counter >= first ? Scene.edited : nil
        guard let last else { continue }
        #expect(scene[name] == last, "\(name), before calls \(first) and \(second)")
        // Each save costs at most two exchanges more.
        #expect(scene.files.effects <= effects + 4, "before calls \(first) and \(second)")
      }
    }
  }

  @Test(arguments: [3, 10])
  func `the last of several saves in a row is in place`(count: Int) async throws {
    let (scene, result, saves) = try await replaceAmidSaves(most: count)
    #expect(saves == count && result == .changedMeanwhile)
    #expect(scene["replace.ics"] == Scene.text("save \(count)"))
  }

  /// What he saved before the last exchange stays aside, from where it goes into the history.
  @Test func `who saves before every exchange is left alone after some, and nothing is lost`()
    async throws
  {
    let effects = try await Scene.countEffects(only: "replace.ics")
    let (scene, result, saves) = try await replaceAmidSaves(most: 100)
    #expect(result == .changedMeanwhile)
    // The exchange that replaces the file, and sixteen that put back what came out.
    #expect((2...17).contains(saves))
    #expect(scene.files.effects <= effects + 16)
    try await requireKept(scene, "replace.ics", Scene.text("save \(saves)"), "the last save")
  }

  /// Replaces a file that a person saves anew before each exchange, so many times at most. Gives
  /// how often he did.
  private func replaceAmidSaves(
    most: Int
  ) async throws -> (scene: Scene, result: WriteOutcome.Result?, saves: Int) {
    let scene = try await Scene(only: "replace.ics")
    let saves = CallCounter()
    scene.files.onCall { operation, _ in
      guard operation == .exchange, saves.count < most else { return }
      scene.save("replace.ics", Scene.text("save \(saves.next())"))
    }
    let outcomes = await scene.vdir.carryOut(scene.batch)
    scene.files.onCall(nil)
    return (scene, outcomes.first?.result, saves.count)
  }

  /// Another calgw takes the draft for one of a killed run.
  @Test(arguments: ["replace.ics", "create.ics"])
  func `a draft that is taken away is written again and not in doubt`(name: String) async throws {
    var isMet = false
    for moment in 1...(try await Scene.countCalls(only: name)) {
      let scene = try await Scene(only: name)
      let before = scene[name]
      let isThere = Flag()
      let outcome = await carryOut(
        scene, name,
        at: [
          moment: { scene in
            for draft in scene.hiddenNames where draft.hasPrefix(".calgw-n") {
              scene.files.remove(draft, in: Scene.path)
              isThere.set()
            }
          }
        ])
      guard isThere.isSet, scene[name] == before else { continue }
      isMet = true
      #expect(outcome.result == .changedMeanwhile, "before call \(moment)")
      #expect(scene.hiddenNames.isEmpty)
    }
    #expect(isMet)
  }

  @Test(arguments: ["replace.ics", "delete.ics"])
  func `a save in place is kept, whenever it came`(name: String) async throws {
    for moment in 1...(try await Scene.countCalls()) {
      let scene = try await Scene()
      let wasThere = Flag()
      let outcome = await carryOut(
        scene, name,
        at: [
          moment: { scene in
            if scene.files.overwrite(name, Scene.edited, in: Scene.path) { wasThere.set() }
          }
        ])
      guard wasThere.isSet else { continue }
      try await requireKept(scene, name, Scene.edited, "before call \(moment)")
      try await requireSeen(scene, name, outcome, "before call \(moment)")
    }
  }

  @Test(arguments: ["replace.ics", "delete.ics"])
  func `what is written into a file held open is kept`(name: String) async throws {
    for moment in 1...(try await Scene.countCalls()) {
      let scene = try await Scene()
      let handle = try #require(scene.files.holdOpen(name, in: Scene.path))
      _ = await carryOut(
        scene, name, at: [moment: { $0.files.write(Scene.edited, to: handle) }])
      try await requireKept(scene, name, Scene.edited, "before call \(moment)")
    }
  }

  @Test func `what is written into a displaced file after the batch is kept`() async throws {
    let scene = try await Scene()
    let handle = try #require(scene.files.holdOpen("replace.ics", in: Scene.path))
    _ = await scene.vdir.carryOut(scene.batch)
    let before = try await scene.vdir.displaced()
    scene.files.write(Scene.edited, to: handle)
    // The first look is out of date: what it did not see must not be discarded.
    try await scene.vdir.discard(before)
    let after = try await scene.vdir.displaced()
    #expect(after.map(\.data.bytes) == [Scene.edited])
    #expect(after.map(\.href.text) == ["replace.ics"])
  }

  @Test func `a displaced file that was just truncated is left until it is written`() async throws {
    let scene = try await Scene()
    let handle = try #require(scene.files.holdOpen("replace.ics", in: Scene.path))
    _ = await scene.vdir.carryOut(Array(scene.batch.prefix(1)))
    scene.files.write([], to: handle)
    #expect(try await scene.vdir.displaced() == [])
    scene.files.write(Scene.edited, to: handle)
    #expect(try await scene.vdir.displaced().map(\.data.bytes) == [Scene.edited])
  }

  @Test(arguments: ["replace.ics", "delete.ics"])
  func `what a person deletes stays deleted`(name: String) async throws {
    for moment in 1...(try await Scene.countCalls()) {
      let scene = try await Scene()
      _ = await carryOut(
        scene, name, at: [moment: { $0.files.remove(name, in: Scene.path) }])
      // The delete, moved aside at that moment, has no file that could be removed.
      #expect(scene[name] == nil, "\(name), before call \(moment)")
    }
  }

  /// PITFALLS E2.11
  @Test(arguments: ["replace.ics", "delete.ics"])
  func `a symbolic link that is swapped in is left, and its target untouched`(name: String)
    async throws
  {
    for moment in 1...(try await Scene.countCalls()) {
      let scene = try await Scene()
      scene.files.makeFolders("/home")
      scene.files.save("secret", Scene.edited, in: "/home")
      _ = await carryOut(
        scene, name,
        at: [moment: { $0.files.makeLink(name, to: "/home/secret", in: Scene.path) }])
      #expect(
        scene.files.status(name, in: Scene.path)?.kind == .symbolicLink,
        "\(name), before call \(moment)")
      #expect(scene.files.bytes("secret", in: "/home") == Scene.edited)
    }
  }

  @Test(arguments: ["replace.ics", "delete.ics"])
  func `an edit is kept although the run is killed at any effect after it`(name: String)
    async throws
  {
    let effects = try await Scene.countEffects(only: name) + 3
    for moment in 1...(try await Scene.countCalls(only: name)) {
      for effect in 1...effects {
        var scene = try await Scene(only: name)
        let wasEdited = Flag()
        scene.files.stop(at: .init(effect: effect, moment: .after))
        _ = await edit(
          scene,
          at: [
            moment: {
              $0.save(name, Scene.edited)
              wasEdited.set()
            }
          ])
        scene.files.crash()
        guard wasEdited.isSet else { continue }
        try scene.reopen()
        try await requireKept(scene, name, Scene.edited, "call \(moment), effect \(effect)")
      }
    }
  }

  // MARK: What the tests share

  typealias Edits = [Int: @Sendable (Scene) -> Void]

  /// Carries out the batch, an edit coming before each of some calls. Gives the number of calls.
  @discardableResult
  private func edit(_ scene: Scene, at edits: Edits) async -> Int {
    let counter = CallCounter()
    scene.files.onCall { _, _ in edits[counter.next()]?(scene) }
    _ = await scene.vdir.carryOut(scene.batch)
    scene.files.onCall(nil)
    return counter.count
  }

  private func carryOut(_ scene: Scene, _ name: String, at edits: Edits) async -> WriteOutcome {
    let counter = CallCounter()
    scene.files.onCall { _, _ in edits[counter.next()]?(scene) }
    let outcomes = await scene.vdir.carryOut(scene.batch)
    scene.files.onCall(nil)
    return outcomes.first { $0.href == Href(name) }
      ?? WriteOutcome(href: Href(name), result: .removed)
  }

  private func requireKept(_ scene: Scene, _ name: String, _ bytes: [UInt8], _ place: String)
    async throws
  {
    if scene[name] == bytes { return }
    let displaced = try await scene.vdir.displaced()
    try #require(
      displaced.contains { $0.href == Href(name) && $0.data.bytes == bytes },
      "\(name), \(place): the edit is lost")
  }

  /// An edit after our write must not hide behind the tag that the write gave.
  private func requireSeen(
    _ scene: Scene, _ name: String, _ outcome: WriteOutcome, _ place: String
  ) async throws {
    guard let version = outcome.storedVersion, let tag = version.tag else { return }
    let read = try await scene.vdir.read([Href(name)])
    let now = try #require(read[0].version)
    if now.digest != version.digest { #expect(now.tag != tag, "\(name), \(place)") }
  }
}

/// Something that happened.
final class Flag: Sendable {
  private let counter = CallCounter()
  var isSet: Bool { counter.count > 0 }
  func set() { counter.next() }
}
