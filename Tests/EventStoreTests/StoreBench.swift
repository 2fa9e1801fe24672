import EventEditing
import EventStore
import ICalendar
import Recurrence
import SyncModel
import TestSupport

/// The storages that the store is tried on.
enum StoreKind: String, CaseIterable, Sendable {
  case memory
  case rewriting
  case vdir
}

/// A store over one calendar, `work`, and the other program that works behind its back.
struct StoreBench: Sendable {
  static let calendar = EventCalendar(id: "work", name: "Work", color: "#aa0000")

  let store: EventStore
  let storage: any Storage
  let clock = ManualClock()
  private let memory: MemoryStorage?
  private let vdir: ModelVdirFixture?
  private let time = ModelClock()

  init(_ kind: StoreKind = .memory, traits: StorageTraits = StorageTraits()) throws {
    switch kind {
    case .memory, .rewriting:
      var traits = traits
      traits.mayRewrite = kind == .rewriting
      let memory = MemoryStorage(
        traits: traits, surroundings: time.surroundings,
        extent: kind == .memory ? .everything : .changesOnly,
        rewrite: { kind == .memory ? $0 : Self.stamped($0) })
      (self.memory, vdir, storage) = (memory, nil, memory)
    case .vdir:
      let fixture = try ModelVdirFixture()
      (memory, vdir, storage) = (nil, fixture, fixture.vdir)
    }
    store = EventStore(
      [CalendarSource(Self.calendar, storage: storage)], zones: .machine, home: "Europe/Vienna",
      surroundings: time.surroundings, clock: clock)
  }

  /// As a server that adds a line of its own to what it stores.
  private static func stamped(_ data: ItemData) -> ItemData {
    let text = String(decoding: data.bytes, as: UTF8.self)
    guard !text.contains("X-SERVER") else { return data }
    return ItemData(
      bytes: Array(text.replacing("END:VCALENDAR", with: "X-SERVER:yes\r\nEND:VCALENDAR").utf8))
  }

  var isMemory: Bool { memory != nil }
  var memoryStorage: MemoryStorage? { memory }

  /// Puts a file as another program does.
  func put(_ name: String, _ text: String) {
    let data = ItemData(bytes: Array(text.utf8))
    memory?.put(Href(name), data)
    vdir?.put(Href(name), data)
    vdir?.settle()
  }

  func remove(_ name: String) {
    memory?.remove(Href(name))
    vdir?.remove(Href(name))
  }

  func text(_ name: String) -> String? {
    let data = vdir.map { $0.content(of: Href(name)) } ?? memory?.items[Href(name)]
    return data.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The names of what is there, sorted.
  func names() async throws -> [String] {
    try await storage.listChanges(since: nil).present.map(\.href.text).sorted()
  }

  func events(_ from: String, _ to: String) async throws -> [CalendarEvent] {
    try await store.events(matching: EventPredicate(from: instant(from), to: instant(to)))
  }

  /// The original start, start and title of each event of a range.
  func agenda(_ from: String, _ to: String) async throws -> [String] {
    try await events(from, to).map { "\($0.start.value) \($0.title)" }
  }
}

/// `2026-01-05T09:00:00Z`, or a day, which begins in UTC.
func instant(_ text: String) throws -> Instant {
  switch try GivenTime(text) {
  case .instant(let seconds): Instant(seconds: Int64(seconds))
  case .date(let date): Instant(seconds: Int64(CivilDateTime(startOf: date).secondsSince1970))
  default: throw EditError.badTime(text)
  }
}

/// An item of one or more events; each list is the lines of one.
func item(_ events: [String]...) -> String {
  let components = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
  return (["BEGIN:VCALENDAR", "VERSION:2.0"] + components + ["END:VCALENDAR", ""])
    .joined(separator: "\r\n")
}

/// Mondays at nine in Vienna, ten of them, from 5 January 2026.
let mondays = [
  "UID:mondays", "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Vienna:20260105T090000",
  "DTEND;TZID=Europe/Vienna:20260105T100000", "RRULE:FREQ=WEEKLY;COUNT=10", "SUMMARY:Jour fixe",
  "X-OTHER;X-A=\"b,c\":kept",
]
