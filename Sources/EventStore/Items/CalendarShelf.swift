import SyncModel

/// What a store saw of one calendar.
struct CalendarShelf: Sendable {
  let calendar: EventCalendar
  let storage: any Storage
  /// Nil before the first look.
  private(set) var cursor: Cursor?
  /// What was written may be otherwise there.
  var isUnclear = false
  private var items: [Href: StoredItem] = [:]
  private var troubles: [Href: ItemProblem] = [:]
  /// The item of each UID: of several the first by name.
  private var places: [[UInt8]: Href] = [:]
  private var duplicates: [Href: ItemProblem] = [:]
  /// Texts that this store replaced itself, and drafts of them, by item and revision: a change of
  /// an event that was read from one of them is not refused. Cleared where others change the item.
  private var ancestors: [[UInt8]: [Draft]] = [:]

  /// More changes of one item than a person makes on one list of its occurrences. In texts.
  private static let ancestorLimit = 100

  /// More pages than any listing has. A side that gives one after another without an end would
  /// keep a query for ever.
  private static let pageLimit = 1_000_000

  init(_ source: CalendarSource) {
    calendar = source.calendar
    storage = source.storage
  }

  var needsLook: Bool { cursor == nil || isUnclear }

  var problems: [Href: ItemProblem] { troubles.merging(duplicates) { first, _ in first } }

  /// The items, each UID once, in no order.
  var events: [StoredItem] { places.values.compactMap { items[$0] } }

  func item(_ uid: [UInt8]) -> StoredItem? { places[uid].flatMap { items[$0] } }

  /// A text that the item has, or had before this store changed it.
  func text(_ uid: [UInt8], revision: String) -> [UInt8]? {
    if let item = item(uid), item.revision == revision { return item.text }
    return ancestors[uid]?.first { $0.revision == revision }?.text
  }

  /// A change that others made, by UID.
  struct Change {
    var uid: [UInt8]
    var kind: EventStoreChange.Kind
  }

  /// Looks at the storage and gives what is otherwise than it was.
  mutating func look(_ world: EventWorld) async throws(StorageError) -> [Change] {
    var next = self
    let before = places.compactMapValues { items[$0]?.version.digest }
    let listing = try await list()
    for href in next.items.keys where listing.lacks(href) { next.items[href] = nil }
    next.troubles = next.troubles.filter { !listing.lacks($0.key) }
    var unread: [Href] = []
    for item in listing.present.values.sorted(by: { $0.href < $1.href }) {
      next.troubles[item.href] = item.problem
      if item.problem != nil {
        next.items[item.href] = nil
      } else if item.tag == nil || next.items[item.href]?.version.tag != item.tag {
        unread.append(item.href)
      }
    }
    try await next.read(unread, world)
    next.cursor = listing.next
    next.isUnclear = false
    next.place()
    let changes = next.changes(since: before)
    for change in changes { next.ancestors[change.uid] = nil }
    self = next
    return changes
  }

  private func list() async throws(StorageError) -> Listing {
    var listing = Listing()
    listing.next = cursor
    for _ in 0..<Self.pageLimit {
      let page = try await storage.listChanges(since: listing.next)
      if page.startsOver { listing = Listing() }
      for item in page.present {
        listing.present[item.href] = item
        listing.gone.remove(item.href)
      }
      for href in page.gone {
        listing.gone.insert(href)
        listing.present[href] = nil
      }
      if page.extent == .everything { listing.isComplete = true }
      listing.next = page.next
      if page.isLast { return listing }
    }
    throw StorageError(
      .protocolBroken, "the listing of \(calendar.name) does not end",
      hint: "look at the server; it gives page after page")
  }

  private mutating func read(_ hrefs: [Href], _ world: EventWorld) async throws(StorageError) {
    var parts = ReadInParts(hrefs, of: storage)
    while let part = try await parts.next() {
      for outcome in part {
        troubles[outcome.href] = nil
        switch outcome.result {
        case .found(let version, let data, let modified):
          do throws(ItemProblem) {
            items[outcome.href] = try StoredItem(
              outcome.href, version, data, modified: modified, world: world)
          } catch {
            items[outcome.href] = nil
            troubles[outcome.href] = error
          }
        case .missing: items[outcome.href] = nil
        // What is being written just now is no deletion: what was seen stays.
        case .problem(let problem): troubles[outcome.href] = problem
        }
      }
    }
  }

  /// Finds the item of each UID.
  private mutating func place() {
    places = [:]
    duplicates = [:]
    for (href, item) in items.sorted(by: { $0.key < $1.key }) {
      if let first = places[item.uid] {
        duplicates[href] = ItemProblem(
          .duplicateUID, "\(href.text) has the UID of \(first.text)",
          hint: "delete one of them, or give it another UID")
      } else {
        places[item.uid] = href
      }
    }
  }

  private func changes(since before: [[UInt8]: ContentDigest]) -> [Change] {
    let now = places.compactMapValues { items[$0]?.version.digest }
    let uids = Set(before.keys).union(now.keys).sorted { $0.lexicographicallyPrecedes($1) }
    return uids.compactMap { uid in
      switch (before[uid], now[uid]) {
      case (nil, .some): Change(uid: uid, kind: .added)
      case (.some, nil): Change(uid: uid, kind: .removed)
      case (let old, let new): old == new ? nil : Change(uid: uid, kind: .changed)
      }
    }
  }

  /// Takes note of what this store wrote, and of the drafts that led to it.
  mutating func wrote(_ item: StoredItem, drafts: [Draft]) {
    remember(item.uid, drafts)
    // A server may have chosen another name for it.
    if let old = places[item.uid], old != item.href { items[old] = nil }
    troubles[item.href] = nil
    items[item.href] = item
    places[item.uid] = item.href
  }

  /// Takes note of what this store removed.
  mutating func removed(_ uid: [UInt8]) {
    guard let href = places.removeValue(forKey: uid) else { return }
    items[href] = nil
    ancestors[uid] = nil
    if !duplicates.isEmpty { place() }
  }

  private mutating func remember(_ uid: [UInt8], _ drafts: [Draft]) {
    var known = ancestors[uid] ?? []
    if let old = item(uid) { known.append(Draft(revision: old.revision, text: old.text)) }
    ancestors[uid] = Array((known + drafts).suffix(Self.ancestorLimit))
  }
}

/// A text of an item, and the revision that events read from it have.
struct Draft: Sendable, Hashable {
  var revision: String
  var text: [UInt8]
}

/// All pages of a listing.
private struct Listing {
  var present: [Href: ListedItem] = [:]
  var gone: Set<Href> = []
  /// What is not named is not there.
  var isComplete = false
  var next: Cursor?

  /// It says, or leaves to be concluded, that an item is no longer there.
  func lacks(_ href: Href) -> Bool {
    gone.contains(href) || (isComplete && present[href] == nil)
  }
}
