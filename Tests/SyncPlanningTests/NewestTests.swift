import SyncModel
import SyncPlanning
import Testing

/// Who wins under `newest`, by the two times of edit.
@Suite struct NewestTests {
  static let noon = Instant(seconds: 1_767_180_000)

  private func winner(_ local: Instant?, _ remote: Instant?) -> Side? {
    SyncPlanning.winner(
      Build.version("B", modified: local), Build.version("C", modified: remote), base: nil,
      policy: .newest, by: Clocks(now: Build.now))
  }

  static let localTimes: [(Instant?, Side)] = [
    (Instant(seconds: 1_767_180_003), Side.local),
    (Instant(seconds: 1_767_180_002), .remote),  // at most 2 s: the same time
    (Instant(seconds: 1_767_180_000), .remote),
    (Instant(seconds: 1_767_179_000), .remote),
    (Instant(seconds: 0), .remote),  // 1970 is a placeholder
    (Instant(seconds: 1_767_225_600 + 86_400), .local),  // a day ahead is plausible
    (Instant(seconds: 1_767_225_600 + 86_401), .remote),  // more than a day ahead is absurd
    (Instant(seconds: 1_767_225_600 + 90_000), .remote),
    (nil, .remote),
  ]

  @Test(arguments: localTimes)
  func `the remote side is from noon, the local one from`(local: Instant?, expected: Side) {
    #expect(winner(local, Self.noon) == expected)
  }

  static let remoteTimes: [(Instant?, Side)] = [
    (Instant(seconds: 7_305 * 86_400), .local),  // 1990 begins 7,305 days after 1970
    (Instant(seconds: 7_305 * 86_400 - 1), .remote),  // what is older is a placeholder
    (Instant(seconds: 0), .remote),
    (nil, .remote),
  ]

  @Test(arguments: remoteTimes)
  func `the local side is from noon, the remote one from`(remote: Instant?, expected: Side) {
    #expect(winner(Self.noon, remote) == expected)
  }

  /// How much later the local side was edited, in milliseconds.
  @Test(arguments: [
    (-2_001, Side.remote, true), (-2_000, .remote, false), (0, .remote, false),
    (2_000, .remote, false), (2_001, .local, true),
  ])
  func `times that are at most two seconds apart are the same time`(
    lead: Int64, newer: Side, areTelling: Bool
  ) {
    let local = Instant(milliseconds: Self.noon.milliseconds + lead)
    let times = EditTimes(local: local, remote: Self.noon)
    #expect(times.newer == newer)
    #expect(times.areTelling == areTelling)
  }

  @Test func `a time that is missing tells nothing`() {
    for times in [
      EditTimes(local: Self.noon, remote: nil), EditTimes(local: nil, remote: Self.noon),
      EditTimes(local: nil, remote: nil),
    ] {
      #expect(times.newer == .remote)
      #expect(!times.areTelling)
    }
  }

  @Test func `an absurd remote time makes the remote side win too, so that the rule is total`() {
    #expect(winner(Self.noon, Instant(seconds: -62_000_000_000)) == .remote)
  }

  /// How far the server's clock is ahead, and when by it the remote side was edited, in seconds
  /// from noon, at which the local one was.
  @Test(arguments: [
    (0, -600, Side.local), (-1200, -600, .remote), (0, 600, .remote), (1200, 600, .local),
  ])
  func `a server's times are told by its clock`(ahead: Int64, from: Int64, expected: Side) {
    let remote = Instant(milliseconds: Self.noon.milliseconds + from * 1000)
    let clocks = Clocks(now: Build.now, ahead: [.remote: ahead * 1000])
    let winner = SyncPlanning.winner(
      Build.version("B", modified: Self.noon), Build.version("C", on: .remote, modified: remote),
      base: nil, policy: .newest, by: clocks)
    #expect(winner == expected)
  }

  @Test func `a time that a program wrote is of no server's clock`() {
    var remote = Build.version("C", on: .remote, modified: Self.noon)
    remote.lastModified = Instant(milliseconds: Self.noon.milliseconds + 600_000)
    let winner = SyncPlanning.winner(
      Build.version("B", modified: Self.noon), remote, base: nil, policy: .newest,
      by: Clocks(now: Build.now, ahead: [.remote: 3_600_000]))
    #expect(winner == .remote)
  }

  @Test func `LAST-MODIFIED counts where the edit set it`() {
    var base = Build.agreement("A")
    base.local.lastModified = Instant(seconds: 1_700_000_000)
    var local = Build.version("B", modified: Instant(seconds: 1_767_100_000))
    local.lastModified = Instant(seconds: 1_767_190_000)
    let remote = Build.version("C", on: .remote, modified: Self.noon)
    let settle = { (local: ItemVersion) in
      SyncPlanning.winner(local, remote, base: base, policy: .newest, by: Clocks(now: Build.now))
    }
    #expect(settle(local) == .local)
    // A text editor leaves LAST-MODIFIED as it was: then the file's time counts.
    local.lastModified = Instant(seconds: 1_700_000_000)
    #expect(settle(local) == .remote)
  }
}
