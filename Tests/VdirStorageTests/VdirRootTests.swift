import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

struct VdirRootTests {
  let files = ModelFileSystem()

  init() { files.makeFolders("/cal") }

  private var access: VdirAccess {
    VdirAccess(files: files, digest: sha256, surroundings: files.surroundings)
  }

  private func root(_ path: String = "/cal") throws -> VdirRoot {
    try VdirRoot.open(path: Array(path.utf8), access: access)
  }

  private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `folders are collections, sorted; hidden ones, links and files are not`()
    async throws
  {
    for name in ["work", "home", ".git"] { files.makeFolder(name, in: "/cal") }
    files.makeLink("link", to: "/cal/work", in: "/cal")
    files.save("notes.txt", utf8("x"), in: "/cal")
    let collections = try await root().listCollections()
    #expect(collections.map(\.name) == ["home", "work"])
    #expect(collections.map(\.href) == [Href("home"), Href("work")])
    #expect(Set(collections.map(\.identity)).count == 2)
  }

  @Test(
    arguments: [
      ("Home\n", "#AABBCC", "Home", "#aabbcc"),
      ("  T\u{F6}ne \r\n", "#01a2B3ff\n", "T\u{F6}ne", "#01a2b3"),
      ("", "", nil, nil), (" \n", "red", nil, "#ff0000"), ("x", "#12345", "x", nil),
      ("x", "#1234567", "x", nil), ("x", "#GG0000", "x", nil), ("x", "112233", "x", "#112233"),
      ("x", "no colour", "x", nil), ("\u{FEFF}Home\n", "\u{FEFF}#aabbcc", "Home", "#aabbcc"),
      ("\u{FEFF}", "#f008", nil, "#ff000088"),
    ] as [(String, String, String?, String?)])
  func `metadata is read as other vdir programs write it`(
    nameFile: String, colorFile: String, name: String?, color: String?
  ) async throws {
    files.makeFolder("home", in: "/cal")
    files.save("displayname", utf8(nameFile), in: "/cal/home")
    files.save("color", utf8(colorFile), in: "/cal/home")
    let collection = try #require(try await root().listCollections().first)
    #expect(collection.displayName == name)
    #expect(collection.color == color)
  }

  @Test func `odd metadata is as good as none`() async throws {
    files.makeFolder("home", in: "/cal")
    files.makeFIFO("displayname", in: "/cal/home")
    files.save("color", [UInt8](repeating: 35, count: 5000), in: "/cal/home")
    let collection = try #require(try await root().listCollections().first)
    #expect(collection.displayName == nil)
    #expect(collection.color == nil)
    files.save("displayname", [0xFF, 0xFE], in: "/cal/home")
    #expect(try await root().listCollections().first?.displayName == nil)
  }

  @Test(
    arguments: [
      ("displayname", [0x61, 0xFF], "it is not UTF-8; save it as UTF-8"),
      (
        "displayname", Array("a\u{1}b".utf8), "it holds the control character U+0001; take that out"
      ),
      ("color", Array("nonsense\n".utf8), "\"nonsense\" is no colour; write one as #RRGGBB or as"),
      ("order", Array("abc".utf8), "\"abc\" is no whole number; write one"),
      (
        "displayname", [UInt8](repeating: 65, count: 5000),
        "it is larger than 4096 bytes; shorten it"
      ), ("color", Array(" \n".utf8), nil), ("description", Array("a\r\nb\tc".utf8), nil),
    ] as [(String, [UInt8], String?)])
  func `what is no value is named, with what to do`(
    file: String, content: [UInt8], words: String?
  ) async throws {
    files.makeFolder("home", in: "/cal")
    files.save(file, content, in: "/cal/home")
    let collection = try #require(try await root().listCollections().first)
    let key = try #require(MetadataKey(rawValue: file))
    #expect(collection.oddValues.count == (words == nil ? 0 : 1))
    #expect(collection.oddValues[key]?.hasPrefix(words ?? "") ?? (words == nil))
  }

  @Test func `what is no plain file is named, and written over by nobody`() async throws {
    files.makeFolder("home", in: "/cal")
    files.makeFIFO("displayname", in: "/cal/home")
    files.save("color", utf8("nonsense"), in: "/cal/home")
    let root = try root()
    let home = try #require(try await root.listCollections().first)
    #expect(home.oddValues[.displayname] == "it is no plain file; put one in its place")
    let outcome = try await root.setMetadata(
      [.displayname: "Home", .color: "#ff0000", .order: "3"], of: home)
    #expect(outcome.fates == [.displayname: .overtaken, .color: .overtaken])
    #expect(outcome.collection.order == "3")
    #expect(files.bytes("color", in: "/cal/home") == utf8("nonsense"))
  }

