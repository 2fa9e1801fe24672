public import Recurrence
public import SyncModel

/// The events of one or several calendars: to be asked for by time, changed, and watched.
///
/// It stands on any `Storage`. What it saw of the calendars is kept in memory, texts included; it
/// looks at them when it is first asked, at `refresh()`, and where `changes(lookingEvery:)` looks.
/// Every write says which version it expects to replace, so that what another program wrote is
/// never overwritten. Calls from several tasks wait for each other.
public actor EventStore {
  /// So many events are given for one query: a rule by the second has more in two days. In events.
  public static let resultLimit = 100_000

  /// The calendars, in the order given.
  public nonisolated let calendars: [EventCalendar]

  let world: EventWorld
  let surroundings: Surroundings
  /// What was seen of each calendar, by its id.
  var shelves: [String: CalendarShelf] = [:]
  /// What the next commit writes.
  var staged = StagedChanges()
  var announcer: ChangeAnnouncer
  /// What commits replaced or removed, by the calendar's id, until `tidyUp()`.
  var replaced: [String: Set<ContentDigest>] = [:]
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Opens calendars; nothing is read before it is needed.
  /// - Parameters:
  ///   - sources: Of two with one id the first counts.
  ///   - zones: The zones of tzdata (`ZoneCatalog`).
  ///   - home: The user's zone by name, which is where days and floating times are in the world;
  ///     UTC without one, or where it is not known.
  ///   - surroundings: The time for LAST-MODIFIED and DTSTAMP, and UIDs of new items.
  ///   - clock: Measures the debounce of `changes(lookingEvery:)`.
  public init(
    _ sources: [CalendarSource], zones: ZoneCatalog, home: String? = nil,
    surroundings: Surroundings, clock: any Clock<Duration> = ContinuousClock()
  ) {
    world = EventWorld(catalog: zones, home: home)
    self.surroundings = surroundings
    announcer = ChangeAnnouncer(clock)
    var calendars: [EventCalendar] = []
    for source in sources where shelves[source.calendar.id] == nil {
      shelves[source.calendar.id] = CalendarShelf(source)
      calendars.append(source.calendar)
    }
    self.calendars = calendars
  }

  /// Waits until no other call is at work. An actor alone would let a second one begin wherever the
  /// first one waits for its storage.
  func takeTurn() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func endTurn() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }

  func shelf(_ id: String) throws(EventStoreError) -> CalendarShelf {
    guard let shelf = shelves[id] else { throw .unknownCalendar(id) }
    return shelf
  }
}
