import CalgwKit
import SyncModel
import Testing

/// Meetings that a server does not move, as a pair's store keeps them.
@Suite struct HeldMeetingsTests {
  private func at(hours: Int64) -> Instant { Instant(milliseconds: hours * 3_600_000) }

  @Test func `a server is asked about them again after a day`() {
    var held = HeldMeetings()
    held.note([ItemID("review")], at: at(hours: 100))
    for hours in [77, 100, 123] as [Int64] {
      #expect(held.holds(ItemID("review"), at: at(hours: hours)))
      #expect(!held.holds(ItemID("choir"), at: at(hours: hours)))
    }
    // Clocks are set back, too.
    for hours in [76, 124] as [Int64] {
      #expect(!held.holds(ItemID("review"), at: at(hours: hours)))
    }
  }

  @Test func `they are kept with their times, for as long as these count`() {
    var held = HeldMeetings()
    held.note([ItemID("a b  c"), ItemID("later")], at: at(hours: 0))
    #expect(HeldMeetings(encoded: held.encoded) == held)
    held.note([ItemID("later")], at: at(hours: 1))
    #expect(HeldMeetings(encoded: held.encoded) == held)
    held.note([], at: at(hours: 24))
    var rest = HeldMeetings()
    rest.note([ItemID("later")], at: at(hours: 1))
    #expect(held == rest)
  }

  @Test(arguments: ["", "x", "x y", "1", "\n\n"])
  func `what cannot be read is asked about`(text: String) {
    #expect(HeldMeetings(encoded: Array(text.utf8)) == HeldMeetings())
  }
}
