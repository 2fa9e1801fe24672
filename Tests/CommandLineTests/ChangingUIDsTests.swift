import Synchronization
import TestSupport
import Testing

/// A subscription whose server gives every event a new UID, each time or once.
@Suite struct ChangingUIDsTests {
  /// The files are what tells the UIDs once the pair is forgotten.
  @Test(arguments: [false, true])
  func `its events stay the same ones where the new UIDs stay`(isForgotten: Bool) async throws {
    let count = 8
    let titles = Mutex("Event")
    let prefix = Mutex("old")
    let feed = try SubscribedFeed { _ in
      let (title, prefix) = (titles.withLock { $0 }, prefix.withLock { $0 })
      return SubscribedFeed.answer(
        (0..<count).map { number in
          SubscribedFeed.event(
            "\(prefix)\(number)", "\(title) \(number)", start: "2027010\(number + 1)T090000Z")
        })
    }
    let calgw = feed.calgw
    #expect(try await calgw("sync").status == 0)
    let before = try feed.files()
    #expect(before.count == count)

    prefix.withLock { $0 = "new" }
    let anew = try await calgw("sync")
    #expect(anew.output == "p/holidays: nothing to do\n", "\(anew.errors)")
    if isForgotten {
      #expect(try await calgw("forget", "p/holidays").status == 0)
      let first = try await calgw("sync")
      #expect(first.status == 0, "\(first.output) \(first.errors)")
      #expect(try feed.files() == before)
    }
    titles.withLock { $0 = "New title" }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("8 changed"), "\(run.output)")
    let after = try feed.files()
    #expect(Set(after.keys) == Set(before.keys))
    for text in after.values.map({ String(decoding: $0, as: UTF8.self) }) {
      #expect(text.contains("SUMMARY:New title"))
      #expect(text.contains("UID:old"))
    }
    #expect(try await calgw("sync").output == "p/holidays: nothing to do\n")
  }

  @Test(arguments: [2, 20])
  func `its events stay the same ones`(count: Int) async throws {
    let titles = Mutex((0..<count).map { "Event \($0)" })
    let feed = try SubscribedFeed { request in
      SubscribedFeed.answer(
        titles.withLock { $0 }.enumerated().map { number, title in
          SubscribedFeed.event(
            "\(request.number)-\(number)@example.org", title,
            stamp: "20260101T00000\(request.number % 10)Z")
        })
    }
    let calgw = feed.calgw
    let first = try await calgw("sync")
    #expect(first.status == 0, "\(first.output) \(first.errors)")
    let before = try feed.files()
    #expect(before.count == count)

    for _ in 0..<2 {
      let status = try await calgw("status")
      #expect(status.status == 0, "\(status.output) \(status.errors)")
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output == "p/holidays: nothing to do\n", "\(run.errors)")
      #expect(try feed.files() == before)
    }

    titles.withLock { $0[1] = "Another title" }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let after = try feed.files()
    #expect(after.count == count)
    let stayed = after.filter { before[$0.key] == $0.value }
    #expect(stayed.count == count - 1)
    let new = after.filter { before[$0.key] != $0.value }.values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(new.count == 1)
    #expect(new.first?.contains("SUMMARY:Another title") == true)
    let last = try await calgw("sync")
    #expect(last.output == "p/holidays: nothing to do\n", "\(last.errors)")
  }
}
