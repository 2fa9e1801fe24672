import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

struct ReadingTests {
  static let path = ModelVdirFixture.path
  static let item = StorageContract.event("uid", "text").bytes

  @Test func `what is read comes with its digest and its mtime`() async throws {
    let fixture = try ModelVdirFixture()
    let bytes: [UInt8] = [0xFF, 0x00, 0x0D, 0x0A, 0xC3]
    fixture.files.save("a.ics", bytes, in: Self.path)
    fixture.files.setModified(1_700_000_000_123_456_789, "a.ics", in: Self.path)
    let result = try await fixture.vdir.read([Href("a.ics")])[0].result
    guard case .found(let version, let data, let modified) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(data.bytes == bytes)
    #expect(version.digest == sha256(bytes))
    #expect(version.tag?.isStrong == true)
    #expect(modified == Instant(milliseconds: 1_700_000_000_123))
  }

  @Test func `a batch holds no more than it may, but one file alone is always given`() async throws
  {
    let files = try ModelVdirFixture().files
    let names = (1...5).map { "\($0).ics" }
    for name in names { files.save(name, Self.item, in: Self.path) }
    let size = Self.item.count
    for (room, expected) in [(3 * size, [3, 2]), (size, [1, 1, 1, 1, 1]), (1, [1, 1, 1, 1, 1])] {
      let vdir = try VdirStorage.open(
        path: Array(Self.path.utf8),
        access: VdirAccess(
          files: files, digest: sha256, surroundings: files.surroundings, bytesAtOnce: room))
      var parts = ReadInParts(names.map { Href($0) }, of: vdir)
      var read: [[Href]] = []
      while let part = try await parts.next() { read.append(part.map(\.href)) }
      #expect(read.map(\.count) == expected)
      #expect(read.flatMap(\.self).map(\.text) == names)
    }
  }

  @Test(arguments: [EACCES, EIO, ESTALE, EPERM])
  func `what cannot be read is a problem and not missing`(code: Int32) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.files.save("b.ics", Self.item, in: Self.path)
    fixture.files.fail(.init(.read, code, name: FileName("a.ics")))
    let outcomes = try await fixture.vdir.read([Href("a.ics"), Href("b.ics")])
    #expect(outcomes.map(\.problem) == [.unreadable, nil])
    #expect(outcomes[1].version?.digest == sha256(Self.item))
  }

  @Test(arguments: [EMFILE, ENFILE, ENOMEM])
  func `what is no single file's trouble fails the whole`(code: Int32) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.files.fail(.init(.read, code))
    let error = await #expect(throws: StorageError.self) {
      try await fixture.vdir.read([Href("a.ics")])
    }
    #expect(error?.kind == .io)
  }

  @Test func `a file that is gone for the blink of an eye is found`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.files.fail(.init(.read, ENOENT, times: 1))
    #expect(try await fixture.vdir.read([Href("a.ics")])[0].version != nil)
  }

  @Test func `a file that was written while it was read is read again`() async throws {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    files.save("a.ics", Self.item, in: Self.path)
    let once = Flag()
    files.onCall { operation, _ in
      guard operation == .readContent, !once.isSet else { return }
      once.set()
      files.overwrite("a.ics", Scene.edited, in: Self.path)
    }
    #expect(try await fixture.vdir.read([Href("a.ics")])[0].version?.digest == sha256(Scene.edited))
  }

  @Test func `a file that is written all the time is left for the next run`() async throws {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    files.save("a.ics", Self.item, in: Self.path)
    files.onCall { operation, _ in
      if operation == .readContent { files.overwrite("a.ics", Self.item, in: Self.path) }
    }
    let outcome = try await fixture.vdir.read([Href("a.ics")])[0]
    #expect(
      outcome.result
        == .problem(
          ItemProblem(
            .incomplete, "a.ics is being written",
            hint: "save it again, or restore it with `calgw log FILE` and `calgw restore ID`.")))
    #expect(files.reads.count == 4)
  }

  @Test func `an empty file is incomplete`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", [], in: Self.path)
    #expect(try await fixture.vdir.read([Href("a.ics")])[0].problem == .incomplete)
  }

  @Test func `a file above the limit is a problem and its size is not read`() async throws {
    let files = ModelFileSystem()
    files.makeFolders(Self.path)
    files.save("a.ics", [UInt8](repeating: 65, count: 1001), in: Self.path)
    files.save("b.ics", [UInt8](repeating: 65, count: 1000), in: Self.path)
    let vdir = try VdirStorage.open(
      path: Array(Self.path.utf8),
      access: VdirAccess(
        files: files, digest: sha256, surroundings: files.surroundings, maxItemSize: 1000))
    let outcomes = try await vdir.read([Href("a.ics"), Href("b.ics")])
    #expect(outcomes.map(\.problem) == [.tooLarge, nil])
    #expect(vdir.traits.maxItemSize == 1000)
    let writes = await vdir.carryOut([
      .create(Href("c.ics"), ItemData(bytes: [UInt8](repeating: 65, count: 1001)))
    ])
    guard case .refused(let problem) = writes[0].result else {
      Issue.record("\(writes[0].result)")
      return
    }
    #expect(problem.code == .tooLarge)
    #expect(files.effects == 0)
  }
}
