import Glibc
import SyncModel
import TestSupport
import Testing
import VdirStorage

/// What only a real disk can show.
@Suite(.timeLimit(.minutes(20)))
struct LinuxTests {
  /// PITFALLS E2.10 and E2.12
  @Test func `a FIFO, a folder and links named as items neither hang nor are followed`()
    async throws
  {
    let disk = try DiskVdir()
    #expect(mkfifo(disk.at("fifo.ics"), 0o600) == 0)
    #expect(symlink("/etc/passwd", disk.at("link.ics")) == 0)
    #expect(symlink(".#lock", disk.at("dangling.ics")) == 0)
    #expect(mkdir(disk.at("folder.ics"), 0o700) == 0)
    let page = try await disk.vdir.listChanges(since: nil)
    #expect(page.present.count == 4)
    #expect(page.present.allSatisfy { $0.problem?.code == .notAFile })
    let outcomes = try await disk.vdir.read(page.present.map(\.href))
    #expect(outcomes.map(\.problem) == [.notAFile, .notAFile, .notAFile, .notAFile])
    let version = Version(tag: nil, digest: sha256([]))
    for item in page.present {
      let writes = await disk.vdir.carryOut([
        .replace(item.href, expecting: version, with: ItemData(bytes: Scene.new)),
        .delete(item.href, expecting: version),
      ])
      #expect(writes.map(\.result) == [.changedMeanwhile, .changedMeanwhile])
    }
    #expect(try disk.names == ["dangling.ics", "fifo.ics", "folder.ics", "link.ics"])
  }

  /// Who only looks at a folder goes by its listing, and looks at no file before it opens it.
  @Test func `a file that became a link since it was listed is not read`() throws {
    let disk = try DiskVdir()
    try disk.write("a.ics", Scene.old)
    try disk.write("foreign", Scene.new)
    let name = try #require(FileName("a.ics"))
    let reader = try FolderReader(path: Array(disk.path.utf8))
    #expect(reader.names == [name])
    let buffer = FolderReader.Buffer()
    let listed = reader.withBytes(of: name, in: buffer) { Array($0) }
    #expect(listed == Scene.old)
    #expect(unlink(disk.at("a.ics")) == 0)
    #expect(symlink(disk.at("foreign"), disk.at("a.ics")) == 0)
    let followed = reader.withBytes(of: name, in: buffer) { Array($0) }
    #expect(followed == nil)
  }

