import WebDAV

/// What a model server holds. Every change has a number.
struct ModelWorld {
  struct Item {
    var data: [UInt8]
    /// The number of the change that made it.
    var revision: Int
    var uid: [UInt8]
    /// In milliseconds since 1970.
    var modified: Int64
    var reads = 0
    /// Under this name since it was last made.
    var writes = 0
    /// What this one replaced; one at most.
    var former: [Item] = []
  }

  struct Change {
    var revision: Int
    var name: [UInt8]
    var time: Int64
    var isDeletion: Bool
    /// When the item was made that is there, or was last.
    var birth: Int
    /// When there was an item of the name before.
    var lives: [Range<Int>] = []
    /// What was deleted.
    var removed: Item?

    /// Something had the name at a revision.
    func wasThere(at revision: Int) -> Bool { lives.contains { $0.contains(revision) } }
  }

  struct Calendar {
    var id: Int
    var displayName: [UInt8]?
    var color: [UInt8]?
    var about: [UInt8]?
    var order: [UInt8]?
    var components: [String]?
    var items: [[UInt8]: Item] = [:]
    /// The last change of each name that ever was, so that deletions are remembered.
    var changes: [[UInt8]: Change] = [:]
    var revision = 0
    /// The world's when it was made.
    var firstRevision = 0
    /// When, in milliseconds since 1970.
    var made: Int64 = 0
    var deletedNames: Set<[UInt8]> = []
    var deletedUIDs: Set<[UInt8]> = []
    /// Somebody asked for it.
    var hasResourceID = false
    /// What its tag stood for when it was last given.
    var toldRevision: Int?

    /// Never in a dictionary's order, which differs between processes.
    var sortedNames: [[UInt8]] {
      items.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// By path, as `/calendars/alice/work/`.
  var calendars: [String: Calendar] = [:]
  /// Where calendars are that answer at another path, too.
  var aliases: [String: String] = [:]
  var calendarsMade = 0
  var revision = 0
  /// Writes and deletions of items with attendees: each would send mail.
  var mails = 0
  /// All that ever was the text of an item.
  var texts: Set<[UInt8]> = []

  var sortedPaths: [String] { calendars.keys.sorted() }

  mutating func addCalendar(
    _ path: String, name: [UInt8]? = nil, color: [UInt8]? = nil, components: [String]? = nil,
    now: Int64
  ) {
    calendarsMade += 1
    revision += 1
    var calendar = Calendar(
      id: calendarsMade, displayName: name, color: color, components: components)
    calendar.revision = revision
    calendar.firstRevision = revision
    calendar.made = now
    calendars[path] = calendar
  }

  mutating func store(_ data: [UInt8], at path: String, _ name: [UInt8], now: Int64) {
    revision += 1
    texts.insert(data)
    if ModelText.hasAttendees(data) { mails += 1 }
    calendars[path]?.revision = revision
    var item = Item(data: data, revision: revision, uid: ModelText.uid(data), modified: now)
    var birth = revision
    if var former = calendars[path]?.items[name] {
      item.writes = former.writes + 1
      former.former = []
      item.former = [former]
      birth = calendars[path]?.changes[name]?.birth ?? birth
    }
    calendars[path]?.items[name] = item
    let lives = calendars[path]?.changes[name]?.lives ?? []
    calendars[path]?.changes[name] = Change(
      revision: revision, name: name, time: now, isDeletion: false, birth: birth, lives: lives)
  }

  mutating func remove(at path: String, _ name: [UInt8], now: Int64) {
    guard let old = calendars[path]?.items.removeValue(forKey: name) else { return }
    revision += 1
    if ModelText.hasAttendees(old.data) { mails += 1 }
    calendars[path]?.revision = revision
    calendars[path]?.deletedNames.insert(name)
    calendars[path]?.deletedUIDs.insert(old.uid)
    let former = calendars[path]?.changes[name]
    let birth = former?.birth ?? revision
    calendars[path]?.changes[name] = Change(
      revision: revision, name: name, time: now, isDeletion: true, birth: birth,
      lives: (former?.lives ?? []) + [birth..<revision], removed: old)
  }
}
