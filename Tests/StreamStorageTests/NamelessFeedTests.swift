import TestSupport
import Testing

/// Feeds of events without a UID, of which several have one title and start.
@Suite struct NamelessFeedTests {
  private func lesson(_ room: String, stamp: String = "20260101T000000Z") -> String {
    component(nil, "Lesson", stamp: stamp)
      .replacing("SUMMARY", with: "LOCATION:Room \(room)\r\nSUMMARY")
  }

  /// The next fetch: which rooms the lessons are in, in the order of the feed, and by which of the
  /// names of rooms 1 and 2, as they were at first, they go.
  private static let fetches: [([String], [String])] = [
    (["1", "2"], ["1", "2"]), (["2", "1"], ["2", "1"]), (["1"], ["1"]), (["2"], ["2"]),
    (["3", "1", "2"], ["new", "1", "2"]), (["2", "3", "1"], ["2", "new", "1"]),
    // One has moved.
    (["1", "9"], ["1", "2"]), (["9", "2"], ["1", "2"]), (["9", "1"], ["2", "1"]),
    (["1", "1", "2"], ["1", "1", "2"]),
  ]

  @Test(arguments: fetches)
  func `each stays the one it is, in any order and without the other`(
    rooms: [String], names: [String]
  ) async throws {
    let world = World(nameForUIDs: "school")
    let first = calendar(lesson("1"), lesson("2"))
    try await world.agree(first)
    let known = try await world.uids(first)
    #expect(Set(known).count == 2)
    let stamp = "20270101T000000Z"
    let uids = try await world.sync(
      calendar(rooms.map { lesson($0, stamp: stamp) }.joined()))
    var told = uids.map { uid in known.firstIndex(of: uid).map { "\($0 + 1)" } ?? "new" }
    // A copy is no item of its own.
    if rooms.count > uids.count { told.insert(told[0], at: 0) }
    #expect(told == names)
    // So it is from then on.
    let turned = calendar(rooms.reversed().map { lesson($0) }.joined())
    let later = try await world.sync(turned)
    #expect(Set(later) == Set(uids))
  }

  @Test func `one alone goes by its title and start, whatever else changes`() async throws {
    let world = World(nameForUIDs: "school")
    let alone = try await world.uids(calendar(lesson("1")))
    #expect(try await world.uids(calendar(lesson("9"))) == alone)
    let unknown = try await world.uids(calendar(lesson("1"), lesson("2")))
    #expect(!unknown.contains(alone[0]))
    // Known under that name, it keeps it beside another one.
    try await world.agree(calendar(lesson("1")))
    let both = try await world.uids(calendar(lesson("2"), lesson("1")))
    #expect(both.count == 2)
    #expect(both.last == alone[0])
  }

  @Test func `copies but for their stamps are as many as they are`() async throws {
    let world = World(nameForUIDs: "school")
    let (one, other) = (lesson("1"), lesson("1", stamp: "20260202T000000Z"))
    let uids = try await world.uids(calendar(one, other))
    #expect(Set(uids).count == 2)
    let turned = try await world.uids(calendar(other, one))
    #expect(turned == Array(uids.reversed()))
  }
}
