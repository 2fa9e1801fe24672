public import SyncModel
import Synchronization

/// A journal in memory: plain Swift, fast, and the same in every run.
///
/// Every call that may change something is one effect of its `fuse`, even where it finds nothing
/// to change. A blown fuse stops reading too.
public final class MemoryJournal: Journal {
  /// Counts and stops the effects; may be shared with other ports.
  public let fuse: Fuse
  private let held: Mutex<JournalState>

  /// A new one, or one that begins as another was: an older copy restored, a world forked.
  public init(_ state: JournalState = JournalState(), fuse: Fuse = Fuse()) {
    self.fuse = fuse
    held = Mutex(state)
  }

  /// All that it holds. Two states are equal if a run would find them equal.
  public var state: JournalState { held.withLock { $0 } }

  private func look<T: Sendable>(
    _ call: String = #function, _ body: (borrowing JournalState) -> T
  ) throws(JournalError) -> T {
    switch fuse.nextLook(Self.name(call)) {
    case .carryOut, .carryOutAndStop: return held.withLock { body($0) }
    case .stop: throw Fuse.stopped
    case .fail(let error): throw error
    }
  }

  /// `begin` of `begin(_:history:contents:)`.
  private static func name(_ call: String) -> String {
    String(Substring(call.utf8.prefix { $0 != UInt8(ascii: "(") }))
  }

  private func change<T: Sendable>(
    _ call: String = #function, _ body: (inout JournalState) -> T
  ) throws(JournalError) -> T {
    switch fuse.nextEffect(Self.name(call)) {
    case .carryOut:
      return held.withLock { body(&$0) }
    case .carryOutAndStop:
      _ = held.withLock { body(&$0) }
      throw Fuse.stopped
    case .stop:
      throw Fuse.stopped
    case .fail(let error):
      throw error
    }
  }
}

extension MemoryJournal {
  public func agreementCount() async throws(JournalError) -> Int {
    try look { $0.agreements.count }
  }

  public func cursor(_ side: Side) async throws(JournalError) -> Cursor? {
    try look { $0.cursors[side] }
  }

  public func known(_ side: Side) async throws(JournalError) -> [KnownResource] {
    try look { $0.known(side) }
  }

  public func known(
    _ side: Side, hrefs: [Href]
  ) async throws(JournalError) -> [KnownResource] {
    try look { $0.known(side, hrefs: hrefs) }
  }

  public func unread(_ side: Side) async throws(JournalError) -> [Href] {
    try look { $0.unread(side) }
  }

  public func differing() async throws(JournalError) -> Differing {
    try look { $0.differing() }
  }

  public func agreement(of uid: ItemID) async throws(JournalError) -> Agreement? {
    try look { $0.agreements[uid] }
  }

  public func openIntents() async throws(JournalError) -> [OpenIntent] {
    try look { $0.openIntents() }
  }

  public func contents(
    _ digests: [ContentDigest]
  ) async throws(JournalError) -> [ContentDigest: ItemData] {
    try look { $0.contents(digests) }
  }

  /// No call that faults may strike: whatever strikes here strikes at `contents`, too.
  public func sizes(
    of digests: [ContentDigest]
  ) async throws(JournalError) -> [ContentDigest: Int] {
    held.withLock { $0.contents(digests).mapValues(\.bytes.count) }
  }

  public func history(
    of uid: ItemID?
  ) async throws(JournalError) -> [RecordedHistoryEntry] {
    try look { $0.history(of: uid) }
  }
}

extension MemoryJournal {
  public func record(
    page: [ObservedChange], on side: Side, cursor: Cursor
  ) async throws(JournalError) {
    try change {
      $0.record(page, on: side)
      $0.cursors[side] = cursor
    }
  }

  public func forgetCursor(_ side: Side) async throws(JournalError) {
    try change { $0.cursors[side] = nil }
  }

  public func record(
    read: [ObservedChange], on side: Side, contents: [StoredContent]
  ) async throws(JournalError) {
    try change {
      $0.store(contents)
      $0.record(read, on: side)
    }
  }

  public func agree(_ agreements: [Agreement]) async throws(JournalError) {
    try change {
      for agreement in agreements {
        $0.put(agreement)
        $0.settleAttempts(agreement.uid)
      }
    }
  }

  public func forget(_ uids: [ItemID]) async throws(JournalError) {
    try change {
      for uid in uids {
        $0.remove(uid)
        $0.settleAttempts(uid)
      }
    }
  }

  public func setWaits(
    _ waits: [WaitChange], history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) {
    try change {
      $0.store(contents)
      $0.setWaits(waits)
      $0.append(history)
    }
  }

  public func begin(
    _ intents: [Intent], history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) -> [Intent.ID] {
    try change {
      $0.store(contents)
      $0.appendAttempts(history)
      return $0.open(intents)
    }
  }

  public func close(
    _ outcomes: [ClosedIntent], contents: [StoredContent]
  ) async throws(JournalError) {
    try change {
      $0.store(contents)
      for closed in outcomes { $0.close(closed) }
    }
  }

  public func keep(
    _ history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) {
    try change {
      $0.store(contents)
      $0.append(history)
    }
  }

  public func prune(olderThan: Instant, versionsAnItem: Int) async throws(JournalError) {
    try change { $0.prune(olderThan: olderThan, versionsAnItem: versionsAnItem) }
  }
}
