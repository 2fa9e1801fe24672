import Glibc
import ICalendar
import StreamStorage
import SyncModel
import Synchronization
import TestSupport
import Testing
import VdirStorage

/// A calendar in one file as a side.
@Suite struct OneFileTests {
  @Test(arguments: StorageContract.checks)
  func `a file on the model file system keeps the contract`(check: StorageContract.Check)
    async throws
  {
    try await check.run(on: FileFixture())
  }

  @Test(arguments: StorageContract.checks)
  func `a file on a disk keeps the contract`(check: StorageContract.Check) async throws {
    try await check.run(on: FileFixture(disk: ()))
  }

  private func event(_ uid: String, _ summary: String) -> ItemData {
    StorageContract.event(uid, summary)
  }

  @Test func `a write changes its item and no other byte`() async throws {
    let fixture = try FileFixture()
    for uid in ["a", "b", "c"] { try fixture.put(Href(uid), event(uid, "Old \(uid)")) }
    let odd = Array("X-ODD:1\nBEGIN:X-NOTE\nX:2\nEND:X-NOTE\n".utf8)
    let before = try #require(fixture.text)
    let place = try #require(before.firstRange(of: Array("BEGIN:VEVENT\r\nUID:b".utf8)))
    let mixed = before[..<place.lowerBound] + odd + before[place.lowerBound...]
    try fixture.save(Array(mixed))

    let old = try #require(try await fixture.stream.read([Href("b")]).first?.version)
    let outcome = await fixture.stream.carryOut([
      .replace(Href("b"), expecting: old, with: event("b", "New b"))
    ])
    #expect(outcome.first?.isStored == true)
    let expected = String(decoding: mixed, as: UTF8.self)
      .replacing("SUMMARY:Old b", with: "SUMMARY:New b")
    #expect(String(decoding: fixture.text ?? [], as: UTF8.self) == expected)
  }

  @Test func `a batch is one new file`() async throws {
    let fixture = try FileFixture()
    let files = try #require(fixture.files)
    try fixture.put(Href("a"), event("a", "A"))
    let version = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    let before = files.effects
    let outcomes = await fixture.stream.carryOut(
      [.delete(Href("a"), expecting: version)]
        + (0..<100).map { .create(Href("n\($0)"), event("n\($0)", "N")) })
    #expect(outcomes.allSatisfy { $0.isStored || $0.result == .removed })
    // New file, write, sync, rename aside, exchange, sync of the folder.
    #expect(files.effects - before <= 8)
    #expect(CalendarStream(fixture.text ?? []).uids.count == 100)
  }

  @Test func `who edits the file meanwhile loses nothing`() async throws {
    let fixture = try FileFixture()
    let files = try #require(fixture.files)
    for uid in ["a", "b"] { try fixture.put(Href(uid), event(uid, "Old")) }
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    let edits = EditOnce { try? fixture.put(Href("b"), event("b", "Edited")) }
    files.onCall { operation, _ in if operation == .exchange { edits.run() } }
    let outcome = await fixture.stream.carryOut([
      .replace(Href("a"), expecting: old, with: event("a", "New"))
    ])
    #expect(outcome.first?.isStored == true)
    let text = String(decoding: fixture.text ?? [], as: UTF8.self)
    #expect(text.contains("SUMMARY:New") && text.contains("SUMMARY:Edited"))
    #expect(!text.contains("SUMMARY:Old"))
  }

  @Test func `who edits the file before every write is left alone until the next run`()
    async throws
  {
    let fixture = try FileFixture()
    let files = try #require(fixture.files)
    for uid in ["a", "b"] { try fixture.put(Href(uid), event(uid, "Old")) }
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    let edits = Mutex(0)
    files.onCall { operation, _ in
      // Not where calgw's text is in place, which goes out again then. That ends, so that who goes
      // on trying fails and does not hang.
      let isOurs = String(decoding: fixture.text ?? [], as: UTF8.self).contains("SUMMARY:New")
      guard operation == .exchange, !isOurs else { return }
      let count = edits.withLock { edits in
        edits += 1
        return edits
      }
      if count <= 100 { try? fixture.put(Href("b"), event("b", "Edit \(count).")) }
    }
    let outcome = await fixture.stream.carryOut([
      .replace(Href("a"), expecting: old, with: event("a", "New"))
    ])
    files.onCall(nil)
    #expect(outcome.map(\.result) == [.changedMeanwhile])
    let count = edits.withLock { $0 }
    #expect((2...4).contains(count))
    let text = String(decoding: fixture.text ?? [], as: UTF8.self)
    #expect(text.contains("SUMMARY:Old") && text.contains("SUMMARY:Edit \(count)."))
  }

