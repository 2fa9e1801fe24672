import EventEditing
import ICalendar
import TestSupport
import Testing

/// `Fixtures/edits`: an item, an edit as a person writes it, and what it makes of the item.
@Suite struct EditFixtureTests {
  @Test(arguments: try EditFixture.all())
  func `an edit makes what its fixture says`(fixture: EditFixture) throws {
    let before = try fixture.bytes("before.ics")
    let change: LinkedChange
    do throws(EditError) {
      change = try fixture.carryOut(on: before)
    } catch {
      #expect(error.description == fixture.refusal, "\(error)")
      return
    }
    #expect(fixture.refusal == nil, "not refused")
    #expect(change.notes.map(\.description) == fixture.notes)
    let after = try fixture.isDeleted ? nil : fixture.bytes("after.ics")
    #expect(change.item.map(text) == after.map(text))
    #expect(change.item == after)
    let created = try fixture.has("after-new.ics") ? fixture.bytes("after-new.ics") : nil
    #expect(change.created.map { text($0.text) } == created.map(text))
    #expect(change.created?.text == created)
    if let created = change.created { #expect(created.uid == Array(EditFixture.newUID.utf8)) }
  }

  @Test func `there are fixtures of every span`() throws {
    let commands = try EditFixture.all().map(\.command)
    #expect(commands.count >= 40)
    for span in Span.allCases {
      #expect(commands.count { $0.contains("--span \(span.rawValue)") } >= 5)
    }
  }

  /// Lines, so that a difference can be read.
  private func text(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }
}
