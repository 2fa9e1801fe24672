import Testing
import WebDAV

/// How many requests a pace lets go at once, by the answers so far.
@Suite struct WidthTests {
  /// What happens to a pace.
  private enum Event: Sendable {
    /// So many good answers, while as many requests are on their way as there may be.
    case http1(Int)
    case http2(Int)
    /// The server asks to wait.
    case complaint
    /// It ends so many requests that went together, and has others of ours.
    case ends(Int)
  }

  /// Good answers after what makes a pace as cautious as it gets.
  private static func worn(_ answers: Int) -> [Event] {
    [
      .complaint, .http1(1), .complaint, .http1(1), .complaint, .http1(1), .complaint,
      .http1(answers),
    ]
  }

  @Test(
    arguments: [
      (4, [], 4), (4, [.http1(1000)], 4),
      // As many answers as requests at once let one more go.
      (4, [.http2(3)], 4), (4, [.http2(4)], 5), (4, [.http2(4 + 4)], 5), (4, [.http2(4 + 5)], 6),
      // 4 + 5 + … + 15 answers, and no more than 16 at once.
      (4, [.http2(113)], 15), (4, [.http2(114)], 16), (4, [.http2(1000)], 16),
      // Who wants one at a time gets that, who wants more than 16 connections those.
      (1, [.http2(1000)], 1), (2, [.http2(1000)], 16), (30, [.http2(1000)], 30),
      // An answer over HTTP/1, from another server or through a proxy, needs connections again.
      (4, [.http2(1000), .http1(1)], 4), (4, [.http2(1000), .http1(1), .http2(4)], 5),
      // After a complaint half of what was, and over HTTP/2 never more again.
      (4, [.complaint], 2), (4, [.complaint, .http1(1000)], 4), (4, [.complaint, .http2(1000)], 4),
      (4, [.http2(1000), .complaint], 8), (4, [.http2(1000), .complaint, .http2(1000)], 8),
      (4, [.http2(1000), .complaint, .complaint, .complaint], 2),
      (4, [.http2(1000), .complaint, .complaint, .complaint, .http2(1000)], 4),
      // After a complaint four times as many answers as before let one more go.
      (4, [.complaint, .http1(7)], 2), (4, [.complaint, .http1(8)], 3),
      (4, [.complaint, .http1(8), .complaint, .http1(15)], 1),
      (4, [.complaint, .http1(8), .complaint, .http1(16)], 2),
      // Those without a good answer in between are one; and there is an end to it.
      (2, [.complaint, .complaint, .http1(3)], 1), (2, [.complaint, .complaint, .http1(4)], 2),
      (2, worn(63), 1), (2, worn(64), 2),
      // After an end twice as many answers as before let one more go.
      (4, [.ends(1)], 2), (4, [.ends(1), .http1(3)], 2), (4, [.ends(1), .http1(4)], 3),
      (4, [.ends(1), .ends(1), .http1(2)], 2), (4, [.ends(1), .http1(4), .ends(1), .http1(3)], 1),
      (4, [.ends(1), .http1(4), .ends(1), .http1(4)], 2), (4, [.ends(1), .http1(1000)], 4),
      // Ends together are one; those of what went afterwards are another.
      (8, [.ends(8)], 4), (8, [.ends(8), .http1(7)], 4), (8, [.ends(8), .http1(8)], 5),
      (8, [.ends(8), .ends(4)], 2), (8, [.ends(8), .ends(4), .ends(2)], 1),
    ] as [(Int, [Event], Int)])
  private func `answers over HTTP 2 let more go than there may be connections`(
    connections: Int, events: [Event], expected: Int
  ) async {
    let pace = Pace(most: connections)
    for event in events {
      switch event {
      case .http1(let count): await answer(count, pace, isMultiplexed: false)
      case .http2(let count): await answer(count, pace, isMultiplexed: true)
      case .complaint:
        pace.slowDown(for: 0, from: 0, at: "https://a.example", because: "429")
      case .ends(let count): await end(count, pace)
      }
    }
    #expect(pace.width == expected)
  }

  /// Good answers one after the other, while as many requests are on their way as there may be.
  private func answer(_ count: Int, _ pace: Pace, isMultiplexed: Bool) async {
    var underWay: [Pace.Departure] = []
    for _ in 0..<count {
      while underWay.count < pace.width { underWay.append(await pace.enter()) }
      _ = pace.leave(underWay.removeLast())
      pace.wentWell(isMultiplexed: isMultiplexed)
    }
    for departure in underWay { _ = pace.leave(departure) }
  }

  /// Requests that go together and end together; the last one had company, too.
  private func end(_ count: Int, _ pace: Pace) async {
    var underWay: [Pace.Departure] = []
    for _ in 0..<count { underWay.append(await pace.enter()) }
    for (index, departure) in underWay.enumerated() {
      #expect(pace.leave(departure) == (count > 1), "\(index)")
      pace.backOff(departure)
    }
  }

  @Test func `requests one after the other are no reason for more at once`() async {
    let pace = Pace(most: 4)
    for _ in 0..<1000 {
      _ = pace.leave(await pace.enter())
      pace.wentWell(isMultiplexed: true)
    }
    #expect(pace.width == 4 && pace.peak == 1)
  }
}
