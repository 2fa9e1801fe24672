import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

struct AbsenceTests {
  static let path = ModelVdirFixture.path
  static let item = StorageContract.event("uid", "text").bytes

  @Test func `a deleted file is absent, one that the listing missed is not`() async throws {
    let fixture = try ModelVdirFixture()
    for name in ["a.ics", "b.ics"] { fixture.files.save(name, Self.item, in: Self.path) }
    fixture.files.remove("a.ics", in: Self.path)
    _ = try await fixture.vdir.listChanges(since: nil)
    let asked = [Href("a.ics"), Href("b.ics"), Href("../c.ics"), Href("")]
    #expect(try await fixture.vdir.confirmAbsence(of: asked) == [Href("a.ics")])
  }

  @Test func `nothing is absent while a name is there that the listing did not see`()
    async throws
  {
    let fixture = try ModelVdirFixture()
    for name in ["a.ics", "b.ics"] { fixture.files.save(name, Self.item, in: Self.path) }
    fixture.files.hideFromNextListing(Set([FileName("a.ics")].compactMap { $0 }))
    _ = try await fixture.vdir.listChanges(since: nil)
    fixture.files.rename("a.ics", to: "renamed.ics", in: Self.path)
    #expect(try await fixture.vdir.confirmAbsence(of: [Href("a.ics")]) == [])
  }

  /// As `mv a.ics t; mv b.ics a.ics; mv t b.ics` after one of them was read: it was read twice, and
  /// the other one never.
  @Test func `nothing is absent where files took each other's names since the listing`()
    async throws
  {
    let fixture = try ModelVdirFixture()
    for name in ["a.ics", "b.ics"] { fixture.files.save(name, Self.item, in: Self.path) }
    _ = try await fixture.vdir.listChanges(since: nil)
    fixture.files.rename("a.ics", to: "t", in: Self.path)
    fixture.files.rename("b.ics", to: "a.ics", in: Self.path)
    fixture.files.rename("t", to: "b.ics", in: Self.path)
    let asked = [Href("gone.ics"), Href("a.ics").vacated(by: ItemID("gone"))]
    #expect(try await fixture.vdir.confirmAbsence(of: asked) == [])
    _ = try await fixture.vdir.listChanges(since: nil)
    #expect(try await fixture.vdir.confirmAbsence(of: asked) == asked)
  }

  /// Two files exchanged their names while the folder was listed, and the listing has one of them.
  @Test(arguments: [true, false])
  func `what had a name that another item has is absent where the listing saw all names`(
    misses: Bool
  ) async throws {
    let fixture = try ModelVdirFixture()
    for name in ["a.ics", "b.ics"] { fixture.files.save(name, Self.item, in: Self.path) }
    if misses { fixture.files.hideFromNextListing(Set([FileName("b.ics")].compactMap { $0 })) }
    _ = try await fixture.vdir.listChanges(since: nil)
    let former = Href("a.ics").vacated(by: ItemID("gone"))
    #expect(try await fixture.vdir.confirmAbsence(of: [former]) == (misses ? [] : [former]))
  }

  @Test func `what calgw itself created does not count as unseen`() async throws {
    let fixture = try ModelVdirFixture()
    _ = try await fixture.vdir.listChanges(since: nil)
    _ = await fixture.vdir.carryOut([.create(Href("new.ics"), ItemData(bytes: Self.item))])
    #expect(try await fixture.vdir.confirmAbsence(of: [Href("a.ics")]) == [Href("a.ics")])
  }

  /// In milliseconds: how long the folder was quiet, and how long the look waits.
  @Test(
    arguments: [(0, 1000), (1, 999), (999, 1), (1000, 0), (5000, 0), (-5000, 1000)]
      as [(Int64, Int64)])
  func `the look waits until the folder was quiet for a second`(quiet: Int64, waits: Int64)
    async throws
  {
    let fixture = try ModelVdirFixture()
    fixture.files.setTick(0)
    fixture.files.save("b.ics", Self.item, in: Self.path)
    fixture.files.advance(milliseconds: quiet)
    _ = try await fixture.vdir.listChanges(since: nil)
    let before = fixture.files.surroundings.now()
    #expect(try await fixture.vdir.confirmAbsence(of: [Href("a.ics")]) == [Href("a.ics")])
    let after = fixture.files.surroundings.now()
    #expect(after.milliseconds - before.milliseconds == waits)
  }

  @Test func `a file that comes back while the look waits is not absent`() async throws {
    let files = ModelFileSystem()
    files.makeFolders(Self.path)
    files.save("a.ics", Self.item, in: Self.path)
    var surroundings = files.surroundings
    surroundings.pause = {
      files.save("a.ics", Self.item, in: Self.path); files.advance(milliseconds: $0)
    }
    let vdir = try VdirStorage.open(
      path: Array(Self.path.utf8),
      access: VdirAccess(files: files, digest: sha256, surroundings: surroundings))
    _ = try await vdir.listChanges(since: nil)
    files.remove("a.ics", in: Self.path)
    #expect(try await vdir.confirmAbsence(of: [Href("a.ics")]) == [])
  }

  @Test func `in a replaced folder nothing is absent`() async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save("a.ics", Self.item, in: Self.path)
    _ = try await fixture.vdir.listChanges(since: nil)
    fixture.files.makeFolder("vdir", in: "/")
    let error = await #expect(throws: StorageError.self) {
      try await fixture.vdir.confirmAbsence(of: [Href("a.ics")])
    }
    #expect(error?.kind == .vanished)
  }

  @Test func `a file that cannot be looked at is not absent`() async throws {
    let fixture = try ModelVdirFixture()
    _ = try await fixture.vdir.listChanges(since: nil)
    fixture.files.fail(.init(.status, EIO, name: FileName("a.ics")))
    #expect(try await fixture.vdir.confirmAbsence(of: [Href("a.ics")]) == [])
  }
}
