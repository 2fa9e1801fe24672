import TestSupport
import Testing

/// An item that both sides share, and whose resource on the server is no item any more.
@Suite struct BrokenThereMendTests {
  private static let broken = [
    "no-uid": event("gym", "Sports").replacing("UID:gym\r\n", with: ""),
    "several-uids": event("gym", "Sports").replacing(
      "END:VCALENDAR\r\n",
      with: "BEGIN:VEVENT\r\nUID:walk\r\nDTSTAMP:20260101T000000Z\r\n"
        + "DTSTART:20260106T100000Z\r\nSUMMARY:Walk\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"),
  ]

  @Test(
    arguments: [
      ("as it was", "that deletes the item on the local side, too"),
      ("edited", "the next sync puts the item back, as the local side has it"),
      ("gone", "the item is then gone from both sides"),
    ], ["no-uid", "several-uids"])
  func `the mend says what comes of the item when it is taken away there`(
    here: (state: String, mend: String), code: String
  ) async throws {
    let world = try FolderAndCalendar()
    for uid in ["choir", "dentist", "gym", "lunch", "tea"] {
      world.model.put("\(uid).ics", event(uid, uid), in: FolderAndCalendar.path)
    }
    _ = try await world.sync()
    let text = try #require(Self.broken[code])
    world.model.put("gym.ics", text, in: FolderAndCalendar.path)
    switch here.state {
    case "edited": try world.write("gym.ics", event("gym", "Swimming"))
    case "gone": try world.remove("gym.ics")
    default: break
    }
    let held = try await world.sync(status: 1).run.errors
    #expect(held.contains("[\(code)]"), "\(held)")
    let comma = code == "no-uid" ? ":" : ","
    #expect(held.contains("take it away there\(comma) \(here.mend)\n"), "\(held)")

    world.model.remove(Array("gym.ics".utf8), in: FolderAndCalendar.path)
    _ = try await world.sync()
    let isThere = here.state == "edited"
    #expect(try world.here().contains("gym") == isThere)
    #expect(world.there().contains("gym") == isThere)
  }
}
