import SyncModel
import TestSupport

/// Items of which a server may tell people.
extension World {
  /// A line each of who invites and who is invited.
  static let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"

  /// An event whose content a letter stands for, with people.
  static func meeting(_ uid: String, _ letter: Character = "A") -> ItemData {
    let text = String(decoding: event(uid, letter).bytes, as: UTF8.self)
    return ItemData(
      bytes: Array(text.replacing("END:VEVENT", with: people + "END:VEVENT").utf8))
  }
}
