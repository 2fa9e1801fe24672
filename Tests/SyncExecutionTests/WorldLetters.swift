import SyncModel
import TestSupport

/// What people do with items whose contents are letters (`ScenarioText`).
extension World {
  static func event(_ uid: String, _ letters: String) -> ItemData {
    ScenarioText.event(uid, letters)
  }

  static func event(_ uid: String, _ letter: Character) -> ItemData {
    ScenarioText.event(uid, String(letter))
  }

  /// Puts, changes or removes an item as its owner would; `-` is nothing there.
  func set(_ uid: String, _ letters: String, on side: Side) {
    let href = Href("\(uid).ics")
    if letters == "-" {
      storage(side).remove(href)
    } else {
      storage(side).put(href, Self.event(uid, letters))
    }
  }

  func set(_ uid: String, _ letter: Character, on side: Side) { set(uid, String(letter), on: side) }

  /// Edits what is there as a client does that keeps what it does not know.
  func edit(_ uid: String, from old: String, to new: String, on side: Side) {
    let href = Href("\(uid).ics")
    let there = storage(side).items[href]
    if let text = ScenarioText.edited(there, uid, from: old, to: new) {
      storage(side).put(href, text)
    } else {
      storage(side).remove(href)
    }
  }

  /// The letter of an item on a side; `-` where it is not there, `2` where it is there twice.
  func letter(_ uid: String, on side: Side) -> Character {
    letters(uid, on: side, width: 1).first ?? "-"
  }

  func letters(_ uid: String, on side: Side, width: Int) -> String {
    ScenarioText.letters(uid, in: Array(storage(side).items.values), width: width)
  }
}