  /// The folder that is there by then has the very files, so that no look at them keeps calgw away.
  @Test(arguments: [false, true])
  func `what is open is read and written, whatever stands at its path by then`(isLink: Bool)
    async throws
  {
    let disk = try DiskVdir()
    for folder in ["cal", "other"] {
      #expect(mkdir(disk.at(folder), 0o700) == 0)
      for name in ["a.ics", "b.ics"] { try disk.write("\(folder)/\(name)", Scene.old) }
    }
    let vdir = try VdirStorage.open(path: Array(disk.at("cal").utf8), access: disk.access)
    let versions = try await vdir.read([Href("a.ics"), Href("b.ics")]).compactMap(\.version)
    try #require(versions.count == 2)
    #expect(rename(disk.at("cal"), disk.at("moved")) == 0)
    let (other, place) = (disk.at("other"), disk.at("cal"))
    let replaced = isLink ? symlink(other, place) : rename(other, place)
    #expect(replaced == 0)
    let outcomes = await vdir.carryOut([
      .replace(Href("a.ics"), expecting: versions[0], with: ItemData(bytes: Scene.new)),
      .delete(Href("b.ics"), expecting: versions[1]),
      .create(Href("c.ics"), ItemData(bytes: Scene.created)),
    ])
    #expect(outcomes[0].storedVersion != nil)
    #expect(outcomes[1].result == .removed)
    #expect(outcomes[2].storedVersion != nil)
    #expect(disk.bytes("moved/a.ics") == Scene.new)
    #expect(disk.bytes("moved/b.ics") == nil)
    #expect(disk.bytes("moved/c.ics") == Scene.created)
    #expect(try await vdir.read([Href("c.ics")])[0].version?.digest == sha256(Scene.created))
    for name in ["a.ics", "b.ics"] { #expect(disk.bytes("cal/\(name)") == Scene.old) }
    let files = LinuxFileSystem()
    let there = try files.openDirectory(path: Array(place.utf8))
    defer { files.close(there) }
    #expect(try files.list(there).map(\.text).sorted() == ["a.ics", "b.ics"])
  }

  /// E2.12
  @Test func `a hard link's other name keeps its content`() async throws {
    let disk = try DiskVdir()
    try disk.write("foreign", Scene.old)
    #expect(link(disk.at("foreign"), disk.at("a.ics")) == 0)
    let old = try #require(try await disk.vdir.read([Href("a.ics")])[0].version)
    let outcomes = await disk.vdir.carryOut([
      .replace(Href("a.ics"), expecting: old, with: ItemData(bytes: Scene.new))
    ])
    #expect(outcomes[0].storedVersion != nil)
    try await disk.vdir.discard(try await disk.vdir.displaced())
    #expect(disk.bytes("foreign") == Scene.old)
    #expect(disk.bytes("a.ics") == Scene.new)
  }

  /// A file that was replaced or deleted while a program had it open: its descriptor.
  private func displace(on disk: DiskVdir, isDeleted: Bool = false) async throws -> Int32 {
    try disk.write("a.ics", Scene.old)
    let editor = open(disk.at("a.ics"), O_RDWR | O_CLOEXEC)
    try #require(editor >= 0)
    let old = try #require(try await disk.vdir.read([Href("a.ics")])[0].version)
    let outcomes = await disk.vdir.carryOut([
      isDeleted
        ? .delete(Href("a.ics"), expecting: old)
        : .replace(Href("a.ics"), expecting: old, with: ItemData(bytes: Scene.new))
    ])
    #expect(isDeleted ? outcomes[0].result == .removed : outcomes[0].storedVersion != nil)
    return editor
  }

  /// What is displaced, once no program has it open for writing. Another test may be starting one,
  /// which for a moment has all that is open in this process.
  private func displaced(on disk: DiskVdir) async throws -> [DisplacedFile] {
    for _ in 0..<10_000 {
      let files = try await disk.vdir.displaced()
      if !files.isEmpty { return files }
      sched_yield()
    }
    return []
  }

  /// Discards what is displaced likewise, until the folder has these names alone.
  private func discardAll(on disk: DiskVdir, leaving names: [String]) async throws {
    for _ in 0..<10_000 where try disk.names != names {
      try await disk.vdir.discard(try await disk.vdir.displaced())
      sched_yield()
    }
    #expect(try disk.names == names)
  }

  @Test func `an empty displaced file goes once nobody has it open for writing`() async throws {
    let disk = try DiskVdir()
    let editor = try await displace(on: disk)
    #expect(ftruncate(editor, 0) == 0)
    try await disk.vdir.discard(try await disk.vdir.displaced())
    #expect(try disk.names.count == 2)
    disk.advance(milliseconds: 120_000)
    #expect(try await disk.vdir.displaced() == [], "however long it takes its time")
    close(editor)
    try await discardAll(on: disk, leaving: ["a.ics"])
  }

  @Test(arguments: [true, false])
  func `what a program saves in a file that was replaced or deleted is kept`(isDeleted: Bool)
    async throws
  {
    let disk = try DiskVdir()
    let editor = try await displace(on: disk, isDeleted: isDeleted)
    // As the end of a run does, and the beginning of the next one.
    for _ in 0..<2 { try await disk.vdir.discard(try await disk.vdir.displaced()) }
    #expect(try disk.names.contains { $0.hasPrefix(".calgw-x") })
    let listed = try await disk.vdir.listChanges(since: nil).present.map(\.href)
    #expect(listed == (isDeleted ? [] : [Href("a.ics")]))

    #expect(ftruncate(editor, 0) == 0)
    #expect(pwrite(editor, Scene.edited, Scene.edited.count, 0) == Scene.edited.count)
    #expect(try await disk.vdir.displaced() == [], "it is not closed yet")
    close(editor)
    #expect(try await displaced(on: disk).map(\.data.bytes) == [Scene.edited])
    try await discardAll(on: disk, leaving: isDeleted ? [] : ["a.ics"])
  }

  @Test func `a displaced file is not discarded while a program has it open for writing`()
    async throws
  {
    let disk = try DiskVdir()
    try disk.write("a.ics", Scene.old)
    let old = try #require(try await disk.vdir.read([Href("a.ics")])[0].version)
    _ = await disk.vdir.carryOut([.delete(Href("a.ics"), expecting: old)])
    let displaced = try await displaced(on: disk)
    #expect(displaced.map(\.data.bytes) == [Scene.old])
    let name = try #require(try disk.names.first)
    let editor = open(disk.at(name), O_WRONLY | O_CLOEXEC)
    try #require(editor >= 0)
    try await disk.vdir.discard(displaced)
    #expect(try disk.names == [name])
    close(editor)
    try await discardAll(on: disk, leaving: [])
  }

  @Test func `names that are no UTF-8 are listed and read`() async throws {
    let disk = try DiskVdir()
    let name: [UInt8] = [0xC3, 0x28, 0xFF] + Array(".ics".utf8)
    let path = disk.path.utf8.map(CChar.init(bitPattern:)) + [47]
    let file = open(path + name.map(CChar.init(bitPattern:)) + [0], O_CREAT | O_WRONLY, 0o600)
    #expect(file >= 0)
    #expect(write(file, Scene.old, Scene.old.count) == Scene.old.count)
    close(file)
    let page = try await disk.vdir.listChanges(since: nil)
    #expect(page.present.map(\.href.spelling) == [name])
    #expect(try await disk.vdir.read([Href(name)])[0].version?.digest == sha256(Scene.old))
  }

  @Test func `a replaced file keeps its mode, a new one has what the umask leaves`()
    async throws
  {
    let disk = try DiskVdir()
    try disk.write("a.ics", Scene.old)
    #expect(chmod(disk.at("a.ics"), 0o640) == 0)
    let old = try #require(try await disk.vdir.read([Href("a.ics")])[0].version)
    _ = await disk.vdir.carryOut([
      .replace(Href("a.ics"), expecting: old, with: ItemData(bytes: Scene.new)),
      .create(Href("b.ics"), ItemData(bytes: Scene.new)),
    ])
    // Other tests run in this process: the umask is looked at and not set.
    let mask = umask(0o022)
    umask(mask)
    #expect(try mode(disk.at("a.ics")) == 0o640)
    #expect(try mode(disk.at("b.ics")) == 0o666 & ~mask)
  }

  private func mode(_ path: String) throws -> mode_t { try status(path).st_mode & 0o777 }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status
  }

