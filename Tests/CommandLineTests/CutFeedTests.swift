import Synchronization
import TestSupport
import Testing

/// A subscription whose text ends too early within its compression, of which libcurl need not tell.
@Suite struct CutFeedTests {
  @Test func `a feed that is cut off as it was compressed deletes nothing`() async throws {
    let events = ["a", "b", "c"].map { SubscribedFeed.event($0, $0) }
    let isCut = Mutex(false)
    let feed = try SubscribedFeed { _ in
      guard isCut.withLock({ $0 }) else { return SubscribedFeed.answer(events) }
      // Between two events.
      let bytes = (SubscribedFeed.head + events[0]).utf8.count
      return [
        .answer(
          200, headers: ["Content-Type": "text/calendar", "Content-Encoding": "gzip"],
          body: CutGzip.beginning(of: SubscribedFeed.text(events), bytes: bytes))
      ]
    }
    #expect(try await feed.calgw("sync").status == 0)
    let before = try feed.files()
    #expect(before.count == events.count)
    isCut.withLock { $0 = true }
    let run = try await feed.calgw("sync")
    #expect(run.status == 76, "\(run.output) \(run.errors)")
    #expect(try feed.files() == before)
  }

  /// What is there of it looks whole, so it is asked for once more as it is.
  @Test(arguments: [1, 2])
  func `a feed that is cut off between two calendars deletes nothing`(count: Int) async throws {
    let calendars = ["a", "b", "c"].map { SubscribedFeed.text([SubscribedFeed.event($0, $0)]) }
    let isCut = Mutex(false)
    let asked = Mutex<[String]>([])
    let feed = try SubscribedFeed { request in
      let coding = request.header("Accept-Encoding") ?? ""
      asked.withLock { $0.append(coding) }
      guard isCut.withLock({ $0 }), coding != "identity" else {
        return [
          .answer(200, headers: ["Content-Type": "text/calendar"], body: calendars.joined())
        ]
      }
      return [
        .answer(
          200, headers: ["Content-Type": "text/calendar", "Content-Encoding": "gzip"],
          body: CutGzip.beginning(
            of: calendars.joined(), bytes: calendars.prefix(count).joined().utf8.count))
      ]
    }
    #expect(try await feed.calgw("sync").status == 0)
    let before = try feed.files()
    #expect(before.count == calendars.count)
    isCut.withLock { $0 = true }
    let run = try await feed.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try feed.files() == before)
    #expect(asked.withLock { $0.contains("identity") })
  }
}
