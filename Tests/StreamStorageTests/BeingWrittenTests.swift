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
}
