import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

/// What a batch does when the disk does not do its part.
struct WriteFaultTests {
  @Test(arguments: [ENOSPC, EDQUOT, EROFS])
  func `a full disk fails the item and what follows, and leaves nothing behind`(code: Int32)
    async throws
  {
    for operation in [FileOperation.create, .write, .syncData] {
      let scene = try await Scene()
      let before = scene.names
      scene.files.fail(.init(operation, code, times: 1, partial: operation == .write ? 10 : nil))
      let outcomes = await scene.vdir.carryOut(scene.batch)
      #expect(outcomes.map(\.failure?.kind) == [.io, .io, .io], "\(operation)")
      #expect(scene.names == before, "\(operation)")
      #expect(scene["replace.ics"] == Scene.old)
      #expect(scene.files.openDescriptors == 1)
    }
  }

  @Test func `a disk that fills in the middle keeps what was done before`() async throws {
    let scene = try await Scene()
    scene.files.fail(.init(.exchange, ENOSPC, times: 1))
    let batch = [scene.batch[2], scene.batch[0], scene.batch[1]]
    let outcomes = await scene.vdir.carryOut(batch)
    #expect(outcomes[0].storedVersion != nil)
    #expect(outcomes[1].failure?.hint == "free some space on the disk, then run it again")
    #expect(outcomes[2].failure?.kind == .io)
    #expect(scene["delete.ics"] == Scene.doomed)
    #expect(scene.hiddenNames == [])
    scene.files.crash()
    #expect(scene["create.ics"] == Scene.created)
  }

  @Test(arguments: [FileOperation.create, .write, .syncData, .exchange])
  func `an error of one file leaves the others`(operation: FileOperation) async throws {
    let scene = try await Scene()
    scene.files.fail(.init(operation, EIO, times: 1))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    #expect(outcomes[0].failure?.kind == .io)
    #expect(outcomes[1].result == .removed)
    #expect(outcomes[2].storedVersion != nil)
    #expect(scene["replace.ics"] == Scene.old)
    #expect(scene.hiddenNames.count == 1)
  }

  /// As `chattr +i`, or another user's file in a folder with the sticky bit.
  @Test(arguments: ["replace.ics", "delete.ics"])
  func `a file that is locked is its item's problem, and is tried by each run`(
    name: String
  ) async throws {
    let scene = try await Scene(only: name)
    let operation: FileOperation = name == "replace.ics" ? .exchange : .renameNoReplace
    scene.files.fail(.init(operation, EPERM))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    let locked = try #require(outcomes.first { $0.href.text == name })
    guard case .refused(let problem) = locked.result else {
      Issue.record("\(locked.result)")
      return
    }
    #expect(locked.isOfTheMoment)
    #expect(problem.code == .refused && problem.hint.contains("lsattr"), "\(problem)")
    #expect(scene[name] == (name == "replace.ics" ? Scene.old : Scene.doomed))
  }

  @Test(arguments: [FileOperation.exchange, .renameNoReplace])
  func `what is done although it fails is unknown, and nothing is lost`(
    operation: FileOperation
  ) async throws {
    let name = operation == .exchange ? "replace.ics" : "create.ics"
    let scene = try await Scene(only: name)
    scene.files.fail(.init(operation, EIO, name: FileName(name), isDone: true))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    guard case .unknown(let error) = outcomes[0].result else {
      Issue.record("\(outcomes[0].result)")
      return
    }
    #expect(error.kind == .io)
    let displaced = try await scene.vdir.displaced().map(\.data.bytes)
    #expect(displaced == (operation == .exchange ? [Scene.old] : []))
    #expect(scene[name] == (operation == .exchange ? Scene.new : Scene.created))
  }

  @Test func `names that may not be on disk are not told as done`() async throws {
    let scene = try await Scene()
    scene.files.fail(.init(.syncDirectory, EIO))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    for outcome in outcomes {
      guard case .unknown(let error) = outcome.result else {
        Issue.record("\(outcome.result)")
        continue
      }
      #expect(error.kind == .io)
    }
  }

  @Test func `names that may not be on disk are there after they were asked for`() async throws {
    let scene = try await Scene()
    scene.files.fail(.init(.syncDirectory, EIO, times: 2))
    _ = await scene.vdir.carryOut(scene.batch)
    await #expect(throws: StorageError.self) { try await scene.vdir.makeDurable() }
    try await scene.vdir.makeDurable()
    scene.files.crash()
    #expect(scene["replace.ics"] == Scene.new)
    #expect(scene["create.ics"] == Scene.created)
    #expect(scene["delete.ics"] == nil)
  }

