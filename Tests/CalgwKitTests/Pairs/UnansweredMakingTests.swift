import CalgwKit
import SyncModel
import Testing

/// A calendar that was asked for, as a pair's store keeps it.
@Suite struct UnansweredMakingTests {
  private static let place = "location alice https://dav.example.org/"

  private func making(before: [String]) -> UnansweredMaking {
    let href = Href(
      spelling: Array("/cal/m%c3%bcsik/".utf8), key: Array("/cal/m\u{FC}sik/".utf8))
    return UnansweredMaking(
      href, beside: Set(before.map { Href($0) }), named: "m\u{FC}sik", at: Self.place,
      at(minutes: 100))
  }

  private func at(minutes: Int64) -> Instant { Instant(milliseconds: minutes * 60_000) }

  @Test(arguments: [[], ["/cal/work/"], ["/cal/work/", "/cal/home/"]])
  func `it is kept as it was asked for`(before: [String]) {
    let making = making(before: before)
    #expect(UnansweredMaking(encoded: making.encoded) == making)
  }

  @Test(arguments: ["", "1", "x\0p\0n\0/a/\0/a/", "1\0p\0n\0/a/"])
  func `what cannot be read is not kept in mind`(text: String) {
    #expect(UnansweredMaking(encoded: Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [(0, false), (9, false), (10, true), (-9, false), (-10, true)] as [(Int64, Bool)])
  func `it is overdue after ten minutes, and known for one account`(
    minutes: Int64, isOverdue: Bool
  ) {
    let making = making(before: [])
    let now = at(minutes: 100 + minutes)
    #expect(making.isOverdue(at: now) == isOverdue)
    #expect(making.holds(at: Self.place, now))
    #expect(!making.holds(at: "location bob https://dav.example.org/", now))
  }

  @Test(arguments: [(29, true), (30, false)] as [(Int64, Bool)])
  func `it is known for a month`(days: Int64, holds: Bool) {
    let now = at(minutes: 100 + days * 24 * 60)
    #expect(making(before: []).holds(at: Self.place, now) == holds)
  }
}