  @Test func `a value that somebody changed meanwhile, or that fits no file, is left`() async throws
  {
    files.makeFolder("home", in: "/cal")
    files.save("displayname", utf8("Home"), in: "/cal/home")
    let root = try root()
    let home = try #require(try await root.listCollections().first)
    files.save("displayname", utf8("My home"), in: "/cal/home")
    let long = String(repeating: "x", count: 70_000)
    let outcome = try await root.setMetadata(
      [.displayname: "Office", .description: long], of: home)
    #expect(outcome.fates[.displayname] == .overtaken)
    #expect(outcome.fates[.description] == .refused("its file has 65536 bytes at most"))
    #expect(outcome.collection.displayName == "My home")
    #expect(files.bytes("description", in: "/cal/home") == nil)
  }

  @Test func `an empty value takes a metadata file away, and not what somebody has put there`()
    async throws
  {
    files.makeFolder("home", in: "/cal")
    files.save("displayname", utf8("Home"), in: "/cal/home")
    files.save("color", utf8("#112233"), in: "/cal/home")
    let root = try root()
    let home = try #require(try await root.listCollections().first)
    files.save("color", utf8("#445566"), in: "/cal/home")
    let outcome = try await root.setMetadata([.displayname: "", .color: "", .order: ""], of: home)
    #expect(outcome.fates == [.color: .overtaken])
    #expect(outcome.collection.displayName == nil)
    #expect(files.bytes("color", in: "/cal/home") == utf8("#445566"))
    files.crash()
    #expect(files.bytes("displayname", in: "/cal/home") == nil)
  }

  @Test func `a created collection is there after a power cut, with its metadata`() async throws {
    let made = try await root().createCollection(
      CollectionProposal(name: "home", displayName: "Zu Hause", color: "#AABBCCFF"))
    #expect(made.displayName == "Zu Hause")
    #expect(made.color == "#aabbcc")
    files.crash()
    #expect(files.bytes("displayname", in: "/cal/home") == utf8("Zu Hause"))
    #expect(files.bytes("color", in: "/cal/home") == utf8("#aabbcc"))
    #expect(try await root().listCollections() == [made])
    #expect(files.status("home", in: "/cal")?.mode == 0o755)
  }

