import EventStore
import ICalendar
import SyncModel
import TestSupport
import Testing

@Suite struct ChangeTests {
  private func new(_ title: String) throws -> CalendarEvent {
    CalendarEvent(
      in: StoreBench.calendar, title: title, start: try DateTime("2026-01-19"),
      end: try DateTime("2026-01-20"))
  }

  @Test func `changes within half a second come as one, half a second after the last`()
    async throws
  {
    let bench = try StoreBench()
    var changes = await bench.store.changes().makeAsyncIterator()
    let one = try await bench.store.save(try new("one"))
    await bench.clock.sleepsBegun(1)
    bench.clock.advance(by: .milliseconds(499))
    let two = try await bench.store.save(try new("two"))
    await bench.clock.sleepsBegun(2)
    // The first wait is over now, and announces nothing, or one would come alone.
    bench.clock.advance(by: .milliseconds(499))
    bench.clock.advance(by: .milliseconds(1))
    let change = try #require(await changes.next())
    let ids = [one, two].compactMap { $0.id?.series }
    #expect(Set(change.items.map(\.id)) == Set(ids))
    #expect(change.items.allSatisfy { $0.kind == .added && $0.isOwn })
    #expect(bench.clock.now.offset == .milliseconds(999))
  }

  @Test func `who changes something all the time is announced after five seconds`() async throws {
    let bench = try StoreBench()
    var changes = await bench.store.changes().makeAsyncIterator()
    var last = try await bench.store.save(try new("0"))
    for number in 1...12 {
      await bench.clock.sleepsBegun(number)
      bench.clock.advance(by: .milliseconds(400))
      last.title = "\(number)"
      last = try await bench.store.save(last)
    }
    // 4.8 seconds so far: what is left is less than half a second.
    await bench.clock.sleepsBegun(13)
    bench.clock.advance(by: .milliseconds(200))
    let change = try #require(await changes.next())
    #expect(change.items.map(\.kind) == [.added])
  }

  @Test(arguments: StoreKind.allCases)
  func `what others do is found by looking`(kind: StoreKind) async throws {
    let bench = try StoreBench(kind)
    bench.put("a.ics", item(mondays))
    bench.put("b.ics", item(mondays).replacing("mondays", with: "b"))
    _ = try await bench.events("2026-01-01", "2026-12-31")
    var changes = await bench.store.changes(lookingEvery: .seconds(30)).makeAsyncIterator()
    await bench.clock.sleepsBegun(1)
    bench.put("a.ics", item(mondays + ["LOCATION:Graz"]))
    bench.put("c.ics", item(mondays).replacing("mondays", with: "c"))
    bench.remove("b.ics")
    bench.clock.advance(by: .seconds(30))
    // The wait of the announcement, and that for the next look.
    await bench.clock.sleepsBegun(3)
    bench.clock.advance(by: .milliseconds(500))
    let change = try #require(await changes.next())
    #expect(change.items.map(\.id.externalIdentifier) == ["b", "c", "mondays"])
    #expect(change.items.map(\.kind) == [.removed, .added, .changed])
    #expect(change.items.allSatisfy { !$0.isOwn })
    #expect(try await bench.events("2026-01-05", "2026-01-06").map(\.location) == [nil, "Graz"])
  }

  @Test func `a calendar that cannot be looked at is said once`() async throws {
    let bench = try StoreBench()
    let memory = try #require(bench.memoryStorage)
    _ = try await bench.events("2026-01-01", "2026-12-31")
    var changes = await bench.store.changes(lookingEvery: .seconds(30)).makeAsyncIterator()
    await bench.clock.sleepsBegun(1)
    memory.fuse.stop(at: memory.fuse.effects + 1, .before)
    _ = await memory.carryOut([.create(Href("x.ics"), ItemData(bytes: []))])
    bench.clock.advance(by: .seconds(30))
    await bench.clock.sleepsBegun(3)
    bench.clock.advance(by: .seconds(30))
    let change = try #require(await changes.next())
    #expect(change.items.isEmpty)
    #expect(Array(change.troubles.keys) == ["work"])
    // The second look fails alike, and only begins the wait for the third.
    await bench.clock.sleepsBegun(4)
    memory.fuse.replace()
    bench.clock.advance(by: .seconds(30))
    await bench.clock.sleepsBegun(5)
    try await bench.store.save(try new("one"))
    await bench.clock.sleepsBegun(6)
    bench.clock.advance(by: .milliseconds(500))
    let next = try #require(await changes.next())
    #expect(next.troubles.isEmpty)
    #expect(next.items.count == 1)
  }

  @Test func `every reader has a sequence of its own, and what came and went is no change`()
    async throws
  {
    let bench = try StoreBench()
    var one = await bench.store.changes().makeAsyncIterator()
    var other = await bench.store.changes().makeAsyncIterator()
    let gone = try await bench.store.save(try new("gone"))
    try await bench.store.remove(gone)
    try await bench.store.save(try new("stays"))
    await bench.clock.sleepsBegun(3)
    bench.clock.advance(by: .milliseconds(500))
    let change = try #require(await one.next())
    #expect(change.items.map(\.kind) == [.added])
    #expect(await other.next() == change)
  }
}
