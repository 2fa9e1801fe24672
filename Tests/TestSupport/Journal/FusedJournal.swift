public import SyncModel

/// Any journal behind a fuse, so that a world can stop at its effects.
public struct FusedJournal: Journal {
  public let base: any Journal
  public let fuse: Fuse

  public init(_ base: any Journal, fuse: Fuse) {
    self.base = base
    self.fuse = fuse
  }

  private func look() throws(JournalError) {
    guard !fuse.isBlown else { throw Fuse.stopped }
  }

  private func change<T>(
    _ body: () async throws(JournalError) -> T
  ) async throws(JournalError) -> T {
    switch fuse.nextEffect() {
    case .carryOut:
      return try await body()
    case .carryOutAndStop:
      _ = try await body()
      throw Fuse.stopped
    case .stop:
      throw Fuse.stopped
    case .fail(let error):
      throw error
    }
  }

  public func agreementCount() async throws(JournalError) -> Int {
    try look()
    return try await base.agreementCount()
  }

  public func cursor(_ side: Side) async throws(JournalError) -> Cursor? {
    try look()
    return try await base.cursor(side)
  }

  public func known(_ side: Side) async throws(JournalError) -> [KnownResource] {
    try look()
    return try await base.known(side)
  }

  public func known(
    _ side: Side, hrefs: [Href]
  ) async throws(JournalError) -> [KnownResource] {
    try look()
    return try await base.known(side, hrefs: hrefs)
  }

  public func unread(_ side: Side) async throws(JournalError) -> [Href] {
    try look()
    return try await base.unread(side)
  }

  public func differing() async throws(JournalError) -> Differing {
    try look()
    return try await base.differing()
  }

  public func agreement(of uid: ItemID) async throws(JournalError) -> Agreement? {
    try look()
    return try await base.agreement(of: uid)
  }

  public func openIntents() async throws(JournalError) -> [OpenIntent] {
    try look()
    return try await base.openIntents()
  }

  public func contents(
    _ digests: [ContentDigest]
  ) async throws(JournalError) -> [ContentDigest: ItemData] {
    try look()
    return try await base.contents(digests)
  }

  public func sizes(
    of digests: [ContentDigest]
  ) async throws(JournalError) -> [ContentDigest: Int] {
    try look()
    return try await base.sizes(of: digests)
  }

  public func history(
    of uid: ItemID?
  ) async throws(JournalError) -> [RecordedHistoryEntry] {
    try look()
    return try await base.history(of: uid)
  }

  public func record(
    page: [ObservedChange], on side: Side, cursor: Cursor
  ) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.record(page: page, on: side, cursor: cursor)
    }
  }

  public func forgetCursor(_ side: Side) async throws(JournalError) {
    try await change { () async throws(JournalError) in try await base.forgetCursor(side) }
  }

  public func record(
    read: [ObservedChange], on side: Side, contents: [StoredContent]
  ) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.record(read: read, on: side, contents: contents)
    }
  }

  public func agree(_ agreements: [Agreement]) async throws(JournalError) {
    try await change { () async throws(JournalError) in try await base.agree(agreements) }
  }

  public func forget(_ uids: [ItemID]) async throws(JournalError) {
    try await change { () async throws(JournalError) in try await base.forget(uids) }
  }

  public func setWaits(
    _ waits: [WaitChange], history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.setWaits(waits, history: history, contents: contents)
    }
  }

  public func begin(
    _ intents: [Intent], history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) -> [Intent.ID] {
    try await change { () async throws(JournalError) in
      try await base.begin(intents, history: history, contents: contents)
    }
  }

  public func close(
    _ outcomes: [ClosedIntent], contents: [StoredContent]
  ) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.close(outcomes, contents: contents)
    }
  }

  public func keep(
    _ history: [HistoryEntry], contents: [StoredContent]
  ) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.keep(history, contents: contents)
    }
  }

  public func prune(olderThan: Instant, versionsAnItem: Int) async throws(JournalError) {
    try await change { () async throws(JournalError) in
      try await base.prune(olderThan: olderThan, versionsAnItem: versionsAnItem)
    }
  }
}
