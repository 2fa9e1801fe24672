import ICalendar
public import SyncModel

/// A calendar in one text as one side of a pair: each UID in it is an item.
///
/// An item's href is its UID, and its tag the digest of its own text, so that a change of one item
/// is no change of the others.
public actor StreamStorage: Storage {
  public nonisolated let traits: StorageTraits
  let source: any StreamSource
  let options: Options
  /// What was fetched last in this run.
  var current: Held?
  /// What is known of this side; nil where nobody has handed it over.
  var memory: Memory?
  /// Texts that this run has put another in the place of.
  var replaced: Set<ContentDigest> = []
  /// The source's own displaced texts, by their name.
  var displacedTexts: [[UInt8]: DisplacedFile] = [:]

  /// What a stream storage needs of the world.
  public struct Options: Sendable {
    public var digest: DigestFunction
    /// Whether a TZID means the same everywhere, as a name of the time zone database does.
    public var isKnownZone: @Sendable ([UInt8]) -> Bool
    /// Gives components without a UID one, made from title, start and this name, which is to stay
    /// when the text moves to another address. Nil: they are problems.
    public var nameForUIDs: String?

    public init(
      digest: @escaping DigestFunction, isKnownZone: @escaping @Sendable ([UInt8]) -> Bool
    ) {
      self.digest = digest
      self.isKnownZone = isKnownZone
    }
  }

  /// A text with what it holds; nil where there is none.
  struct Held: Sendable {
    var stream: CalendarStream
    var version: Version?
    var state: StreamState?
    /// As of a `StreamCursor`.
    var names: [[UInt8]: [UInt8]] = [:]
  }

  /// Reads nothing yet.
  public init(_ source: any StreamSource, options: Options) {
    self.source = source
    self.options = options
    var traits = StorageTraits()
    traits.isReadOnly = source.isReadOnly
    // The head and the time zones are those of the whole text.
    traits.mayRewrite = true
    traits.readBatch = 500
    traits.writeBatch = 500
    self.traits = traits
  }

  /// The UID. A text has one item of each, so a name that is taken is taken for good, and a later
  /// attempt's name serves only to ask again.
  public nonisolated func freshHref(for uid: ItemID, attempt: Int) -> Href {
    attempt == 0 ? Href(uid.bytes) : Href(uid.bytes + Array(" (attempt \(attempt + 1))".utf8))
  }

  // MARK: Fetching

  /// Fetches the text; one that this run has already is kept if it is still the same.
  func fetch() async throws(StorageError) -> Held {
    try await take(try await source.fetch(unless: current?.state))
  }

  /// The same of a text that nobody is changing; nil where somebody goes on.
  func fetchAtRest() async throws(StorageError) -> Held? {
    guard let fetched = try await source.fetchAtRest(unless: current?.state) else { return nil }
    return try await take(fetched)
  }

  private func take(_ fetched: FetchedStream) async throws(StorageError) -> Held {
    switch fetched {
    case .unchanged(let state):
      if var held = current {
        held.state = state
        return hold(held)
      }
      throw StorageError(
        .protocolBroken, "\(source.name) says that it is unchanged, and nothing of it is known",
        hint: "try again later")
    case .absent: return hold(Held(stream: CalendarStream(CalendarStream.empty)))
    case .text(let data, let version, let state):
      return hold(try await read(data, version, state))
    }
  }

  func hold(_ held: Held) -> Held {
    current = held
    return held
  }

  /// What is not a calendar from its first line to its last says nothing of what it lacks. A text
  /// that is held is not taken apart a second time.
  func read(
    _ data: ItemData, _ version: Version, _ state: StreamState
  ) async throws(StorageError) -> Held {
    if var held = current, held.version?.digest == version.digest {
      (held.version, held.state) = (version, state)
      return held
    }
    var naming: CalendarStream.Naming?
    if let name = options.nameForUIDs {
      naming = { [options] in madeUID(for: $0, isShared: $1, in: name, options) }
    }
    let stream = CalendarStream(data.bytes, naming: naming)
    guard stream.isTakenApart else {
      throw StorageError(
        source.isReadOnly ? .protocolBroken : .io, "\(source.name) is no whole calendar",
        why: stream.wholeness.words,
        hint: source.isReadOnly
          ? "\(stream.wholeness.adviceToReaders); nothing is deleted meanwhile"
          : "correct it, or put it back from a copy; nothing is deleted meanwhile")
    }
    if let excess = stream.excess {
      throw StorageError(
        source.isReadOnly ? .protocolBroken : .io, "\(source.name) is too large to be read",
        why: excess.words,
        hint: source.isReadOnly
          ? "look for a smaller calendar; nothing is deleted meanwhile"
          : "\(excess.adviceToWriters); nothing is deleted meanwhile")
    }
    let (known, names) = await recognized(stream)
    return Held(stream: known, version: version, state: state, names: names)
  }

  /// The text and its version as the engine knows them.
  func item(_ uid: [UInt8], in stream: CalendarStream) -> (Version, ItemData)? {
    guard let text = stream.text(of: uid) else { return nil }
    return (version(of: text), ItemData(bytes: text))
  }

  func version(of text: [UInt8]) -> Version {
    let digest = options.digest(text)
    return Version(tag: EntityTag(bytes: hex(digest.bytes)), digest: digest)
  }
}