  @Test(arguments: ["", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "<html></html>\r\n"])
  func `a file that is no whole calendar is an error and never a deletion`(text: String)
    async throws
  {
    let fixture = try FileFixture()
    try fixture.put(Href("a"), event("a", "A"))
    let cursor = try await fixture.stream.listChanges(since: nil).next
    try fixture.save(Array(text.utf8))
    let error = await #expect(throws: StorageError.self) {
      _ = try await fixture.stream.listChanges(since: cursor)
    }
    #expect(error?.kind == .io)
    #expect(error?.hint.contains("from a copy; nothing is deleted meanwhile") == true)
    #expect(error?.hint.contains("calgw log") == false, "the log has no such text")
    await #expect(throws: StorageError.self) {
      _ = try await fixture.stream.confirmAbsence(of: [Href("a")])
    }
  }

  @Test func `a file that is not there yet is empty, and one that went away is an error`()
    async throws
  {
    let fixture = try FileFixture()
    let first = try await fixture.stream.listChanges(since: nil)
    #expect(first.present.isEmpty && first.extent == .everything)
    #expect(try await fixture.stream.listChanges(since: first.next).present.isEmpty)
    _ = await fixture.stream.carryOut([.create(Href("a"), event("a", "A"))])
    let second = try await fixture.reopened().listChanges(since: first.next)
    #expect(second.present.map(\.href) == [Href("a")])
    fixture.files?.remove(FileFixture.name, in: FileFixture.folder)
    let error = await #expect(throws: StorageError.self) {
      _ = try await fixture.reopened().listChanges(since: second.next)
    }
    #expect(error?.kind == .vanished)
  }

  @Test func `a component without a UID is a problem and stays where it is`() async throws {
    let fixture = try FileFixture()
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:X\nEND:VEVENT\nEND:VCALENDAR\n"
    try fixture.save(Array(text.utf8))
    let page = try await fixture.stream.listChanges(since: nil)
    #expect(page.present.map(\.problem?.code) == [.noUID])
    _ = await fixture.stream.carryOut([.create(Href("a"), event("a", "A"))])
    #expect(String(decoding: fixture.text ?? [], as: UTF8.self).contains("SUMMARY:X"))
  }

  @Test func `what an editor writes into the replaced file is given with its item`() async throws {
    let fixture = try FileFixture()
    let files = try #require(fixture.files)
    for uid in ["a", "b"] { try fixture.put(Href(uid), event(uid, "Old")) }
    let handle = try #require(files.holdOpen(FileFixture.name, in: FileFixture.folder))
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    _ = await fixture.stream.carryOut([
      .replace(Href("a"), expecting: old, with: event("a", "New"))
    ])
    var late = StreamEdit(CalendarStream(fixture.text ?? []), isKnownZone: { _ in true })
    try late.put(event("b", "Late").bytes, as: Array("b".utf8))
    files.write(late.bytes, to: handle)
    let displaced = try await fixture.stream.displaced()
    let texts = displaced.map { String(decoding: $0.data.bytes, as: UTF8.self) }
    #expect(displaced.map(\.href).contains(Href("b")))
    #expect(texts.contains { $0.contains("SUMMARY:Late") })
    try await fixture.stream.discard(displaced)
    #expect(try await fixture.stream.displaced().isEmpty)
    #expect(files.names(in: FileFixture.folder) == [FileFixture.name])
  }

  @Test(arguments: ModelFileSystem.Fuse.Moment.allCases)
  func `whenever it stops, the file is the old or the new one`(moment: ModelFileSystem.Fuse.Moment)
    async throws
  {
    for effect in 1...8 {
      let fixture = try FileFixture()
      let files = try #require(fixture.files)
      for uid in ["a", "b"] { try fixture.put(Href(uid), event(uid, "Old")) }
      let before = fixture.text
      let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
      files.stop(at: .init(effect: files.effects + effect, moment: moment))
      _ = await fixture.stream.carryOut([
        .replace(Href("a"), expecting: old, with: event("a", "New"))
      ])
      files.crash(seed: UInt64(effect))
      let after = try #require(fixture.text)
      let isNew = String(decoding: after, as: UTF8.self).contains("SUMMARY:New")
      #expect(after == before || (isNew && CalendarStream(after).uids.count == 2))
      // The next run tidies up.
      let next = try fixture.reopened()
      try await next.discard(try await next.displaced())
      #expect(files.names(in: FileFixture.folder) == [FileFixture.name])
    }
  }

  @Test func `a link is followed, and one that leads nowhere is an error`() throws {
    let fixture = try FileFixture(disk: ())
    try fixture.put(Href("a"), event("a", "A"))
    let link = fixture.path.replacing("/\(FileFixture.name)", with: "/link.ics")
    #expect(symlink(fixture.path, link) == 0)
    func open() throws -> CalendarFile {
      try CalendarFile.open(path: Array(link.utf8), access: fixture.access)
    }
    let identity = try open().identity
    #expect(identity.hasSuffix("/\(FileFixture.name)"))
    #expect(rename(fixture.path, fixture.path + ".away") == 0)
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.kind == .vanished)
    #expect(error?.message == "\(link) is a link to a file that is not there")
    #expect(rename(fixture.path + ".away", fixture.path) == 0)
    #expect(try open().identity == identity)
  }

  @Test(arguments: ["calendar", ".hidden.ics", "x.txt"])
  func `a name that is no calendar's is refused`(name: String) throws {
    let fixture = try FileFixture()
    let error = #expect(throws: StorageError.self) {
      try CalendarFile.open(
        path: Array("\(FileFixture.folder)/\(name)".utf8), access: fixture.access)
    }
    #expect(error?.kind == .io)
  }
}

/// Something that happens the first time only.
private final class EditOnce: Sendable {
  private let counter = CallOnce()
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  func run() { if counter.isFirst { body() } }
}