  /// PITFALLS E2.9
  @Test(arguments: ["../x", "/etc", "", ".", "..", ".hidden", "a/b", "a\0b"])
  func `a name that could leave the root is refused`(name: String) async throws {
    let root = try root()
    let error = await #expect(throws: StorageError.self) {
      try await root.createCollection(CollectionProposal(name: name))
    }
    #expect(error?.kind == .cannotCreate)
    #expect(files.effects == 0)
    let made = CollectionDescription(href: Href(name), name: name, identity: "")
    guard name != "." else { return }
    await #expect(throws: StorageError.self) { try await root.open(made) }
  }

  @Test(arguments: [EEXIST, EACCES, ENOSPC, EROFS])
  func `a folder that cannot be made is an error of its own kind`(code: Int32) async throws {
    files.fail(.init(.makeDirectory, code))
    let root = try root()
    let error = await #expect(throws: StorageError.self) {
      try await root.createCollection(CollectionProposal(name: "home"))
    }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.message == "creating the folder home in /cal failed")
  }

  @Test func `a folder that may not be read is an error of its own and hides no other`()
    async throws
  {
    for name in ["home", "work"] { files.makeFolder(name, in: "/cal") }
    let before = try await root().listCollections()
    files.fail(.init(.openDirectory, EACCES, name: FileName("home")))
    let root = try root()
    let collections = try await root.listCollections()
    #expect(collections == before)
    let error = await #expect(throws: StorageError.self) { try await root.open(collections[0]) }
    #expect(error?.kind == .io)
    #expect(error?.message.contains("/cal/home") == true)
    _ = try await root.open(collections[1])
  }

  @Test func `a collection is opened, and one that was replaced is not`() async throws {
    files.makeFolder("home", in: "/cal")
    files.save("a.ics", Scene.old, in: "/cal/home")
    let root = try root()
    let collection = try #require(try await root.listCollections().first)
    let page = try await root.open(collection).listChanges(since: nil)
    #expect(page.present.map(\.href) == [Href("a.ics")])
    files.makeFolder("home", in: "/cal")
    let error = await #expect(throws: StorageError.self) { try await root.open(collection) }
    #expect(error?.kind == .vanished)
  }

  /// E2.11
  @Test func `a folder swapped for a link is not opened`() async throws {
    files.makeFolder("home", in: "/cal")
    let root = try root()
    let collection = try #require(try await root.listCollections().first)
    files.makeFolders("/secret")
    files.makeLink("home", to: "/secret", in: "/cal")
    await #expect(throws: StorageError.self) { try await root.open(collection) }
  }

  /// E2.10
  @Test func `the root can be the one collection, also through a configured link`() async throws {
    files.save("a.ics", Scene.old, in: "/cal")
    files.makeLink("link", to: "/cal", in: "/")
    let direct = try await root().describeItself()
    let linked = try await root("/link").describeItself()
    #expect(direct.href == Href("."))
    #expect(direct.name == "cal")
    #expect(linked == direct)
    let page = try await root("/link").open(linked).listChanges(since: nil)
    #expect(page.present.map(\.href) == [Href("a.ics")])
  }

  @Test func `a missing root is an error until it is made explicitly`() async throws {
    let error = #expect(throws: StorageError.self) { try root("/a/b/c/") }
    #expect(error?.kind == .vanished)
    #expect(files.names(in: "/a") == nil)
    try VdirRoot.create(path: utf8("/a/b/c/"), access: access)
    files.crash()
    #expect(try await root("/a/b/c").listCollections() == [])
    try VdirRoot.create(path: utf8("/a/b/c"), access: access)
  }

  @Test func `a root below a file cannot be made, and that is foreseen`() throws {
    files.save("file", [], in: "/")
    let error = #expect(throws: StorageError.self) {
      try VdirRoot.create(path: utf8("/file/cal"), access: access)
    }
    #expect(error?.kind == .cannotCreate)
    let foreseen = #expect(throws: StorageError.self) {
      try VdirRoot.foresee(path: utf8("/file/cal"), realPath: utf8("/file/cal"), access: access)
    }
    #expect(foreseen == error)
  }

  @Test(arguments: ["/link", "/link/cal"])
  func `nothing is made in place of a link that leads nowhere, and that is foreseen`(path: String)
    throws
  {
    files.makeLink("link", to: "/nowhere", in: "/")
    let error = #expect(throws: StorageError.self) {
      try VdirRoot.create(path: utf8(path), access: access)
    }
    #expect(error?.kind == .cannotCreate)
    let foreseen = #expect(throws: StorageError.self) {
      try VdirRoot.foresee(path: utf8(path), realPath: utf8(path), access: access)
    }
    #expect(foreseen == error)
    #expect(files.names(in: "/nowhere") == nil)
    files.makeFolder("nowhere", in: "/")
    try VdirRoot.create(path: utf8(path), access: access)
  }

  @Test func `a missing root is foreseen as it will be, and is not made`() async throws {
    let foreseen = try VdirRoot.foresee(
      path: utf8("/a/b/c/"), realPath: utf8("/a/b/c"), access: access)
    #expect(files.names(in: "/a") == nil)
    try VdirRoot.create(path: utf8("/a/b/c/"), access: access)
    var made = try await root("/a/b/c").describeItself()
    #expect(made.identity != foreseen.identity, "it is another one than any that was there")
    made.identity = foreseen.identity
    #expect(made == foreseen)
  }

  @Test(arguments: [
    ("a.ics", true), ("displayname", true), ("color", false), (".hidden.ics", false),
    ("a.txt", false),
  ])
  func `a folder is in use if it holds an item or a name`(file: String, isInUse: Bool)
    async throws
  {
    files.makeFolder("home", in: "/cal")
    files.makeFIFO("fifo.ics", in: "/cal/home")
    files.save(file, utf8("x"), in: "/cal/home")
    let root = try root()
    let collection = try #require(try await root.listCollections().first)
    #expect(try await root.isInUse(collection) == isInUse)
  }

  @Test func `a folder has one lock, freed when it is let go of or the process dies`()
    async throws
  {
    files.makeFolder("home", in: "/cal")
    let root = try root()
    let home = try #require(try await root.listCollections().first)
    var lock: VdirLock? = try root.lock(home)
    let error = #expect(throws: StorageError.self) { try root.lock(home) }
    #expect(error?.kind == .tryLater(nil))
    #expect(error?.message == "another calgw holds the lock of /cal/home")
    #expect(error?.hint.contains("--wait") == true)
    // Another folder is another lock.
    _ = try root.lock()
    withExtendedLifetime(lock) {}
    lock = nil
    lock = try root.lock(home)
    files.kill()
    let next = try self.root()
    _ = try next.lock(home)
  }
}
