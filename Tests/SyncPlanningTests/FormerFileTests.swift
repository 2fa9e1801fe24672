import SyncModel
import SyncPlanning
import Testing

/// Which file a version of an item takes the place of: a restore of a sync's version and one of an
/// edit's go by the same table.
@Suite struct FormerFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// Where both sides never shared the item from this file, and where they did.
    let unshared: FormerFile
    let agreed: FormerFile

    init(_ description: String, _ text: String, _ unshared: FormerFile, agreed: FormerFile) {
      testDescription = description
      self.text = text
      self.unshared = unshared
      self.agreed = agreed
    }
  }

  private static let own = FormerFile.own(beside: [])
  private static func beside(_ uids: String...) -> FormerFile {
    .own(beside: uids.map { ItemID($0) })
  }

  private static func event(_ uid: String?) -> String {
    "BEGIN:VEVENT\r\n" + (uid.map { "UID:\($0)\r\n" } ?? "")
      + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260105T100000Z\r\nEND:VEVENT\r\n"
  }

  private static func calendar(_ uids: String?...) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//\r\n" + uids.map(event).joined()
      + "END:VCALENDAR\r\n"
  }

  static let cases = [
    Case("the item", calendar("dentist"), own, agreed: own),
    Case("nothing", "", own, agreed: own),
    Case("blank lines", "\r\n\r\n", own, agreed: own),
    Case("an event without a UID", calendar(nil), own, agreed: own),
    Case("no event", calendar(), own, agreed: own),
    Case("cut off, with its UID", String(calendar("dentist").dropLast(40)), own, agreed: own),
    Case("cut off before its UID", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", own, agreed: own),
    Case(
      "cut off within its UID", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:den", .foreign,
      agreed: own),
    Case("no calendar at all", "a shopping list\r\n", .foreign, agreed: own),
    Case("the item under a web page", "<html>\r\n" + calendar("dentist"), own, agreed: own),
    Case(
      "the item and another one", calendar("dentist", "gym"), beside("gym"),
      agreed: beside("gym")),
    Case("another item", calendar("gym"), .foreign, agreed: .foreign),
    Case("two other items", calendar("gym", "lunch"), .foreign, agreed: .foreign),
    Case(
      "another item, cut off", String(calendar("gym").dropLast(40)), .foreign, agreed: .foreign),
  ]

  @Test(arguments: cases)
  func `goes by what the file holds, and whether both sides shared the item from it`(row: Case) {
    let bytes = Array(row.text.utf8)
    let uid = ItemID("dentist")
    #expect(FormerFile(bytes, of: uid, isAgreed: false) == row.unshared)
    #expect(FormerFile(bytes, of: uid, isAgreed: true) == row.agreed)
  }
}
