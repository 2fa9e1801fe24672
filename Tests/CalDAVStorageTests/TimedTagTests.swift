import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers without a list of changes whose entity tags are the second of a change (DavMail), and a
/// clock here that is set meanwhile.
@Suite struct TimedTagTests {
  private let hrefs = ["a.ics", "b.ics", "old.ics"].map(ModelAccount.href)

  /// A calendar with an item of an hour ago and one of this second, and the cursor of a run in it.
  private func listed(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (ModelAccount, Cursor) {
    let model = ModelAccount {
      $0.hasSyncCollection = false
      $0.tagIsSecond = true
      $0.hidesTimes = true
      change(&$0)
    }
    model.put("old.ics", event("old"))
    model.clock.advance(milliseconds: 3_600_000)
    model.put("a.ics", event("a"))
    return (model, try await listAll(try await model.storage()).cursor)
  }

  /// What a run lists some seconds later, after one more item came, by a clock that was set back by
  /// so many seconds.
  private func list(
    _ model: ModelAccount, since cursor: Cursor, setBack seconds: Int64
  ) async throws -> ChangePage {
    model.clock.advance(milliseconds: 60_000)
    model.put("b.ics", event("b"))
    let clock = model.clock.surroundings
    let own = Surroundings(
      now: { Instant(milliseconds: clock.now().milliseconds - seconds * 1000) },
      newUUID: clock.newUUID, pause: clock.pause)
    var options = model.remembered
    options.found?.foundAt = own.now()
    let account = try model.account(options: options, surroundings: own)
    return try await account.openWork().listChanges(since: cursor)
  }

  @Test func `what is of the second of the last listing, or later, is looked at`() async throws {
    let (model, cursor) = try await listed()
    let page = try await list(model, since: cursor, setBack: 0)
    #expect(page.present.map(\.href) == hrefs)
    #expect(page.present.map(\.isNews) == [true, true, false])
  }

  /// By hardly more than the time that has passed, by an hour, by more than a day, by a year.
  @Test(
    arguments: [61, 66, 3_600, 90_000, 31_536_000] as [Int64], [true, false])
  func `where the clock went back, all that may be of that time is looked at`(
    seconds: Int64, tellsDate: Bool
  ) async throws {
    let (model, cursor) = try await listed { $0.tellsDate = tellsDate }
    let page = try await list(model, since: cursor, setBack: seconds)
    #expect(page.present.map(\.href) == hrefs && page.extent == .everything)
    #expect(page.present.map(\.isNews) == [true, true, true])
    guard tellsDate else { return }
    let next = try await list(model, since: page.next, setBack: seconds)
    #expect(next.present.map(\.isNews) == [false, true, false], "from then on it is as ever")
  }

  @Test func `it went back, and the server says when an item changed`() async throws {
    let (model, cursor) = try await listed { $0.hidesTimes = false }
    let page = try await list(model, since: cursor, setBack: 3_600)
    #expect(page.present.map(\.isNews) == [true, true, true])
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `a time of the last listing that none can be is believed of nothing`(
    time: Int64
  ) async throws {
    let (model, cursor) = try await listed()
    let words = String(decoding: cursor.bytes, as: UTF8.self).split(separator: " ").map { word in
      word.hasPrefix("compared=") ? "compared=\(time)" : String(word)
    }
    let odd = Cursor(bytes: Array(words.joined(separator: " ").utf8))
    let page = try await list(model, since: odd, setBack: 0)
    #expect(page.present.map(\.isNews) == [true, true, true])
  }
}
