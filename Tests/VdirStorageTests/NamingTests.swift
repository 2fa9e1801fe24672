import SyncModel
import TestSupport
import Testing
import VdirStorage

struct NamingTests {
  @Test(arguments: [
    ("abc", "abc.ics"), ("A-1_b.c", "A-1_b.c.ics"), ("x.ics", "x.ics.ics"),
    ("20260105T100000Z-7@example.org", "20260105T100000Z-7@example.org.ics"), ("a+b", "a+b.ics"),
    ("5E1D9C7A-0B2F-4C1D-9E8A-7F6B5A4C3D2E", "5E1D9C7A-0B2F-4C1D-9E8A-7F6B5A4C3D2E.ics"),
  ])
  func `a plain UID is the file's name`(uid: String, name: String) {
    #expect(freshFileName(for: ItemID(uid), attempt: 0, digest: sha256) == Array(name.utf8))
  }

  /// PITFALLS E2.7 and E2.8: whatever a server sends, the name is made here.
  @Test(arguments: [
    "", ".a", "-rf", "a/b", "a b", "a:b", "caf\u{E9}", "CON", "nul.x", "Lpt1",
    String(repeating: "a", count: 201), "a\u{1B}[31m", "a\nb",
  ])
  func `any other UID gives its digest`(uid: String) {
    let name = freshFileName(for: ItemID(uid), attempt: 0, digest: sha256)
    let expected = "calgw-" + sha256(Array(uid.utf8)).bytes.map(twoDigits).joined() + ".ics"
    #expect(name == Array(expected.utf8))
  }

  private func twoDigits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }

  /// E2.8
  @Test func `a UID of a megabyte still gives a short name`() {
    let uid = ItemID(bytes: [UInt8](repeating: 97, count: 1_000_000))
    #expect(freshFileName(for: uid, attempt: 3, digest: sha256).count < 100)
  }

  @Test func `attempts differ by a suffix, and so do UIDs that one file system takes for one`() {
    let names = ["a", "A"].flatMap { uid in
      (1...3).map { freshFileName(for: ItemID(uid), attempt: $0, digest: sha256) }
    }
    let folded = names.map { String(decoding: $0, as: UTF8.self).lowercased() }
    #expect(Set(folded).count == 6)
    #expect(folded[0] == "a-ca978112.ics")
  }

  @Test(arguments: ["a.ics", "caf\u{E9}.ics", "a-b-c.ics", "x.ics.ics", "-.ics"])
  func `a displaced file's name tells its item`(item: String) throws {
    let item = try #require(FileName(item))
    let name = try #require(HiddenName.displaced(token: "0a.1", item: item, digest: sha256))
    #expect(name.bytes.starts(with: Array(".calgw-".utf8)))
    #expect(!name.isItem && !name.text.hasSuffix(".ics"))
    #expect(try #require(HiddenName(name)).item(among: [], digest: sha256) == item)
  }

  @Test(arguments: [1, 230, 231, 232, 233, 234, 235, 240, 251])
  func `a displaced file's name is never too long, and its item is found`(length: Int) throws {
    let stem = [UInt8](repeating: 97, count: length)
    let item = try #require(FileName(stem + Array(".ics".utf8)))
    let name = try #require(HiddenName.displaced(token: "12345678.9", item: item, digest: sha256))
    #expect(name.bytes.count <= 255)
    #expect(try #require(HiddenName(name)).item(among: [item], digest: sha256) == item)
  }

  @Test(arguments: [
    ".calgw-", ".calgw-x", ".calgw-x1", ".calgw-z1-a", ".calgw-y1-abc", ".calgwx", "calgw-n1",
    ".calgw-n1-a", ".calgw-x1-", ".calgw-x1-~", ".calgw-x1-.a~", ".calgw-x1-a",
  ])
  func `a name that is not calgw's is left alone`(name: String) throws {
    #expect(HiddenName(try #require(FileName(name))) == nil)
  }

  @Test(arguments: ["", ".", "..", "a/b", "/", "a\0"])
  func `what is no single component is no file name`(name: String) {
    #expect(FileName(name) == nil)
  }

  @Test func `a name of 255 bytes can be replaced and deleted`() async throws {
    let fixture = try ModelVdirFixture()
    let name = String(repeating: "n", count: 251) + ".ics"
    fixture.files.save(name, Scene.old, in: ModelVdirFixture.path)
    let old = try #require(try await fixture.vdir.read([Href(name)])[0].version)
    let replaced = await fixture.vdir.carryOut([
      .replace(Href(name), expecting: old, with: ItemData(bytes: Scene.new))
    ])
    let displaced = try await fixture.vdir.displaced()
    #expect(displaced.map(\.href) == [Href(name)])
    #expect(displaced.map(\.data.bytes) == [Scene.old])
    try await fixture.vdir.discard(displaced)
    let version = try #require(replaced[0].storedVersion)
    let deleted = await fixture.vdir.carryOut([.delete(Href(name), expecting: version)])
    #expect(deleted.map(\.result) == [.removed])
    #expect(try await fixture.vdir.displaced().map(\.data.bytes) == [Scene.new])
  }

  @Test(arguments: ["invite.ical", "noext", ".hidden.ics", ".ics"])
  func `a file that a person named is written as an item's is`(name: String) async throws {
    let fixture = try ModelVdirFixture()
    fixture.files.save(name, Scene.old, in: ModelVdirFixture.path)
    let vdir = try VdirStorage.open(
      path: Array(ModelVdirFixture.path.utf8),
      access: VdirAccess(
        files: fixture.files, digest: sha256, surroundings: fixture.files.surroundings,
        takesAnyName: true))
    let old = try #require(try await vdir.read([Href(name)])[0].version)
    let other = Version(tag: nil, digest: sha256(Scene.doomed))
    let refused = await vdir.carryOut([
      .replace(Href(name), expecting: other, with: ItemData(bytes: Scene.new)),
      .delete(Href(name), expecting: other), .create(Href(name), ItemData(bytes: Scene.new)),
    ])
    #expect(refused.map(\.result) == [.changedMeanwhile, .changedMeanwhile, .changedMeanwhile])

    let replaced = await vdir.carryOut([
      .replace(Href(name), expecting: old, with: ItemData(bytes: Scene.new))
    ])
    #expect(fixture.files.bytes(name, in: ModelVdirFixture.path) == Scene.new)
    let displaced = try await vdir.displaced()
    #expect(displaced.map(\.href) == [Href(name)])
    #expect(displaced.map(\.data.bytes) == [Scene.old])
    try await vdir.discard(displaced)
    let version = try #require(replaced[0].storedVersion)
    let deleted = await vdir.carryOut([.delete(Href(name), expecting: version)])
    #expect(deleted.map(\.result) == [.removed])
    try await vdir.discard(try await vdir.displaced())
    #expect(fixture.files.names(in: ModelVdirFixture.path) == [])
  }
}