  @Test func `taken hidden names are passed by`() async throws {
    let scene = try await Scene()
    scene.files.fail(.init(.create, EEXIST, times: 2))
    scene.files.fail(.init(.renameNoReplace, EEXIST, times: 1))
    let outcomes = await scene.vdir.carryOut(Array(scene.batch.prefix(2)))
    #expect(outcomes[0].storedVersion != nil)
    #expect(outcomes[1].result == .removed)
  }

  @Test(arguments: [EINVAL, ENOSYS])
  func `without exchange a replace is done, guarded by a look, and says so`(code: Int32)
    async throws
  {
    let scene = try await Scene()
    scene.files.fail(.init(.exchange, code))
    let handle = try #require(scene.files.holdOpen("replace.ics", in: Scene.path))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    #expect(outcomes.map(\.isUnguarded) == [true, false, false])
    #expect(outcomes[0].storedVersion?.digest == sha256(Scene.new))
    #expect(scene["replace.ics"] == Scene.new)
    scene.files.write(Scene.edited, to: handle)
    let displaced = try await scene.vdir.displaced()
    #expect(displaced.contains { $0.data.bytes == Scene.edited })
  }

  @Test func `without exchange a stale replace changes nothing`() async throws {
    let scene = try await Scene()
    scene.files.fail(.init(.exchange, EINVAL))
    scene.files.onCall { operation, _ in
      if operation == .exchange { scene.save("replace.ics", Scene.edited) }
    }
    let outcomes = await scene.vdir.carryOut(Array(scene.batch.prefix(1)))
    #expect(outcomes[0].result == .changedMeanwhile)
    #expect(scene["replace.ics"] == Scene.edited)
    #expect(scene.hiddenNames == [])
  }

  @Test func `without any special rename or link the writes are still done`() async throws {
    let scene = try await Scene()
    for operation in [FileOperation.exchange, .renameNoReplace] {
      scene.files.fail(.init(operation, EINVAL))
    }
    scene.files.fail(.init(.link, EPERM))
    let outcomes = await scene.vdir.carryOut(scene.batch)
    #expect(outcomes.map(\.isUnguarded) == [true, false, true])
    #expect(scene["replace.ics"] == Scene.new)
    #expect(scene["delete.ics"] == nil)
    #expect(scene["create.ics"] == Scene.created)
  }

  @Test func `no more than a fraction of the usual descriptors is open at a time`() async throws {
    let fixture = try ModelVdirFixture()
    let batch = (0..<300).map {
      GuardedWrite.create(Href("\($0).ics"), ItemData(bytes: Scene.new))
    }
    let outcomes = await fixture.vdir.carryOut(batch)
    #expect(outcomes.allSatisfy { $0.storedVersion != nil })
    #expect(fixture.files.mostDescriptors <= 65)
    #expect(fixture.files.openDescriptors == 1)
  }

  /// PITFALLS E2.14
  @Test(arguments: [0o600, 0o644, 0o640, 0o666, 0o755] as [UInt32])
  func `a replaced file keeps its mode`(mode: UInt32) async throws {
    for umask in [0, 0o022, 0o077] as [UInt32] {
      let scene = try await Scene()
      scene.files.setUmask(umask)
      scene.files.save("replace.ics", Scene.old, in: Scene.path, mode: mode)
      _ = await scene.vdir.carryOut(Array(scene.batch.prefix(1)))
      #expect(scene["replace.ics"] == Scene.new)
      #expect(scene.files.status("replace.ics", in: Scene.path)?.mode == mode)
    }
  }

  /// E2.14
  @Test(arguments: [(0, 0o666), (0o022, 0o644), (0o077, 0o600)] as [(UInt32, UInt32)])
  func `a new file has the mode that the umask leaves`(umask: UInt32, mode: UInt32) async throws {
    let scene = try await Scene()
    scene.files.setUmask(umask)
    _ = await scene.vdir.carryOut(scene.batch)
    #expect(scene.files.status("create.ics", in: Scene.path)?.mode == mode)
  }

  @Test(arguments: ["../x.ics", "", ".", "a/b.ics", ".hidden.ics", "a.txt", "a\0.ics"])
  func `what cannot be an item's name is refused`(name: String) async throws {
    let scene = try await Scene()
    let version = Version(tag: nil, digest: sha256(Scene.old))
    let data = ItemData(bytes: Scene.new)
    let outcomes = await scene.vdir.carryOut([
      .create(Href(name), data), .replace(Href(name), expecting: version, with: data),
      .delete(Href(name), expecting: version),
    ])
    for outcome in outcomes {
      guard case .refused(let problem) = outcome.result else {
        Issue.record("\(outcome.result)")
        continue
      }
      #expect(problem.code == .unsupported)
    }
    #expect(scene.files.effects == 0)
  }
}
