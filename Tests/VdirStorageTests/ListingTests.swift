import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

struct ListingTests {
  static let path = ModelVdirFixture.path
  static let item = StorageContract.event("uid", "text").bytes

  @Test(arguments: [
    ".a.ics", "a.ics~", "#a.ics#", "4913", "a.tmp", "a.ics.tmp", "a.ics.orig", "a.ics.rej",
    "a.ics.swp", "color", "displayname", ".calgw-n1", ".ics", "a.vcf", "a.icsx", "aICS",
    "a\u{E}ics",
  ])
  func `what is no item is not listed`(name: String) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save(name, Self.item, in: Self.path)
    fixture.files.save("a.ics", Self.item, in: Self.path)
    #expect(try await fixture.vdir.listChanges(since: nil).present.map(\.href.text) == ["a.ics"])
  }

  @Test(arguments: ["b.ICS", "b.Ics", "B.icS"])
  func `an item's ending is in any case`(name: String) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save(name, Self.item, in: Self.path)
    fixture.files.save("b.ics", Self.item, in: Self.path)
    let names = try await fixture.vdir.listChanges(since: nil).present.map(\.href.text)
    #expect(names == [name, "b.ics"].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let old = try #require(try await fixture.vdir.read([Href(name)])[0].version)
    let outcomes = await fixture.vdir.carryOut([
      .replace(Href(name), expecting: old, with: StorageContract.event("uid", "new"))
    ])
    // What was replaced is known by its own name, and not by that of the other file.
    #expect(try await fixture.vdir.displaced().map(\.href) == [Href(name)])
    let version = try #require(outcomes[0].storedVersion)
    let deleted = await fixture.vdir.carryOut([.delete(Href(name), expecting: version)])
    #expect(deleted.map(\.result) == [.removed])
    #expect(fixture.files.names(in: Self.path)?.contains("b.ics") == true)
  }

  @Test(arguments: ["link", "fifo", "folder"])
  func `what is named as an item and is no plain file is a problem, and never read`(kind: String)
    async throws
  {
    let fixture = try ModelVdirFixture()
    switch kind {
    case "link": fixture.files.makeLink("x.ics", to: "/vdir/a.ics", in: Self.path)
    case "fifo": fixture.files.makeFIFO("x.ics", in: Self.path)
    default: fixture.files.makeFolder("x.ics", in: Self.path)
    }
    let page = try await fixture.vdir.listChanges(since: nil)
    #expect(page.present.map(\.problem?.code) == [.notAFile])
    #expect(try await fixture.vdir.read([Href("x.ics")]).map(\.problem) == [.notAFile])
    #expect(fixture.files.reads == [])
    let version = Version(tag: nil, digest: sha256(Self.item))
    let outcomes = await fixture.vdir.carryOut([
      .replace(Href("x.ics"), expecting: version, with: ItemData(bytes: Self.item)),
      .delete(Href("x.ics"), expecting: version),
      .create(Href("x.ics"), ItemData(bytes: Self.item)),
    ])
    #expect(outcomes.map(\.result) == [.changedMeanwhile, .changedMeanwhile, .changedMeanwhile])
    #expect(fixture.files.names(in: Self.path) == ["x.ics"])
  }

  @Test func `names come in the order of their bytes, each once`() async throws {
    let fixture = try ModelVdirFixture()
    let names = ["B.ics", "a.ics", "caf\u{E9}.ics", "cafe\u{301}.ics", "b.ics"]
    for name in names { fixture.files.save(name, Self.item, in: Self.path) }
    let page = try await fixture.vdir.listChanges(since: nil)
    #expect(
      page.present.map(\.href.spelling) == [
        Array("B.ics".utf8), Array("a.ics".utf8), Array("b.ics".utf8),
        Array("cafe\u{301}.ics".utf8), Array("caf\u{E9}.ics".utf8),
      ])
    #expect(page.extent == .everything)
    #expect(page.isLast)
  }

  /// The last scan was at 100 s; the tag is trusted for what is older than 98 s.
  @Test(
    arguments: [
      (90_000, 90_000, true), (97_999, 97_999, true), (98_000, 98_000, false),
      (100_000, 100_000, false), (100_500, 100_500, false), (90_000, 99_000, false),
      (99_000, 90_000, false), (500_000, 90_000, false),
    ] as [(Int64, Int64, Bool)])
  func `a tag is trusted where the file is older than the last scan`(
    modified: Int64, changed: Int64, isTrusted: Bool
  ) async throws {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    files.setTick(0)
    let start = files.surroundings.now().milliseconds
    files.advance(milliseconds: changed)
    files.save("a.ics", Self.item, in: Self.path)
    files.setModified((start + modified) * 1_000_000, "a.ics", in: Self.path)
    files.advance(milliseconds: 100_000 - changed)
    let cursor = try await fixture.vdir.listChanges(since: nil).next
    files.advance(milliseconds: 100_000)
    let page = try await fixture.vdir.listChanges(since: cursor)
    #expect((page.present.first?.tag != nil) == isTrusted)
  }

  @Test func `a scan of the future is not trusted`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.settle()
    let cursor = try await fixture.vdir.listChanges(since: nil).next
    fixture.files.advance(milliseconds: -1000)
    #expect(try await fixture.vdir.listChanges(since: cursor).present.map(\.tag) == [nil])
  }

  @Test func `a cursor that is none of a vdir is as good as none`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    for text in ["", "vdir1", "vdir1 x y z", "vdir2 1 2 3", "https://example.org/token/1"] {
      let page = try await fixture.vdir.listChanges(since: Cursor(bytes: Array(text.utf8)))
      #expect(page.present.map(\.tag) == [nil])
    }
  }

  /// The mtime put back, the size kept: ctime and inode still tell.
  @Test(arguments: [true, false])
  func `an edit shows although size and mtime are as before`(byRename: Bool) async throws {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    fixture.files.save("a.ics", StorageContract.event("u", "aaaa").bytes, in: Self.path)
    fixture.settle()
    let cursor = try await fixture.vdir.listChanges(since: nil).next
    let before = try #require(try await fixture.vdir.read([Href("a.ics")])[0].version)
    let modified = try #require(files.status("a.ics", in: Self.path)?.modified)
    let other = StorageContract.event("u", "bbbb").bytes
    if byRename {
      files.save("a.ics", other, in: Self.path)
    } else {
      files.overwrite("a.ics", other, in: Self.path)
    }
    files.setModified(modified, "a.ics", in: Self.path)
    fixture.settle()
    let page = try await fixture.vdir.listChanges(since: cursor)
    #expect(page.present.count == 1)
    #expect(page.present[0].tag != before.tag)
  }

  @Test func `an error midway is an error and no short listing`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.files.fail(.init(.list, EIO, times: 1))
    let error = await #expect(throws: StorageError.self) {
      try await fixture.vdir.listChanges(since: nil)
    }
    #expect(error?.kind == .io)
    #expect(error?.message == "listing the folder /vdir failed")
    #expect(error?.why == "list directory: Input/output error")
  }

  @Test func `an unreadable folder is an error that says what to do`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.fail(.init(.list, EACCES))
    let error = await #expect(throws: StorageError.self) {
      try await fixture.vdir.listChanges(since: nil)
    }
    #expect(error?.kind == .io)
    #expect(error?.hint == "check the permissions of the folder")
  }

  @Test(arguments: ["removed", "replaced", "replaced during the scan", "replaced before a new run"])
  func `a folder that is not the one of before is an error and not empty`(how: String)
    async throws
  {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    files.save("a.ics", Self.item, in: Self.path)
    let cursor = try await fixture.vdir.listChanges(since: nil).next
    var vdir = fixture.vdir
    switch how {
    case "removed": files.remove("vdir", in: "/")
    case "replaced": files.makeFolder("vdir", in: "/")
    case "replaced during the scan":
      files.onCall { operation, _ in if operation == .list { files.makeFolder("vdir", in: "/") } }
    default:
      files.makeFolder("vdir", in: "/")
      vdir = try ModelVdirFixture.open(files)
    }
    let error = await #expect(throws: StorageError.self) {
      try await vdir.listChanges(since: cursor)
    }
    #expect(error?.kind == .vanished)
    #expect(error?.hint == "check that the disk is mounted and the path is right")
  }

  @Test func `a file that goes while the folder is listed is not listed`() async throws {
    let fixture = try ModelVdirFixture()
    let files = fixture.files
    files.save("a.ics", Self.item, in: Self.path)
    files.save("b.ics", Self.item, in: Self.path)
    files.onCall { operation, name in
      if operation == .status, name == FileName("a.ics") { files.remove("a.ics", in: Self.path) }
    }
    let page = try await fixture.vdir.listChanges(since: nil)
    #expect(page.present.map(\.href.text) == ["b.ics"])
  }

  @Test func `a file that is gone for the blink of an eye is listed`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    fixture.files.fail(.init(.status, ENOENT, name: FileName("a.ics"), times: 1))
    let page = try await fixture.vdir.listChanges(since: nil)
    #expect(page.present.map(\.href.text) == ["a.ics"])
  }
}
