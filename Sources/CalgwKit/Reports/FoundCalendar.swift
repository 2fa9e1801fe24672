import SyncModel

/// What an account has, as a look from its URL shows it.
public struct FoundAccount: Sendable, Hashable {
  /// Sorted by id.
  public var calendars: [FoundCalendar]
  /// What a person should know where the URL names more than a server and led nowhere, and it is
  /// that server that led to them; else nil.
  public var noticeOfGuess: String?
  /// Why calendars may be missing among them: servers that ask to be asked later.
  public var shortfalls: [RunFailure]

  public init(
    calendars: [FoundCalendar], noticeOfGuess: String? = nil, shortfalls: [RunFailure] = []
  ) {
    self.calendars = calendars
    self.noticeOfGuess = noticeOfGuess
    self.shortfalls = shortfalls
  }
}

/// A calendar of an account, as `discover` shows it.
public struct FoundCalendar: Sendable, Hashable {
  public var account: String
  /// The last part of its address: what a configuration calls it by.
  public var id: String
  public var href: String
  public var displayName: String?
  /// `#RRGGBB`
  public var color: String?
  /// Sorted, as `VEVENT`; nil: any.
  public var components: [String]?
  public var isWritable: Bool

  init(_ collection: CollectionDescription, account: String) {
    self.account = account
    id = collection.name
    href = nameText(collection.href.spelling).text
    displayName = collection.displayName
    color = collection.color
    components = collection.components?.sorted()
    isWritable = !collection.isReadOnly
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      ("account", .string(account)), ("id", .string(id)), ("href", .string(href)),
      ("name", .optional(displayName)), ("color", .optional(color)),
      ("components", components.map { .array($0.map { .string($0) }) } ?? .null),
      ("writable", .boolean(isWritable)))
  }
}

/// What `forget` prints for a collection.
public func forgottenJSON(pair: String, collection: String) -> JSONValue {
  .object(("pair", .string(pair)), ("collection", .string(collection)))
}

/// What is not in step in a pair.
public struct StatusReport: Sendable {
  public var pair: String
  /// In the order of their collections and names.
  public var items: [PendingEntry] = []
  /// What could not be looked at, and why.
  public var failures: [RunFailure] = []
  /// Why what was found may not be what a person expects.
  public var notices: [String] = []
  /// What people call collections whose names are ids, by those.
  var titles: [String: String] = [:]

  public init(pair: String) { self.pair = pair }

  /// Where an item of it is, `PAIR/COLLECTION`, for people.
  public func place(of item: PendingEntry) -> String {
    "\(visibleText(item.pair))/\(visibleText(titled(item.collection, titles)))"
  }
}

/// The history of some pairs.
public struct HistoryReport: Sendable {
  /// One of its lines.
  public enum Entry: Sendable, Hashable {
    case version(KeptVersion)
    case value(ReplacedValue)

    fileprivate var time: Instant {
      switch self {
      case .version(let version): version.entry.time
      case .value(let value): value.change.time
      }
    }
  }

  /// Newest first.
  public var versions: [KeptVersion] = []
  /// Names, colours and the like of collections, newest first; none where one item was asked for.
  public var values: [ReplacedValue] = []
  /// The item that was asked for is one that a pair knows, with or without a history.
  public var isKnown = false
  /// What it lacks since a journal was damaged, and where that may still be.
  public var notices: [String] = []
  /// Pairs whose history could not be read.
  public var failures: [RunFailure] = []

  public init() {}

  /// So many versions whose texts are lost are named.
  private static let namedLost = 10

  /// What to know of texts that were asked for and are lost; nil where there are none.
  public var noticeOfLostTexts: String? {
    let lost = versions.compactMap { version -> String? in
      switch (version.isBeforeLost, version.isAfterLost) {
      case (true, true): "\(version.id) (before and after)"
      case (true, false): "\(version.id) (before)"
      case (false, true): "\(version.id) (after)"
      case (false, false): nil
      }
    }
    if lost.isEmpty { return nil }
    let more = lost.count - Self.namedLost
    return "texts are lost, since their bytes in the journal were damaged: "
      + lost.prefix(Self.namedLost).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "") + "; a backup may have them"
  }

  /// All of it, newest first.
  public var entries: [Entry] {
    (values.map(Entry.value) + versions.map(Entry.version)).sorted { $0.time > $1.time }
  }
}
