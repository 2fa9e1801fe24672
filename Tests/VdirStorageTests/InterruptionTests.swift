import SyncModel
import TestSupport
import Testing
import VdirStorage

/// A batch stopped at each of its effects, by a kill or a power cut, and looked at by a next run.
struct InterruptionTests {
  enum End: CaseIterable {
    case kill
    case powerCutLosingAll
    case powerCutLosingSome
  }

  @Test(arguments: End.allCases, ModelFileSystem.Fuse.Moment.allCases)
  func `whenever it stops, each item is whole and nothing is lost`(
    end: End, moment: ModelFileSystem.Fuse.Moment
  ) async throws {
    for effect in 1...(try await Scene.countEffects()) {
      for seed in 1...(end == .powerCutLosingSome ? UInt64(20) : 1) {
        var scene = try await Scene()
        scene.files.stop(at: .init(effect: effect, moment: moment))
        _ = await scene.vdir.carryOut(scene.batch)
        #expect(scene.files.isStopped)
        try requireWhole(scene, "stopped \(moment) effect \(effect)")
        switch end {
        case .kill: scene.files.kill()
        case .powerCutLosingAll: scene.files.crash()
        case .powerCutLosingSome: scene.files.crash(seed: seed)
        }
        let place = "\(end) \(moment) effect \(effect), seed \(seed)"
        try requireWhole(scene, place)
        try scene.reopen()
        try await requireNothingLost(scene, place)
      }
    }
  }

  @Test(arguments: ModelFileSystem.Fuse.Moment.allCases)
  func `while it works, each item is whole before each call`(
    moment: ModelFileSystem.Fuse.Moment
  ) async throws {
    let scene = try await Scene()
    let failures = CallCounter()
    scene.files.onCall { _, _ in
      if (try? requireWhole(scene, "between calls")) == nil { failures.next() }
    }
    _ = await scene.vdir.carryOut(scene.batch)
    #expect(failures.count == 0)
  }

  @Test func `what was told as done survives a power cut`() async throws {
    var scene = try await Scene()
    let outcomes = await scene.vdir.carryOut(scene.batch)
    #expect(outcomes[0].storedVersion?.digest == sha256(Scene.new))
    #expect(outcomes[1].result == .removed)
    #expect(outcomes[2].storedVersion?.digest == sha256(Scene.created))
    scene.files.crash()
    #expect(scene["replace.ics"] == Scene.new)
    #expect(scene["delete.ics"] == nil)
    #expect(scene["create.ics"] == Scene.created)
    try scene.reopen()
    let displaced = try await scene.vdir.displaced()
    #expect(Set(displaced.map(\.href.text)) == ["replace.ics", "delete.ics"])
    #expect(Set(displaced.map(\.data.bytes)) == [Scene.old, Scene.doomed])
  }

  @Test func `a run that is killed while it tidies up is tidied up by the next`() async throws {
    for effect in 1...2 {
      var scene = try await Scene()
      _ = await scene.vdir.carryOut(scene.batch)
      let files = try await scene.vdir.displaced()
      scene.files.kill()
      try scene.reopen()
      scene.files.stop(at: .init(effect: effect, moment: .before))
      await #expect(throws: StorageError.self) { try await scene.vdir.discard(files) }
      scene.files.kill()
      try scene.reopen()
      try await scene.vdir.discard(try await scene.vdir.displaced())
      #expect(scene.hiddenNames == [])
    }
  }

  /// Each item has complete old or complete new bytes.
  private func requireWhole(_ scene: Scene, _ place: String) throws {
    let comment = Comment(rawValue: place)
    try #require([Scene.old, Scene.new].contains(scene["replace.ics"]), comment)
    try #require([Scene.doomed, nil].contains(scene["delete.ics"]), comment)
    try #require([nil, Scene.created].contains(scene["create.ics"]), comment)
    try #require(scene["other.ics"] == Scene.text("other"), comment)
    let known = ["create.ics", "delete.ics", "other.ics", "replace.ics"]
    try #require(
      scene.names.allSatisfy { known.contains($0) || ($0.hasPrefix(".") && !$0.hasSuffix(".ics")) },
      comment)
  }

  /// What is no longer in place is displaced, and nothing is left once that is discarded.
  private func requireNothingLost(_ scene: Scene, _ place: String) async throws {
    let displaced = try await scene.vdir.displaced()
    for (name, content) in [("replace.ics", Scene.old), ("delete.ics", Scene.doomed)]
    where scene[name] != content {
      try #require(
        displaced.contains { $0.href == Href(name) && $0.data.bytes == content },
        "\(place): \(name) is lost")
    }
    for file in displaced {
      let known = [Scene.old, Scene.new, Scene.doomed]
      try #require(known.contains(file.data.bytes), "\(place): \(file.href.text) is no whole")
    }
    let items = scene.names.filter { !$0.hasPrefix(".") }
    try await scene.vdir.discard(displaced)
    try #require(scene.names == items, "\(place): \(scene.names)")
  }
}
