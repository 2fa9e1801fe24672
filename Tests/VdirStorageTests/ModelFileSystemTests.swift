import Glibc
import TestSupport
import Testing
import VdirStorage

/// The double must lose what a real power cut loses, or it proves nothing.
struct ModelFileSystemTests {
  let files = ModelFileSystem()
  let folder: Descriptor
  let one: FileName
  let two: FileName

  init() throws {
    files.makeFolders("/d")
    folder = try files.openDirectory(path: Array("/d".utf8))
    one = try #require(FileName("one"))
    two = try #require(FileName("two"))
  }

  private func make(_ name: FileName, syncData: Bool, syncFolder: Bool) throws {
    let file = try files.create(name, in: folder, mode: 0o644)
    try files.write([1, 2, 3, 4], to: file)
    if syncData { try files.syncData(file) }
    files.close(file)
    if syncFolder { try files.syncDirectory(folder) }
  }

  @Test func `a name without a synced folder is lost, data without a sync is empty`() throws {
    try make(one, syncData: false, syncFolder: true)
    try make(two, syncData: true, syncFolder: false)
    files.crash()
    #expect(files.names(in: "/d") == ["one"])
    #expect(files.bytes("one", in: "/d") == [])
  }

  @Test func `what was synced stays`() throws {
    try make(one, syncData: true, syncFolder: true)
    files.crash(seed: 1)
    #expect(files.bytes("one", in: "/d") == [1, 2, 3, 4])
  }

  @Test func `a rename without a synced folder is undone`() throws {
    try make(one, syncData: true, syncFolder: true)
    try files.rename(one, to: two, in: folder)
    #expect(files.names(in: "/d") == ["two"])
    files.crash()
    #expect(files.names(in: "/d") == ["one"])
  }

  @Test func `seeds give every legal remainder, and each the same one again`() throws {
    var seen: Set<[String]> = []
    for seed in 0..<40 as Range<UInt64> {
      let test = try ModelFileSystemTests()
      try test.make(one, syncData: true, syncFolder: false)
      try test.files.rename(one, to: two, in: test.folder)
      test.files.crash(seed: seed)
      seen.insert(test.files.names(in: "/d") ?? ["-"])
    }
    #expect(seen == [[], ["one"], ["two"]])
  }

  @Test(arguments: ModelFileSystem.Fuse.Moment.allCases)
  func `from the fuse on nothing changes`(moment: ModelFileSystem.Fuse.Moment) throws {
    files.stop(at: .init(effect: 1, moment: moment))
    let stopped = #expect(throws: FileError.self) {
      try files.create(one, in: folder, mode: 0o644)
    }
    #expect(stopped?.isStopped == true)
    #expect(files.names(in: "/d") == (moment == .before ? [] : ["one"]))
    #expect(throws: FileError.self) { try files.create(two, in: folder, mode: 0o644) }
    #expect(throws: FileError.self) { try files.list(folder) }
    #expect(files.names(in: "/d") == (moment == .before ? [] : ["one"]))
  }

  @Test func `a short write leaves the beginning`() throws {
    files.fail(.init(.write, ENOSPC, times: 1, partial: 2))
    #expect(throws: FileError.self) { try make(one, syncData: false, syncFolder: false) }
    #expect(files.bytes("one", in: "/d") == [1, 2])
  }

  @Test func `times are as coarse as set`() throws {
    files.setGranularity(2_000_000_000)
    files.advance(milliseconds: 3001)
    files.save("one", [1], in: "/d")
    #expect(try files.status(of: one, in: folder).modified % 2_000_000_000 == 0)
  }
}
