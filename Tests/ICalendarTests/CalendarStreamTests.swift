import ICalendar
import TestSupport
import Testing

/// A text of many items: taken apart, and changed at one item alone.
@Suite struct CalendarStreamTests {
  private static let vienna = zone("Europe/Vienna", "+0100")

  private static func zone(_ name: String, _ offset: String) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ]
  }

  private static func event(_ uid: String?, _ summary: String, zone: String? = nil) -> [String] {
    ["BEGIN:VEVENT"] + (uid.map { ["UID:\($0)"] } ?? []) + [
      zone.map { "DTSTART;TZID=\($0):20260105T090000" } ?? "DTSTART:20260105T090000Z",
      "SUMMARY:\(summary)", "END:VEVENT",
    ]
  }

  private static func text(_ parts: [[String]], end: String = "\r\n") -> [UInt8] {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", "METHOD:PUBLISH",
        "X-WR-CALNAME:Mine",
      ]
      + parts.flatMap { $0 } + ["END:VCALENDAR"]
    return lines.flatMap { Array(($0 + end).utf8) }
  }

  private static func item(_ parts: [[String]], end: String = "\r\n") -> [UInt8] {
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN"] + parts.flatMap { $0 }
      + ["END:VCALENDAR"]
    return lines.flatMap { Array(($0 + end).utf8) }
  }

  private static func string(_ bytes: [UInt8]?) -> String {
    String(decoding: bytes ?? [], as: UTF8.self)
  }

  private static func uid(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: ["\r\n", "\n"])
  func `an item is its components with the zones that they name`(end: String) {
    let a = Self.event("a", "A", zone: "Europe/Vienna")
    let b = Self.event("b", "B")
    let override =
      ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260106T080000Z", "SUMMARY:A2", "END:VEVENT"]
    let stream = CalendarStream(
      Self.text([Self.zone("Unused", "+0300"), a, Self.vienna, b, override], end: end))
    #expect(stream.uids == [Self.uid("a"), Self.uid("b")])
    #expect(
      Self.string(stream.text(of: Self.uid("a")))
        == Self.string(Self.item([Self.vienna, a, override], end: end)))
    #expect(
      Self.string(stream.text(of: Self.uid("b"))) == Self.string(Self.item([b], end: end)))
    #expect(stream.text(of: Self.uid("c")) == nil)
  }

  @Test func `components without a UID are named, or get one that stays`() throws {
    let parts = [Self.event(nil, "A"), Self.event("b", "B"), Self.event(nil, "A")]
    let plain = CalendarStream(Self.text(parts))
    #expect(plain.uids == [Self.uid("b")])
    #expect(plain.nameless.map(\.line) == [6, 15])
    #expect(plain.nameless.map(\.summary) == ["A", "A"])

    let naming = { (item: ItemComponent, isShared: Bool) -> [UInt8] in
      let start = isShared ? Self.uid("-") + (item.start?.value ?? []) : []
      return Self.uid("made-") + (item.summary?.bytes ?? []) + start
    }
    let named = CalendarStream(Self.text(parts), naming: naming)
    #expect(named.nameless.isEmpty)
    #expect(named.uids == [Self.uid("made-A"), Self.uid("b")])
    // The second one is a copy of the first.
    #expect(
      Self.string(named.text(of: Self.uid("made-A")))
        == Self.string(Self.item([Self.event("made-A", "A")])))

    // A line that has the name and no value does not stay beside it.
    let empty = ["BEGIN:VEVENT", "SUMMARY:E", "UID:", "UID;X=1:", "END:VEVENT"]
    let filled = CalendarStream(Self.text([empty]), naming: naming)
    #expect(
      Self.string(filled.text(of: Self.uid("made-E")))
        == Self.string(
          Self.item([["BEGIN:VEVENT", "UID:made-E", "SUMMARY:E", "END:VEVENT"]])))

    let unlike = ["BEGIN:VEVENT", "SUMMARY:A", "DTSTART:20270101T000000Z", "END:VEVENT"]
    let odd = Array(unlike.dropLast()) + ["X-ODD:1", "END:VEVENT"]
    let shared = CalendarStream(Self.text([odd] + parts + [unlike]), naming: naming)
    #expect(
      shared.uids.map { Self.string($0) } == [
        "made-A-20270101T000000Z-2", "made-A-20260105T090000Z", "b", "made-A-20270101T000000Z",
      ])
  }

  @Test func `items can go by other UIDs, and no two become one`() {
    func uids(_ names: [String: String]) -> [String] {
      let parts = [Self.event("a", "A"), Self.event("b", "B"), Self.event("c", "C")]
      let names = names.map { (Self.uid($0), Self.uid($1)) }
      let stream = CalendarStream(Self.text(parts))
        .renaming(Dictionary(uniqueKeysWithValues: names))
      return stream.uids.map { Self.string($0) }
    }
    #expect(uids(["a": "x", "c": "z", "d": "y"]) == ["x", "b", "z"])
    #expect(uids(["a": "x", "b": "x", "c": "z"]) == ["a", "b", "z"])
    #expect(uids(["a": "b", "b": "y"]) == ["a", "y", "c"])
    #expect(uids(["a": "x", "d": "x"]) == ["x", "b", "c"])

    let override = ["BEGIN:VEVENT", "RECURRENCE-ID:20260106T080000Z", "UID:%", "END:VEVENT"]
    func series(_ uid: String) -> [[String]] {
      [Self.event(uid, "A"), override.map { $0.replacing("%", with: uid) }]
    }
    let renamed = CalendarStream(Self.text(series("a"))).renaming([Self.uid("a"): Self.uid("x;y")])
    #expect(renamed.text(of: Self.uid("a")) == nil)
    #expect(
      Self.string(renamed.text(of: Self.uid("x;y")))
        == Self.string(Self.item(series("x\\;y"))))

    let clashing = CalendarStream(Self.text([Self.event("a", "A"), Self.event("a", "B")]))
      .renaming([Self.uid("a"): Self.uid("x")])
    #expect(Array(clashing.clashes.keys) == [Self.uid("x")])
  }

  @Test func `what has one UID and is more than one item is told, and a copy is none`() {
    func clash(_ parts: [String]...) -> CalendarStream.Clash? {
      CalendarStream(Self.text(parts)).clashes[Self.uid("a")]
    }
    let a = Self.event("a", "A")
    let override =
      ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260106T080000Z", "SUMMARY:A2", "END:VEVENT"]
    #expect(clash(a, override, Self.event("b", "B")) == nil)
    #expect(clash(override, override) == nil)
    #expect(clash(a, a, a) == nil)
    #expect(clash(["BEGIN:X-THING", "UID:a", "END:X-THING"], a) == nil)
    let stamped = [a[0], "DTSTAMP:20270101T000000Z"] + a.dropFirst()
    #expect(clash(a, stamped) == nil)
    #expect(
      Self.string(CalendarStream(Self.text([a, stamped])).text(of: Self.uid("a")))
        == Self.string(Self.item([a])))

    let other = Self.event("a", "Other")
    let unlike = clash(a, a, override, other)
    #expect(unlike?.lines == [6, 21])
    #expect(unlike?.kinds == ["VEVENT"])
    let todo = ["BEGIN:VTODO", "UID:a", "SUMMARY:A", "END:VTODO"]
    let mixed = clash(a, todo, other)
    #expect(mixed?.lines == [6, 11])
    #expect(mixed?.kinds == ["VEVENT", "VTODO"])
  }

  @Test func `an item of two calendars that needs two meanings of a zone is told`() {
    let office = { Self.text([Self.zone("Office", $0), $1]) }
    let a = Self.event("a", "A", zone: "Office")
    let override = [
      "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;TZID=Office:20260106T090000", "END:VEVENT",
    ]
    let b = Self.event("b", "B", zone: "Office")
    let torn = office("+0100", a) + office("+0500", override) + office("+0500", b)
    let stream = CalendarStream(torn)
    #expect(Array(stream.zoneClashes.keys) == [Self.uid("a")])
    #expect(stream.zoneClashes[Self.uid("a")]?.map(\.lines) == [[6, 25]])
    #expect(
      Self.string(stream.text(of: Self.uid("b")))
        == Self.string(Self.item([Self.zone("Office", "+0500"), b])))
    let renamed = stream.renaming([Self.uid("a"): Self.uid("x")])
    #expect(Array(renamed.zoneClashes.keys) == [Self.uid("x")])
    let alike = CalendarStream(office("+0100", a) + office("+0100", override))
    #expect(alike.zoneClashes.isEmpty)

    // Nor is such an item put into a stream.
    let two = office("+0100", a) + office("+0500", override)
    let clash = ZoneClash(name: Self.uid("Office"), lines: [6, 25])
    #expect(throws: StreamEdit.Refusal.zonesClash(clash)) {
      try edit(Self.text([])) { try $0.put(two, as: Self.uid("a")) }
    }
  }

  @Test func `a text that is not whole has no items and says why`() {
    let whole = Self.text([Self.event("a", "A")])
    let cut = CalendarStream(Array(whole.dropLast(15)))
    #expect(cut.uids.isEmpty)
    #expect(cut.wholeness == .cutOff(line: 1))
    #expect(CalendarStream([]).wholeness == .empty)
  }

  // MARK: Changes

  private func edit(
    _ text: [UInt8], isKnownZone: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
    _ change: (inout StreamEdit) throws -> Void
  ) rethrows -> [UInt8] {
    var edit = StreamEdit(CalendarStream(text), isKnownZone: isKnownZone)
    try change(&edit)
    return edit.bytes
  }

  @Test(arguments: ["\r\n", "\n"])
  func `a change of one item leaves every other byte`(end: String) throws {
    let b = Self.event("b", "B")
    let odd = ["", "X-ODD", "BEGIN:X-THING", "Y:1", "END:X-THING"]
    let before = Self.text([Self.event("a", "A"), odd, b, Self.event("c", "C")], end: end)
    let new = Self.event("b", "Better")
    let after = try edit(before) { try $0.put(Self.item([new]), as: Self.uid("b")) }
    #expect(
      Self.string(after)
        == Self.string(
          Self.text([Self.event("a", "A"), odd, new, Self.event("c", "C")], end: end)))
    let gone = edit(before) { $0.remove(Self.uid("b")) }
    #expect(
      Self.string(gone)
        == Self.string(Self.text([Self.event("a", "A"), odd, Self.event("c", "C")], end: end)))
    #expect(try edit(before) { try $0.put(Self.item([b]), as: Self.uid("b")) } == before)
    #expect(edit(before) { $0.remove(Self.uid("nobody")) } == before)
  }

  @Test func `an override comes and goes beside its main component`() throws {
    let a = Self.event("a", "A")
    let override =
      ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260106T080000Z", "SUMMARY:A2", "END:VEVENT"]
    let plain = Self.text([a, Self.event("b", "B")])
    let added = try edit(plain) { try $0.put(Self.item([a, override]), as: Self.uid("a")) }
    #expect(Self.string(added) == Self.string(Self.text([a, override, Self.event("b", "B")])))
    let removed = try edit(added) { try $0.put(Self.item([a]), as: Self.uid("a")) }
    #expect(removed == plain)
  }

  @Test func `new items go to the end, with their zone once, also where nothing was`() throws {
    let a = Self.event("a", "A", zone: "Europe/Vienna")
    let b = Self.event("b", "B", zone: "Europe/Vienna")
    for before in [Self.text([]), []] {
      let after = try edit(before) {
        try $0.put(Self.item([Self.vienna, a]), as: Self.uid("a"))
        try $0.put(Self.item([Self.vienna, b]), as: Self.uid("b"))
      }
      let stream = CalendarStream(after)
      #expect(stream.wholeness == .whole)
      #expect(stream.uids == [Self.uid("a"), Self.uid("b")])
      #expect(Self.string(after).components(of: "BEGIN:VTIMEZONE") == 1)
      #expect(Self.string(stream.text(of: Self.uid("b"))).contains("TZID:Europe/Vienna"))
    }
  }

  @Test func `a zone of one name and another meaning is not mixed up`() throws {
    let odd = Self.zone("Office", "+0100")
    let other = Self.zone("Office", "+0500")
    let a = Self.event("a", "A", zone: "Office")
    let b = Self.event("b", "B", zone: "Office")
    let before = Self.text([odd, a])
    #expect(throws: StreamEdit.Refusal.zoneDiffers(Self.uid("Office"))) {
      try edit(before) { try $0.put(Self.item([other, b]), as: Self.uid("b")) }
    }
    // A name that means the same everywhere needs no second definition.
    let known = try edit(before, isKnownZone: { _ in true }) {
      try $0.put(Self.item([other, b]), as: Self.uid("b"))
    }
    #expect(Self.string(known) == Self.string(Self.text([odd, a, b])))
    // Who is alone with a zone may change it.
    let moved = try edit(before) { try $0.put(Self.item([other, a]), as: Self.uid("a")) }
    #expect(Self.string(moved) == Self.string(Self.text([other, a])))
  }

  /// A text with the bytes of Windows-1252 for `ü`.
  private static func latin(_ text: [UInt8]) -> [UInt8] {
    Array(
      text.split(separator: Array("ü".utf8), omittingEmptySubsequences: false)
        .joined(separator: [0xFC]))
  }

  @Test func `a line that is not UTF-8 is its item's alone, and stays as it is`() throws {
    let (a, b) = (Self.event("a", "Grün"), Self.event("b", "B"))
    let before = Self.latin(Self.text([a, b, ["X-NOTE:ü"]]))
    let stream = CalendarStream(before)
    #expect(stream.isTakenApart)
    #expect(stream.wholeness == .notUTF8(line: 9))
    #expect(stream.uids == [Self.uid("a"), Self.uid("b")])
    #expect(stream.linesNotUTF8(of: Self.uid("a")) == [9])
    #expect(stream.linesNotUTF8(of: Self.uid("b")).isEmpty)
    #expect(stream.text(of: Self.uid("a")) == Self.latin(Self.item([a])))
    let new = Self.event("b", "New")
    let after = try edit(before) { try $0.put(Self.item([new]), as: Self.uid("b")) }
    #expect(after == Self.latin(Self.text([a, new, ["X-NOTE:ü"]])))
  }

  @Test func `a head or a UID that is not UTF-8 is none`() {
    let text = Self.latin(
      Self.text([Self.event("ü", "A"), Self.event("b", "B")]).replacing(
        Array("//x//".utf8), with: Array("//ü//".utf8)))
    let stream = CalendarStream(text)
    #expect(stream.uids == [Self.uid("b")])
    #expect(stream.nameless.map(\.line) == [6])
    #expect(stream.nameless.map(\.hasOddUID) == [true])
    #expect(SyntaxTree(bytes: stream.text(of: Self.uid("b")) ?? []).wholeness == .whole)
  }

  @Test func `a time zone that is not UTF-8 is the trouble of those that name it`() throws {
    let odd = Self.vienna.dropLast() + ["X-NOTE:ü", "END:VTIMEZONE"]
    let (a, b) = (Self.event("a", "A", zone: "Europe/Vienna"), Self.event("b", "B"))
    let before = Self.latin(Self.text([Array(odd), a, b]))
    let stream = CalendarStream(before)
    #expect(stream.linesNotUTF8(of: Self.uid("a")) == [13])
    #expect(stream.linesNotUTF8(of: Self.uid("b")).isEmpty)
    let c = Self.item([Self.vienna, Self.event("c", "C", zone: "Europe/Vienna")])
    var edit = StreamEdit(stream, isKnownZone: { _ in true })
    #expect(throws: StreamEdit.Refusal.zoneDiffers(Self.uid("Europe/Vienna"))) {
      try edit.put(c, as: Self.uid("c"))
    }
  }

  @Test func `what is no item of that UID is refused`() {
    for text in [Self.item([]), Self.item([Self.event("b", "B")]), Array("BEGIN:VCALENDAR".utf8)] {
      #expect(throws: StreamEdit.Refusal.notAnItem) {
        try edit(Self.text([])) { try $0.put(text, as: Self.uid("a")) }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `made items go in and come out the same, whatever their order`(seed: Int) throws {
    let numbers = Array(0..<30).sorted { ($0 * 7 + seed) % 31 < ($1 * 7 + seed) % 31 }
    var edit = StreamEdit(CalendarStream([]), isKnownZone: { _ in true })
    for number in numbers {
      let text = makeEvent(number: number, seed: UInt64(seed))
      try edit.put(text, as: Self.uid(TestSupport.uid(ofEvent: number)))
    }
    let stream = CalendarStream(edit.bytes)
    #expect(stream.uids == numbers.map { Self.uid(TestSupport.uid(ofEvent: $0)) })
    for number in numbers {
      let made = makeEvent(number: number, seed: UInt64(seed))
      let read = try #require(stream.text(of: Self.uid(TestSupport.uid(ofEvent: number))))
      #expect(
        canonicalForm(of: SyntaxTree(bytes: read)) == canonicalForm(of: SyntaxTree(bytes: made)))
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
