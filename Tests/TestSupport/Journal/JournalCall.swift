public import SyncModel

/// A call of a journal that changes it, as a value.
public enum JournalCall: Sendable {
  case recordPage([ObservedChange], Side, Cursor)
  case forgetCursor(Side)
  case recordRead([ObservedChange], Side, [StoredContent])
  case agree([Agreement])
  case forget([ItemID])
  case setWaits([WaitChange], [HistoryEntry])
  case begin([Intent], [HistoryEntry], [StoredContent])
  case close([ClosedIntent], [StoredContent])
  case keep([HistoryEntry], [StoredContent])
  case prune(Instant, Int)

  /// Gives the ids of `begin`, else nothing.
  @discardableResult
  public func perform(on journal: any Journal) async throws(JournalError) -> [Intent.ID] {
    switch self {
    case .recordPage(let page, let side, let cursor):
      try await journal.record(page: page, on: side, cursor: cursor)
    case .forgetCursor(let side):
      try await journal.forgetCursor(side)
    case .recordRead(let read, let side, let contents):
      try await journal.record(read: read, on: side, contents: contents)
    case .agree(let agreements):
      try await journal.agree(agreements)
    case .forget(let uids):
      try await journal.forget(uids)
    case .setWaits(let waits, let history):
      try await journal.setWaits(waits, history: history, contents: [])
    case .begin(let intents, let history, let contents):
      return try await journal.begin(intents, history: history, contents: contents)
    case .close(let outcomes, let contents):
      try await journal.close(outcomes, contents: contents)
    case .keep(let history, let contents):
      try await journal.keep(history, contents: contents)
    case .prune(let limit, let versions):
      try await journal.prune(olderThan: limit, versionsAnItem: versions)
    }
    return []
  }
}

/// Makes calls of a small world by chance: the same for the same seed.
///
/// The world is small so that everything meets everything: hrefs are taken over, items move, news
/// arrives in every state.
public struct JournalCalls: Sendable {
  private var state: UInt64
  private let words = ["A", "B", "C", "D", "E"]
  private let names = ["a", "b", "c", "d", "e", "f"]

  public init(seed: UInt64) { state = seed }

  public var uids: [ItemID] { names.map { ItemID($0) } + [ItemID(bytes: [])] }
  public var digests: [ContentDigest] { words.map(JournalSample.digest) }

  /// SplitMix64.
  private mutating func number() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func below(_ bound: Int) -> Int { Int(number() % UInt64(bound)) }
  private mutating func isOnce(in times: Int) -> Bool { below(times) == 0 }
  private mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  private mutating func some<T>(upTo most: Int, _ one: (inout Self) -> T) -> [T] {
    var made: [T] = []
    for _ in 0..<below(most + 1) { made.append(one(&self)) }
    return made
  }

  private mutating func side() -> Side { pick(Side.allCases) }

  private mutating func href() -> Href {
    let key = Array(pick(names).utf8)
    return isOnce(in: 3) ? Href(spelling: [37] + key, key: key) : Href(key)
  }

  private mutating func tag() -> EntityTag? {
    switch below(8) {
    case 0: nil
    case 1: EntityTag(bytes: [], isStrong: false)
    default: JournalSample.tag(pick(words), isStrong: !isOnce(in: 6))
    }
  }

  private mutating func version() -> Version {
    Version(tag: tag(), digest: JournalSample.digest(pick(words)))
  }

  private mutating func item(_ uid: ItemID? = nil, at href: Href? = nil) -> ItemVersion {
    ItemVersion(
      href: href ?? self.href(), uid: uid ?? pick(uids), version: version(),
      canonical: JournalSample.digest(pick(words)), summary: isOnce(in: 5) ? "x\u{0}y" : "x",
      lastModified: isOnce(in: 2) ? Instant(seconds: Int64(below(100))) : nil, modified: nil,
      components: pick([["VEVENT"], [], ["VTODO", "VEVENT"]]))
  }

  private mutating func agreement() -> Agreement {
    let uid = pick(uids)
    return Agreement(uid: uid, local: item(uid), remote: item(uid))
  }

  private mutating func wait() -> Observation.Wait? {
    pick([nil, nil, .conflict, JournalSample.refusal(pick(words))])
  }

  private mutating func change(on side: Side) -> ObservedChange {
    let href = href()
    let state: Observation.State
    switch below(7) {
    case 0: return .refreshed(item())
    case 1: return .dropped(href)
    case 2: state = .unread(tag())
    case 3: state = .obstructed(tag(), pick([JournalSample.problem, JournalSample.severalUIDs]))
    case 4: state = .gone
    default: state = .read(item(at: href))
    }
    let since = isOnce(in: 3) ? nil : Instant(seconds: Int64(below(5)))
    return .observed(
      Observation(side: side, href: href, state: state, wait: wait(), since: since))
  }

  private mutating func entry() -> HistoryEntry {
    HistoryEntry(
      time: Instant(seconds: Int64(below(100))), uid: pick(uids), side: side(),
      action: pick(HistoryEntry.Action.allCases), reason: "chance", href: href(),
      before: isOnce(in: 4) ? nil : JournalSample.digest(pick(words)),
      after: isOnce(in: 2) ? nil : JournalSample.digest(pick(words)))
  }

  private mutating func intent() -> Intent {
    let effect: Intent.Effect =
      switch below(3) {
      case 0: .create(href(), JournalSample.digest(pick(words)))
      case 1: .replace(href(), expecting: version(), with: JournalSample.digest(pick(words)))
      default: .delete(href(), expecting: version())
      }
    return Intent(
      uid: pick(uids), side: side(), effect: effect, source: isOnce(in: 3) ? nil : item())
  }

  private mutating func outcome() -> IntentOutcome {
    switch below(6) {
    case 0: .forgotten
    case 1: .nothingWritten
    case 2: .lookAgain
    case 3: .refused(JournalSample.refusal(pick(words)))
    default: .agreed(agreement())
    }
  }

  private mutating func contents() -> [StoredContent] {
    some(upTo: 3) { JournalSample.content($0.pick($0.words)) }
  }

  /// - Parameter open: the intents that are open; now and then one is closed, or one that is not.
  public mutating func next(open: [Intent.ID]) -> JournalCall {
    let side = side()
    switch below(20) {
    case 0...3:
      return .recordPage(
        some(upTo: 4) { $0.change(on: side) }, side,
        Cursor(bytes: [UInt8(truncatingIfNeeded: number())]))
    case 4...7:
      return .recordRead(some(upTo: 4) { $0.change(on: side) }, side, contents())
    case 8...10: return .agree(some(upTo: 3) { $0.agreement() })
    case 11: return .forget(some(upTo: 2) { $0.pick($0.uids) })
    case 12:
      return .setWaits(
        some(upTo: 3) { WaitChange(side: $0.side(), href: $0.href(), wait: $0.wait()) },
        some(upTo: 1) { $0.entry() })
    case 13...14:
      return .begin(some(upTo: 3) { $0.intent() }, some(upTo: 2) { $0.entry() }, contents())
    case 15...17:
      let candidates = open + [Intent.ID(1)]
      return .close(
        some(upTo: 3) { ClosedIntent(id: $0.pick(candidates), outcome: $0.outcome()) },
        contents())
    case 18: return .keep(some(upTo: 2) { $0.entry() }, contents())
    default: return .prune(Instant(seconds: Int64(below(100))), below(4))
    }
  }
}
