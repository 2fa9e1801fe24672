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
    arguments: [(0, true), (9, true), (10, false), (-9, true), (-10, false)] as [(Int64, Bool)])
  func `it holds for ten minutes, and for one account`(minutes: Int64, holds: Bool) {
    let making = making(before: [])
    #expect(making.holds(at: Self.place, at(minutes: 100 + minutes)) == holds)
    #expect(!making.holds(at: "location bob https://dav.example.org/", at(minutes: 100 + minutes)))
  }
}