  /// A group beside the usual one that this process may give to a file.
  private static let otherGroup: gid_t? = {
    if geteuid() == 0 { return getegid() + 1 }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = Int(max(0, getgroups(Int32(groups.count), &groups)))
    return groups.prefix(count).first { $0 != getegid() }
  }()

  @Test(.enabled(if: LinuxTests.otherGroup != nil))
  func `a replaced file and a replaced name of the folder keep their group`() async throws {
    let disk = try DiskVdir()
    let group = try #require(Self.otherGroup)
    try disk.write("a.ics", Scene.old)
    try disk.write("displayname", Array("Work".utf8))
    for name in ["a.ics", "displayname"] {
      #expect(chown(disk.at(name), uid_t.max, group) == 0)
      #expect(chmod(disk.at(name), 0o640) == 0)
    }
    let old = try #require(try await disk.vdir.read([Href("a.ics")])[0].version)
    _ = await disk.vdir.carryOut([
      .replace(Href("a.ics"), expecting: old, with: ItemData(bytes: Scene.new))
    ])
    let root = try VdirRoot.open(path: Array(disk.path.utf8), access: disk.access)
    let itself = try await root.describeItself()
    _ = try await root.setMetadata([.displayname: "Office"], of: itself)
    for name in ["a.ics", "displayname"] {
      #expect(try status(disk.at(name)).st_gid == group)
      #expect(try mode(disk.at(name)) == 0o640)
    }
  }

