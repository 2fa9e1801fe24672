import CalDAVStorage
import SQLiteJournal
import SyncExecution
import SyncModel

/// Where a server was asked to put what it moves to each collection of a pair, as the pair's store
/// keeps it until that collection has it: what no listing has named by then is looked for there,
/// before it is sent as a new item. Of what is carried there without a MOVE, and is on no side
/// meanwhile, the text is there as well.
struct Destinations {
  private struct Destination: Equatable {
    var href: Href
    /// As the old collection had it.
    var text: [UInt8]?
  }

  private static let prefix = "destinations "

  static func storeKey(_ collection: String) -> String { prefix + collection }

  private let gateway: Gateway
  private let pair: PairConfiguration
  private let store: PairStore
  /// A collection without any is not in it.
  private var byCollection: [String: [ItemID: Destination]]

  init(of opened: OpenedPair, _ gateway: Gateway) async throws(RunFailure) {
    self.gateway = gateway
    (pair, store) = (opened.target.pair, opened.store)
    let values = try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      try await opened.store.values(under: Self.prefix)
    }
    byCollection = Dictionary(
      values.map { (String($0.key.dropFirst(Self.prefix.count)), Self.decoded($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Those that something is on its way to.
  var collections: [String] { byCollection.keys.sorted() }

  /// Sorted by UID.
  subscript(collection: String) -> [(uid: ItemID, href: Href)] {
    (byCollection[collection] ?? [:]).sorted { $0.key < $1.key }
      .map { (uid: $0.key, href: $0.value.href) }
  }

  /// What is on its way as a text, to which collection, and where it was to go there.
  func carried(_ uid: ItemID) -> (collection: String, href: Href, text: ItemData)? {
    for (collection, places) in byCollection.sorted(by: { $0.key < $1.key }) {
      guard let place = places[uid], let text = place.text else { continue }
      return (collection, place.href, ItemData(bytes: text))
    }
    return nil
  }

  /// - Parameter text: goes to this collection from now on, and to no other one.
  mutating func add(
    _ places: [(uid: ItemID, href: Href)], carrying text: ItemData? = nil, to collection: String
  ) async throws(RunFailure) {
    var all = byCollection[collection] ?? [:]
    for place in places { all[place.uid] = Destination(href: place.href, text: text?.bytes) }
    try await set(all, of: collection)
    if text == nil { return }
    let items = Set(places.map { $0.uid })
    for (other, former) in byCollection.sorted(by: { $0.key < $1.key }) where other != collection {
      try await set(former.filter { !items.contains($0.key) }, of: other)
    }
  }

  /// Forgets those of items that are not on their way any more.
  mutating func keep(_ items: Set<ItemID>) async throws(RunFailure) {
    for (collection, places) in byCollection.sorted(by: { $0.key < $1.key }) {
      try await set(places.filter { items.contains($0.key) }, of: collection)
    }
  }

  private mutating func set(
    _ places: [ItemID: Destination], of collection: String
  ) async throws(RunFailure) {
    if places == byCollection[collection] ?? [:] { return }
    let store = store
    try await gateway.journaled(pair) { () throws(JournalError) in
      try await store.setValue(
        places.isEmpty ? nil : Self.encoded(places), for: Self.storeKey(collection))
    }
    byCollection[collection] = places.isEmpty ? nil : places
  }

  // MARK: In the store

  private static let (tab, lineEnd) = (UInt8(ascii: "\t"), UInt8(ascii: "\n"))

  /// A line an item: its address, in which there is no space, a space, and its UID; then the lines
  /// of its text, if there is one, each behind a tab.
  private static func encoded(_ places: [ItemID: Destination]) -> [UInt8] {
    var lines: [[UInt8]] = []
    for (uid, place) in places.sorted(by: { $0.key < $1.key }) {
      lines.append(place.href.spelling + [UInt8(ascii: " ")] + uid.bytes)
      guard let text = place.text else { continue }
      for line in text.split(separator: lineEnd, omittingEmptySubsequences: false) {
        lines.append([tab] + line)
      }
    }
    return Array(lines.joined(separator: [lineEnd]))
  }

  private static func decoded(_ bytes: [UInt8]) -> [ItemID: Destination] {
    var places: [ItemID: Destination] = [:]
    var lines = bytes.split(separator: lineEnd)[...]
    while let line = lines.popFirst() {
      let text = lines.prefix { $0.first == tab }
      lines = lines.dropFirst(text.count)
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard fields.count == 2 else { continue }
      let joined = Array(text.map { $0.dropFirst() }.joined(separator: [lineEnd]))
      places[ItemID(bytes: Array(fields[1]))] = Destination(
        href: Href(Array(fields[0])), text: text.isEmpty ? nil : joined)
    }
    return places
  }
}

extension CollectionRun {
  /// Where the server shows what it was asked to move to a collection.
  ///
  /// - Parameter items: nil: all that are on their way there.
  func places(ofMoved items: Set<ItemID>?, to name: String) async -> [Href] {
    let due = destinations[name].filter { items?.contains($0.uid) ?? true }
    guard !due.isEmpty, let calendar = await calendar(of: name) else { return [] }
    return await calendar.places(ofMoved: due)
  }

  /// Goes on with what the server has moved to a collection, and no listing has named. Some servers
  /// show it some seconds later, as they do with what they are sent; what does not show by then is
  /// named.
  mutating func lookForUnseen(
    _ moved: Set<ItemID>, in collection: MatchedCollection, _ report: inout PairReport
  ) async throws(RunFailure) {
    let unseen = report.unseen(moved, in: collection.name)
    if unseen.isEmpty { return }
    let places = await places(ofMoved: unseen, to: collection.name)
    if !places.isEmpty {
      try await sync(collection, moved: (unseen, .moved(to: places)), &report)
    }
    report.nameUnseen(unseen, in: collection.name)
  }
}

extension PairReport {
  /// Those of some items that are not in a collection on the server yet.
  fileprivate func unseen(_ moved: Set<ItemID>, in name: String) -> Set<ItemID> {
    let arriving = collections.first { $0.name == name }?.arriving ?? []
    return moved.intersection(arriving.compactMap(\.uid))
  }

  /// Names what a server has moved to a collection, and does not show there.
  fileprivate mutating func nameUnseen(_ moved: Set<ItemID>, in name: String) {
    guard let index = collections.firstIndex(where: { $0.name == name }) else { return }
    let unseen = collections[index].arriving.filter { $0.uid.map(moved.contains) ?? false }
    collections[index].arriving.removeAll { unseen.contains($0) }
    collections[index].problems += unseen.map { ReportedProblem(item: $0, problem: .unseen) }
  }
}

extension ItemProblem {
  fileprivate static let unseen = ItemProblem(
    .refused, "the server said that it moved it to this calendar, and does not show it there yet",
    hint: "Run the sync again: it looks for it once more, and sends what is not there by then.")
}