/// The same for the same title, start and calendar, so that an item stays the one it is.
///
/// - Parameter isShared: others have these as well, and all that it says tells it from them.
private func madeUID(
  for item: ItemComponent, isShared: Bool, in calendar: String, _ options: StreamStorage.Options
) -> [UInt8] {
  let start = item.component.line(named: "DTSTART") ?? item.component.line(named: "DUE")
  var key = [
    item.summary?.bytes ?? [], start?.content ?? [], item.recurrenceID?.content ?? [],
    Array(calendar.utf8),
  ]
  if isShared {
    let (begin, end) = (Array("BEGIN:VCALENDAR\r\n".utf8), Array("END:VCALENDAR\r\n".utf8))
    let tree = SyntaxTree(bytes: begin + item.component.bytes + end)
    key.append(message(of: tree) ?? item.component.bytes)
  }
  return Array("calgw-".utf8)
    + hex(options.digest(Array(key.joined(separator: [0]))).bytes.prefix(16))
}

/// The bytes in lower-case hexadecimal.
func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
}

extension CalendarStream.Excess {
  /// What is too much, for people.
  var words: String {
    switch self {
    case .zone(let line):
      "the time zone in line \(line) has more than \(CalendarStream.zoneLimit >> 10) KiB, and each"
        + " item that names it has a copy"
    case .items:
      "its items have more than \(CalendarStream.itemsLimit >> 30) GiB, each with the time zones"
        + " that it names"
    }
  }

  /// What those can do about it who can write to it.
  fileprivate var adviceToWriters: String {
    switch self {
    case .zone: "put a shorter definition of that time zone there"
    case .items: "split it into several calendars"
    }
  }
}

extension Wholeness {
  /// What is wrong, for people.
  fileprivate var words: String {
    switch self {
    case .whole, .notUTF8: ""
    case .empty: "it is empty"
    case .notCalendar(let line): "line \(line) is no line of a calendar"
    case .cutOff(let line): "what begins in line \(line) has no end"
    case .conflictMarker(let line): "line \(line) marks two versions that were not merged"
    case .strayEnd(let line): "the END in line \(line) closes nothing"
    case .tooLarge: "it is too large to be read"
    }
  }

  /// What those can do about it who cannot write to it.
  fileprivate var adviceToReaders: String {
    switch self {
    case .whole, .notUTF8, .empty, .cutOff: "try again later"
    case .notCalendar: "look at its address in a browser: it may have moved"
    case .conflictMarker, .strayEnd: "tell whoever gives it out"
    case .tooLarge: "look for a smaller calendar"
    }
  }
}