  /// As where somebody who is in the group made the file, and this user is not.
  @Test(.enabled(if: geteuid() != 0))
  func `where the group may not be kept, no other one may read the file`() throws {
    let disk = try DiskVdir()
    let files = LinuxFileSystem()
    let folder = try files.openDirectory(path: Array(disk.path.utf8))
    defer { files.close(folder) }
    let file = try files.create(try #require(FileName("a.ics")), in: folder, mode: 0o600)
    defer { files.close(file) }
    // Nobody is in the group of this number.
    try files.setMode(0o664, group: .max - 1, of: file)
    #expect(try mode(disk.at("a.ics")) == 0o604)
  }

  @Test func `the kernel's lock keeps a second run out`() async throws {
    let disk = try DiskVdir()
    let root = try VdirRoot.open(path: Array(disk.path.utf8), access: disk.access)
    var lock: VdirLock? = try root.lock()
    let itself = try await root.describeItself()
    #expect(throws: StorageError.self) { try root.lock(itself) }
    let copies = try InheritedDescriptors(of: disk.path)
    #expect(!copies.numbers.isEmpty)
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try root.lock()
    withExtendedLifetime(copies) {}
  }

  @Test func `a missing folder is an error, and can be made`() async throws {
    let disk = try DiskVdir()
    let path = Array(disk.at("deep/er").utf8)
    #expect(throws: StorageError.self) { try VdirRoot.open(path: path, access: disk.access) }
    try VdirRoot.create(path: path, access: disk.access)
    let root = try VdirRoot.open(path: path, access: disk.access)
    let made = try await root.createCollection(
      CollectionProposal(name: "home", displayName: "Home"))
    #expect(try await root.listCollections() == [made])
  }

  @Test func `ten thousand files are listed and read`() async throws {
    let disk = try DiskVdir()
    let count = 10_000
    for number in 0..<count {
      let file = open(disk.at("item\(number).ics"), O_CREAT | O_WRONLY, 0o600)
      _ = write(file, Scene.old, Scene.old.count)
      close(file)
    }
    let page = try await disk.vdir.listChanges(since: nil)
    #expect(page.present.count == count)
    var found = 0
    for start in stride(from: 0, to: count, by: disk.vdir.traits.readBatch) {
      let batch = page.present[start..<(start + disk.vdir.traits.readBatch)].map(\.href)
      found += try await disk.vdir.read(batch).count { $0.version != nil }
    }
    #expect(found == count)
    disk.settle()
    let second = try await disk.vdir.listChanges(since: page.next)
    disk.settle()
    let third = try await disk.vdir.listChanges(since: second.next)
    #expect(third.present.allSatisfy { $0.tag != nil })
  }

  @Test func `the calls give the system's codes`() throws {
    let disk = try DiskVdir()
    let files = LinuxFileSystem()
    let folder = try files.openDirectory(path: Array(disk.path.utf8))
    defer { files.close(folder) }
    let one = try #require(FileName("one"))
    let two = try #require(FileName("two"))
    expect(ENOENT) { _ = try files.status(of: one, in: folder) }
    expect(ENOENT) { try files.exchange(one, two, in: folder) }
    for name in [one, two] {
      let file = try files.create(name, in: folder, mode: 0o600)
      try files.write(name.bytes, to: file)
      files.startWriteback(file)
      try files.syncData(file)
      files.close(file)
    }
    expect(EEXIST) { _ = try files.create(one, in: folder, mode: 0o600) }
    expect(EEXIST) { try files.renameNoReplace(one, to: two, in: folder) }
    expect(EFBIG) { _ = try files.read(one, in: folder, limit: 2) }
    try files.exchange(one, two, in: folder)
    #expect(try files.read(one, in: folder, limit: 3).bytes == two.bytes)
    #expect(try files.list(folder).sorted() == [one, two])
    expect(ENAMETOOLONG) {
      let long = try #require(FileName([UInt8](repeating: 97, count: 256)))
      _ = try files.create(long, in: folder, mode: 0o600)
    }
    expect(ENOENT) { _ = try files.openDirectory(path: []) }
    expect(ENOENT) { _ = try files.openDirectory(path: [47, 0, 47]) }
    #expect(symlink(disk.path, disk.at("link")) == 0)
    let link = try #require(FileName("link"))
    let refused = #expect(throws: FileError.self) { try files.openDirectory(link, in: folder) }
    #expect([ELOOP, ENOTDIR].contains(refused?.code))
    #expect(try files.realPath(Array(disk.at("link/./").utf8)) == Array(disk.path.utf8))
    try files.syncDirectory(folder)
  }

  private func expect(_ code: Int32, _ body: () throws -> Void) {
    let error = #expect(throws: FileError.self) { try body() }
    #expect(error?.code == code)
  }
}
