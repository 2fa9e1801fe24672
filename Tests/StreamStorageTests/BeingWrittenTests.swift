import Glibc
import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import Testing
import VdirStorage

/// A calendar in one file that another program is writing.
@Suite struct BeingWrittenTests {
  private func event(_ uid: String, _ summary: String) -> ItemData {
    StorageContract.event(uid, summary)
  }

  @Test func `a file that is open for writing is left alone until it is closed`() async throws {
    let fixture = try FileFixture(disk: ())
    for uid in ["a", "b"] { try fixture.put(Href(uid), event(uid, "Old")) }
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    let text = fixture.text
    let writer = open(fixture.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    try #require(writer >= 0)
    let new = GuardedWrite.replace(Href("a"), expecting: old, with: event("a", "New"))

    let outcomes = await fixture.stream.carryOut([new])
    guard case .failed(let error) = outcomes.first?.result else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(error.kind == .io && error.why.contains("open for writing"), "\(error)")
    #expect(error.hint.contains("nothing is deleted meanwhile"), "\(error)")
    await #expect(throws: StorageError.self) {
      _ = try await fixture.reopened().listChanges(since: nil)
    }
    await #expect(throws: StorageError.self) {
      _ = try await fixture.stream.confirmAbsence(of: [Href("c")])
    }
    #expect(fixture.text == text)

    let more = event("c", "Appended").bytes
    #expect(write(writer, more, more.count) == more.count)
    close(writer)
    let stored = await fixture.stream.carryOut([new])
    #expect(stored.first?.isStored == true)
    let after = String(decoding: fixture.text ?? [], as: UTF8.self)
    #expect(after.contains("SUMMARY:New") && after.contains("SUMMARY:Appended"))
  }

  @Test func `what is written into the replaced file until it is closed is given then`()
    async throws
  {
    let fixture = try FileFixture(disk: ())
    try fixture.put(Href("a"), event("a", "Old"))
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    _ = await fixture.stream.carryOut([
      .replace(Href("a"), expecting: old, with: event("a", "New"))
    ])
    // It opened the file right before that.
    let aside = try #require(try fixture.hiddenNames.first)
    let writer = open(aside, O_WRONLY | O_APPEND | O_CLOEXEC)
    try #require(writer >= 0)
    #expect(try await fixture.stream.displaced() == [])
    let more = event("b", "Late").bytes
    #expect(write(writer, more, more.count) == more.count)
    #expect(try await fixture.stream.displaced() == [])
    close(writer)
    let next = try fixture.reopened()
    let displaced = try await next.displaced()
    #expect(displaced.map(\.href) == [Href("a"), Href("b")])
    try await next.discard(displaced)
    #expect(try fixture.hiddenNames == [])
  }

  // MARK: Absence

  /// In milliseconds: how long the file was quiet, and how long the look waits.
  @Test(
    arguments: [(0, 1000), (1, 999), (999, 1), (1000, 0), (5000, 0), (-5000, 1000)]
      as [(Int64, Int64)])
  func `nothing counts as missing before the file was quiet for a second`(
    quiet: Int64, waits: Int64
  ) async throws {
    let fixture = try FileFixture()
    let files = try #require(fixture.files)
    files.setTick(0)
    try fixture.put(Href("a"), event("a", "A"))
    files.advance(milliseconds: quiet)
    let before = files.surroundings.now()
    #expect(try await fixture.stream.confirmAbsence(of: [Href("a"), Href("b")]) == [Href("b")])
    #expect(files.surroundings.now().milliseconds - before.milliseconds == waits)
  }

  /// The model file system on which a program saves the file while calgw waits.
  private func opened(
    on files: ModelFileSystem, whileWaiting save: @escaping @Sendable () -> Void
  ) throws -> StreamStorage {
    files.makeFolders(FileFixture.folder)
    var surroundings = files.surroundings
    surroundings.pause = {
      files.advance(milliseconds: $0)
      save()
    }
    return try FileFixture.open(
      FileFixture.folder, VdirAccess(files: files, digest: sha256, surroundings: surroundings))
  }

  @Test func `an item that is written while the look waits is not missing`() async throws {
    let files = ModelFileSystem()
    let (first, second) = (event("a", "A").bytes, event("b", "B").bytes)
    let saves = CallOnce()
    let stream = try opened(on: files) {
      guard saves.isFirst else { return }
      files.overwrite(FileFixture.name, first + second, in: FileFixture.folder)
    }
    files.save(FileFixture.name, first, in: FileFixture.folder)
    let asked = [Href("b"), Href("c")]
    #expect(try await stream.confirmAbsence(of: asked) == [Href("c")])
  }

  @Test func `nothing is missing in a file that a program goes on writing`() async throws {
    let files = ModelFileSystem()
    let first = event("a", "A").bytes
    let stream = try opened(on: files) {
      files.overwrite(FileFixture.name, first, in: FileFixture.folder)
    }
    files.save(FileFixture.name, first, in: FileFixture.folder)
    #expect(try await stream.confirmAbsence(of: [Href("b")]) == [])
  }
}
