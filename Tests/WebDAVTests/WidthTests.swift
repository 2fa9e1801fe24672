import Testing

@testable import WebDAV

/// How many requests a pace lets go at once, by the answers so far.
@Suite struct WidthTests {
  /// What happens to a pace.
  private enum Event: Sendable {
    /// So many good answers, while as many requests are on their way as there may be.
    case http1(Int)
    case http2(Int)
    /// The server asks to wait.
    case complaint
    /// It ends a request, and has others of ours.
    case end
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
      // After an end twice as many answers as before let one more go; ends together are one.
      (4, [.end], 2), (4, [.end, .http1(3)], 2), (4, [.end, .http1(4)], 3),
      (4, [.end, .end, .http1(2)], 2), (4, [.end, .http1(4), .end, .http1(3)], 1),
      (4, [.end, .http1(4), .end, .http1(4)], 2), (4, [.end, .http1(1000)], 4),
    ] as [(Int, [Event], Int)])
  private func `answers over HTTP 2 let more go than there may be connections`(
    connections: Int, events: [Event], expected: Int
  ) async {
    let pace = Pace(most: connections)
    for event in events {
      switch event {
      case .http1(let count): await answer(count, pace, isMultiplexed: false)
      case .http2(let count): await answer(count, pace, isMultiplexed: true)
      case .complaint: pace.slowDown(for: 0, from: 0)
      case .end: pace.backOff()
      }
    }
    #expect(pace.width == expected)
  }

  /// Good answers one after the other, while as many requests are on their way as there may be.
  private func answer(_ count: Int, _ pace: Pace, isMultiplexed: Bool) async {
    var underWay = 0
    for _ in 0..<count {
      while underWay < pace.width {
        await pace.enter()
        underWay += 1
      }
      _ = pace.leave()
      underWay -= 1
      pace.wentWell(isMultiplexed: isMultiplexed)
    }
    while underWay > 0 {
      _ = pace.leave()
      underWay -= 1
    }
  }

  @Test func `requests one after the other are no reason for more at once`() async {
    let pace = Pace(most: 4)
    for _ in 0..<1000 {
      await pace.enter()
      _ = pace.leave()
      pace.wentWell(isMultiplexed: true)
    }
    #expect(pace.width == 4 && pace.peak == 1)
  }
}
