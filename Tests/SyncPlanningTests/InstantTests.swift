import SyncModel
import Testing

/// Times come from files and from servers, and may be any number: none may trap.
@Suite struct InstantTests {
  @Test(
    arguments: [
      (1_000, 500, 1_500), (1_000, -500, 500), (0, .min, .min),
      (.max, 1, .max), (1, .max, .max), (.min, -1, .min), (-1, .min, .min), (.min, .max, -1),
    ] as [(Int64, Int64, Int64)])
  func `nothing is beyond the first and the last moment`(time: Int64, length: Int64, end: Int64) {
    let moved = Instant(milliseconds: time).advanced(by: length)
    #expect(moved == Instant(milliseconds: end))
  }

  @Test(
    arguments: [
      (1_500, 1_000, 500), (500, 1_000, -500), (.max, 0, .max), (.max, -1, .max),
      (.max, .min, .max), (.min, .max, .min), (-2, .max, .min), (0, .min, .max),
    ] as [(Int64, Int64, Int64)])
  func `no time between two moments is too long`(now: Int64, then: Int64, length: Int64) {
    let (now, then) = (Instant(milliseconds: now), Instant(milliseconds: then))
    #expect(now.milliseconds(since: then) == length)
  }
}
