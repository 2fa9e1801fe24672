import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import Testing

/// A file that has no room for all that is to be written: what is in excess is refused alone.
@Suite struct FullTextTests {
  private let long = String(repeating: "x", count: 1000)

  private func item(_ uid: String, _ summary: String, zone: String? = nil) -> ItemData {
    ItemData(bytes: calendar(component(uid, summary, zone: zone)))
  }

  private func isRefused(_ outcome: WriteOutcome) -> Bool {
    if case .refused(let problem) = outcome.result { problem.code == .tooLarge } else { false }
  }

  @Test func `an item that is too long for the file keeps no other one back`() async throws {
    let fixture = try FileFixture(maxSize: 2000)
    try fixture.save(calendar(component("a", "A"), component("b", "B")))
    let old = try await fixture.stream.read([Href("a"), Href("b")]).compactMap(\.version)
    #expect(old.count == 2)
    let outcomes = await fixture.stream.carryOut([
      .create(Href("long"), item("long", long + long)), .delete(Href("a"), expecting: old[0]),
      .replace(Href("b"), expecting: old[1], with: item("b", "Better")),
      .create(Href("c"), item("c", "C")),
    ])
    #expect(outcomes.map(\.href) == ["long", "a", "b", "c"].map { Href($0) })
    #expect(isRefused(outcomes[0]))
    #expect(outcomes[0].isTransient, "it can go once there is room")
    #expect(outcomes[1].result == .removed)
    #expect(outcomes[2].isStored && outcomes[3].isStored)
    #expect(fixture.text == calendar(component("b", "Better"), component("c", "C")))
  }

  @Test func `a deletion makes room for what comes with it`() async throws {
    let fixture = try FileFixture(maxSize: 2000)
    try fixture.save(calendar(component("a", long)))
    let old = try #require(try await fixture.stream.read([Href("a")]).first?.version)
    let create = GuardedWrite.create(Href("b"), item("b", long))
    let alone = await fixture.stream.carryOut([create])
    #expect(isRefused(alone[0]))
    let both = await fixture.stream.carryOut([create, .delete(Href("a"), expecting: old)])
    #expect(both[0].isStored && both[1].result == .removed)
    #expect(fixture.text == calendar(component("b", long)))
  }

  @Test func `what would have a huge time zone from the file is refused alone`() async throws {
    let fixture = try FileFixture()
    let huge = zone("Huge", bytes: CalendarStream.zoneLimit + 100)
    try fixture.save(calendar(huge, component("a", "A")))
    let outcomes = await fixture.stream.carryOut([
      .create(Href("b"), item("b", "B", zone: "Huge")), .create(Href("c"), item("c", "C")),
    ])
    #expect(isRefused(outcomes[0]))
    #expect(outcomes[1].isStored)
    #expect(fixture.text == calendar(huge, component("a", "A"), component("c", "C")))
  }

  @Test func `what has no room with its time zone is refused alone`() async throws {
    let fixture = try FileFixture()
    let large = zone("Large", bytes: CalendarStream.zoneLimit - 1000)
    let one = component("u1", "E", zone: "Large")
    // The first and the last line of an item do not count.
    let each = CalendarStream(calendar(large, one)).size(of: Array("u1".utf8)) + 10
    let room = CalendarStream.itemsLimit / each
    let items = (0..<room).map { component("u\($0)", "E", zone: "Large") }
    try fixture.save(calendar(large, items.joined()))
    let old = try #require(try await fixture.stream.read([Href("u0")]).first?.version)
    let outcomes = await fixture.stream.carryOut([
      .create(Href("n1"), item("n1", "N", zone: "Large")),
      .create(Href("n2"), item("n2", "N", zone: "Large")),
      .create(Href("n3"), item("n3", "N", zone: "Large")), .create(Href("c"), item("c", "C")),
      .delete(Href("u0"), expecting: old),
    ])
    #expect(outcomes[0].isStored)
    #expect(isRefused(outcomes[2]))
    #expect(outcomes[3].isStored && outcomes[4].result == .removed)
    #expect(CalendarStream(fixture.text ?? []).excess == nil)
  }
}
