import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import Testing

/// Feeds that give their items new UIDs.
@Suite struct FormerUIDsTests {
  private static let three = calendar(
    component("a1", "A"), component("b1", "B"), component("c1", "C"))
  private static let threeAnew = calendar(
    component("c2", "C"), component("a2", "A"), component("b2", "B"))

  private func text(_ outcome: ReadOutcome?) -> String? {
    guard case .found(_, let data, _) = outcome?.result else { return nil }
    return String(decoding: data.bytes, as: UTF8.self)
  }

  private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `items stay what they are under new UIDs, at each fetch`() async throws {
    let world = World()
    try await world.agree(Self.three)
    let stream = await world.open(Self.threeAnew)
    let page = try await stream.listChanges(since: nil)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [Href("c1"), Href("a1"), Href("b1")])
    let known = try await world.journal.known(.remote)
    #expect(Set(page.present.map(\.tag)) == Set(known.map(\.tag)), "no text is another one")
    let read = try await stream.read([Href("b1"), Href("b2")])
    #expect(read.map(text) == [string(calendar(component("b1", "B"))), nil])
    world.feed.give(calendar(component("a3", "A"), component("b3", "B")))
    let gone = try await stream.confirmAbsence(of: [Href("a1"), Href("b1"), Href("c1")])
    #expect(gone == [Href("c1")])
  }

  @Test func `the former UID stands in the place of the new one`() async throws {
    func late(_ uid: String) -> [UInt8] {
      calendar(
        component(nil, "A").replacing(
          "SUMMARY:A\r\n",
          with: "SUMMARY:A\r\nUID:\(uid)\r\nBEGIN:VALARM\r\nUID:alarm\r\nEND:VALARM\r\n"))
    }
    let world = World()
    try await world.agree(late("one\\, two"))
    let folded = late("\(String(repeating: "x", count: 60))\r\n  and more")
    let stream = await world.open(folded)
    let read = try await stream.read([Href("one, two")])
    #expect(text(read.first) == string(late("one\\, two")))
  }

  @Test func `the overrides of a series go with it`() async throws {
    func series(_ uid: String) -> String {
      let override = component(uid, "Moved").replacing(
        "DTSTART", with: "RECURRENCE-ID:20260106T090000Z\r\nDTSTART")
      return component(uid, "S") + override
    }
    let world = World()
    try await world.agree(calendar(component("p1", "S"), series("s1")))
    let stream = await world.open(calendar(series("s2"), component("p2", "S")))
    let page = try await stream.listChanges(since: nil)
    #expect(page.present.map(\.href) == [Href("s1"), Href("p1")])
    let read = try await stream.read([Href("s1")])
    #expect(text(read.first) == string(calendar(series("s1"))))
  }

  // MARK: Which is which

  @Test func `of several with one title and start those are the same that say the same`()
    async throws
  {
    func lesson(_ uid: String, _ room: String, stamp: String = "20260101T000000Z") -> String {
      component(uid, "Lesson", stamp: stamp)
        .replacing("SUMMARY", with: "SEQUENCE:\(stamp.prefix(4))\r\nLOCATION:\(room)\r\nSUMMARY")
    }
    let world = World()
    try await world.agree(calendar(lesson("a1", "Room 1"), lesson("b1", "Room 2")))
    let later = "20270101T000000Z"
    let turned = calendar(lesson("b2", "Room 2", stamp: later), lesson("a2", "Room 1"))
    #expect(try await world.uids(turned) == ["b1", "a1"])
    // One is found, and so is the other.
    let oneMoved = calendar(lesson("b2", "Room 9"), lesson("a2", "Room 1"))
    #expect(try await world.uids(oneMoved) == ["b1", "a1"])
    // Nobody can tell.
    let bothMoved = calendar(lesson("b2", "Room 8"), lesson("a2", "Room 9"))
    #expect(try await world.uids(bothMoved) == ["b2", "a2"])
    let more = calendar(lesson("b2", "Room 8"), lesson("a2", "Room 1"), lesson("c2", "Room 9"))
    #expect(try await world.uids(more) == ["b2", "a1", "c2"])
  }

  @Test func `of items that are the same in all, any is any`() async throws {
    let world = World()
    try await world.agree(
      calendar(component("a1", "A"), component("a2", "A"), component("a3", "A")))
    let fewer = try await world.uids(calendar(component("x", "A"), component("y", "A")))
    #expect(Set(fewer).count == 2)
    #expect(Set(fewer).isSubset(of: ["a1", "a2", "a3"]))
  }

  @Test func `a UID that stays is never another's`() async throws {
    let world = World()
    try await world.agree(calendar(component("a", "A"), component("b", "B")))
    // The titles were exchanged.
    #expect(
      try await world.uids(calendar(component("a", "B"), component("b", "A"))) == ["a", "b"])
    #expect(
      try await world.uids(calendar(component("c", "A"), component("a", "B"))) == ["c", "a"])
    #expect(
      try await world.uids(calendar(component("c", "B"), component("a", "B"))) == ["b", "a"])
  }

  @Test func `what is new and what is gone is told as such`() async throws {
    let world = World()
    try await world.agree(Self.three)
    let stream = await world.open(
      calendar(component("b2", "B"), component("n2", "New"), component("a2", "A")))
    let page = try await stream.listChanges(since: nil)
    #expect(page.present.map(\.href) == [Href("b1"), Href("n2"), Href("a1")])
    #expect(try await stream.confirmAbsence(of: [Href("c1")]) == [Href("c1")])
  }

  @Test func `what was missed for a while is found again`() async throws {
    let world = World()
    try await world.agree(Self.three)
    let missed = Observation(side: .remote, href: Href("c1"), state: .gone)
    try await world.journal.record(
      page: [.observed(missed)], on: .remote, cursor: Cursor(bytes: [1]))
    #expect(try await world.uids(Self.threeAnew) == ["c1", "a1", "b1"])
  }

  @Test func `two unlike items of one UID are the item of none`() async throws {
    let world = World()
    try await world.agree(Self.three)
    let doubled = calendar(component("a2", "A"), component("a2", "B"), component("c2", "C"))
    #expect(try await world.uids(doubled) == ["a2", "c1"])
  }

  // MARK: New UIDs that stay

  @Test func `what changes under a UID that stays is the item that it was`() async throws {
    let world = World()
    try await world.agree(Self.three)
    #expect(try await world.sync(Self.threeAnew) == ["c1", "a1", "b1"])
    let retitled = calendar(
      component("c2", "C"), component("a2", "Another"), component("b2", "Other"))
    #expect(try await world.sync(retitled) == ["c1", "a1", "b1"])
    let read = try await world.open(retitled).read([Href("a1")])
    #expect(text(read.first) == string(calendar(component("a1", "Another"))))
    // Whatever else says the same as the item did.
    let twins = calendar(component("a3", "A"), component("a2", "B"), component("b2", "B"))
    #expect(try await world.sync(twins) == ["a3", "a1", "b1"])
  }

  @Test func `what is unlike under a UID that stays is that item's problem`() async throws {
    let world = World()
    try await world.agree(Self.three)
    _ = try await world.sync(Self.threeAnew)
    let doubled = calendar(component("a2", "A"), component("a2", "Other"), component("c2", "C"))
    let page = try await world.open(doubled).listChanges(since: nil)
    #expect(page.present.map(\.href) == [Href("a1"), Href("c1")])
    #expect(page.present.first?.problem?.code == .duplicateUID)
  }

  @Test func `the other UIDs that change are found by what the items say`() async throws {
    let world = World()
    try await world.agree(Self.three)
    _ = try await world.sync(Self.threeAnew)
    let partly = calendar(component("a2", "Another"), component("b3", "B"), component("c3", "C"))
    #expect(try await world.sync(partly) == ["a1", "b1", "c1"])
    let later = calendar(component("a2", "A"), component("b3", "Other"), component("c3", "Third"))
    #expect(try await world.sync(later) == ["a1", "b1", "c1"])
    // The first ones come back.
    #expect(try await world.sync(Self.three) == ["a1", "b1", "c1"])
  }

  @Test func `a UID is kept for what is missed, and no longer than the item is known`()
    async throws
  {
    let world = World()
    try await world.agree(Self.three)
    _ = try await world.sync(Self.threeAnew)
    let fewer = calendar(component("c2", "C"), component("a2", "A"))
    #expect(try await world.sync(fewer) == ["c1", "a1"])
    let back = calendar(component("c2", "C"), component("a2", "A"), component("b2", "Other"))
    #expect(try await world.sync(back) == ["c1", "a1", "b1"])
    _ = try await world.sync(fewer)
    try await world.journal.forget([ItemID(bytes: Array("b1".utf8))])
    #expect(try await world.sync(back) == ["c1", "a1", "b2"])
  }

  @Test func `what an unchanged text is known by stays`() async throws {
    let world = World()
    try await world.agree(Self.three)
    _ = try await world.sync(Self.threeAnew)
    let cursor = try #require(try await world.journal.cursor(.remote))
    let stream = await world.open(Self.threeAnew)
    world.feed.isUnchanged = true
    let page = try await stream.listChanges(since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(page.next == cursor)
  }

  @Test(arguments: [
    "stream1-none", "stream1 state", "stream2 ", "stream2 \0\0\0\u{9}state",
    "stream2 \0\0\0\u{5}state\0\0\0\u{2}a2", "stream2 \0\0", "stream3 x",
  ])
  func `a cursor that says nothing of UIDs is none the worse`(cursor: String) async throws {
    let world = World()
    try await world.agree(Self.three)
    try await world.journal.record(
      page: [], on: .remote, cursor: Cursor(bytes: Array(cursor.utf8)))
    #expect(try await world.sync(Self.threeAnew) == ["c1", "a1", "b1"])
    #expect(try await world.sync(calendar(component("a2", "Other"))) == ["a1"])
  }

  // MARK: Where nothing is known

  @Test func `while nothing is known, the folder's files tell the UIDs`() async throws {
    let world = World()
    func put(_ name: String, _ text: [UInt8]) {
      world.folder.put(Href(name), ItemData(bytes: text))
    }
    put("a.ics", calendar(component("a1", "A")))
    put("b.ics", calendar(component("b1", "B")))
    // Nobody can tell which of the two it would be, and what has several items is none.
    put("c.ics", calendar(component("c1", "C")))
    put("c copy.ics", calendar(component("c1", "C")))
    put("d.ics", calendar(component("d1", "D"), component("d2", "D")))
    let feed = calendar(
      component("a2", "A"), component("b1", "B"), component("c2", "C"), component("d3", "D"))
    let page = try await world.open(feed).listChanges(since: nil)
    #expect(page.present.map(\.href.text) == ["a1", "b1", "c2", "d3"])
    // That is remembered, as a run that lists does.
    let seen = page.present.map {
      ObservedChange.observed(
        Observation(side: .remote, href: $0.href, state: .unread($0.tag)))
    }
    try await world.journal.record(page: seen, on: .remote, cursor: page.next)
    let retitled = calendar(component("a2", "Another"), component("b1", "B"))
    #expect(try await world.sync(retitled) == ["a1", "b1"])
  }

  /// Events of other UIDs than the feed's, with its titles and starts, and not its rooms.
  @Test(arguments: [
    (["A"], [], ["c2", "a2", "b2"]), (["A", "B"], [], ["c2", "a2", "b2"]),
    (["A", "B", "C"], ["X", "Y", "Z"], ["c1", "a1", "b1"]),
    (["A", "B", "C"], ["W", "X", "Y", "Z"], ["c2", "a2", "b2"]),
  ])
  func `title and start tell an item only in a folder that is plainly the feed's`(
    alike: [String], own: [String], uids: [String]
  ) async throws {
    let world = World()
    for title in alike + own {
      let event = component("\(title.lowercased())1", title)
        .replacing("SUMMARY", with: "LOCATION:Home\r\nSUMMARY")
      world.folder.put(Href("\(title).ics"), ItemData(bytes: calendar(event)))
    }
    #expect(try await world.uids(Self.threeAnew) == uids)
  }

  /// It gives each event a hash for a UID, puts all time zones of the feed into each file, and
  /// leaves METHOD out.
  @Test(arguments: [["Room 1", "Own"], ["Room 1", "Room 2"], ["Own", "Room 2", "Room 1"]])
  func `what vdirsyncer made of a feed is that feed's events`(rooms: [String]) async throws {
    func event(_ uid: String, _ room: String) -> String {
      component(uid + room, "Exercise", zone: room == "Own" ? room : nil)
        .replacing("SUMMARY", with: "LOCATION:\(room)\r\nSUMMARY")
    }
    let zones = zone("Europe/Vienna", bytes: 70) + zone("Own", bytes: 70)
    let world = World()
    for room in rooms {
      let file = calendar(event("hash of ", room), zones)
      world.folder.put(Href("\(room).ics"), ItemData(bytes: file))
    }
    let feed = calendar("METHOD:PUBLISH\r\n", zones, rooms.map { event("", $0) }.joined())
    #expect(try await world.uids(feed) == rooms.map { "hash of \($0)" })
  }

  @Test func `an event in a time zone of other rules is another one`() async throws {
    let world = World()
    func text(_ uid: String, bytes: Int) -> [UInt8] {
      calendar(zone("Own", bytes: bytes), component(uid, "A", zone: "Own"))
    }
    world.folder.put(Href("a.ics"), ItemData(bytes: text("a1", bytes: 70)))
    #expect(try await world.uids(text("a2", bytes: 140)) == ["a2"])
    #expect(try await world.uids(text("a2", bytes: 70)) == ["a1"])
  }

  @Test func `a folder that cannot be read has nothing`() async throws {
    let world = World()
    world.folder.put(Href("a.ics"), ItemData(bytes: calendar(component("a1", "A"))))
    world.folder.fuse.stop(at: 1)
    _ = world.folder.fuse.nextEffect()
    #expect(try await world.uids(Self.threeAnew) == ["c2", "a2", "b2"])
  }

  @Test func `a folder whose listing does not end has nothing`() async throws {
    let world = World()
    world.folder.put(Href("a.ics"), ItemData(bytes: calendar(component("a1", "A"))))
    #expect(try await world.uids(Self.threeAnew) == ["c2", "a1", "b2"])
    let endless = EndlessListing(of: world.folder, end: 30_000)
    let stream = await world.open(Self.threeAnew)
    await stream.recall(world.journal, .remote, with: endless.storage)
    let page = try await stream.listChanges(since: nil)
    #expect(page.present.map(\.href.text) == ["c2", "a2", "b2"])
    #expect(endless.pages <= 10_000)
  }

  @Test func `a journal that cannot be read knows nothing`() async throws {
    let world = World()
    try await world.agree(Self.three)
    world.fuse.direct { call, _ in
      call == "contents" ? .fail(JournalError(.busy, "it is in use")) : .carryOut
    }
    #expect(try await world.uids(Self.threeAnew) == ["c2", "a2", "b2"])
  }

  @Test func `what can be written to keeps its own UIDs`() async throws {
    let world = World(isReadOnly: false)
    try await world.agree(Self.three)
    #expect(try await world.uids(Self.threeAnew) == ["c2", "a2", "b2"])
  }
}
