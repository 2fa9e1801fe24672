public import SyncModel

/// All that a journal tells through its port: two journals in one state give equal pictures.
public struct JournalPicture: Sendable, Hashable {
  public var cursors: [Cursor?] = []
  public var known: [KnownResource] = []
  public var unread: [Href] = []
  public var differing: Differing
  public var agreements: [Agreement]
  public var agreementCount: Int
  public var intents: [OpenIntent]
  public var history: [RecordedHistoryEntry]
  public var contents: [ContentDigest: ItemData]
  public var sizes: [ContentDigest: Int]
  /// The spelling of every href above, since hrefs are equal by their keys alone.
  public var spellings: [[UInt8]] = []

  /// - Parameters:
  ///   - uids: the items whose agreements are asked for.
  ///   - digests: the texts that are asked for.
  public init(
    of journal: any Journal, uids: [ItemID], digests: [ContentDigest]
  ) async throws(JournalError) {
    differing = try await journal.differing()
    agreements = []
    for uid in uids {
      if let found = try await journal.agreement(of: uid) { agreements.append(found) }
    }
    agreementCount = try await journal.agreementCount()
    intents = try await journal.openIntents()
    history = try await journal.history(of: nil)
    contents = try await journal.contents(digests)
    sizes = try await journal.sizes(of: digests)
    for side in Side.allCases {
      cursors.append(try await journal.cursor(side))
      known += try await journal.known(side)
      unread += try await journal.unread(side)
    }
    collectSpellings()
  }

  private mutating func collectSpellings() {
    var hrefs = known.map(\.href) + unread + history.map(\.entry.href)
    for seen in differing.observations {
      hrefs.append(seen.href)
      if case .read(let item) = seen.state { hrefs.append(item.href) }
    }
    for agreement in agreements + differing.agreements {
      hrefs += [agreement.local.href, agreement.remote.href]
    }
    for open in intents {
      hrefs.append(open.intent.href)
      if let source = open.intent.source { hrefs.append(source.href) }
    }
    spellings = hrefs.map(\.spelling)
  }
}
