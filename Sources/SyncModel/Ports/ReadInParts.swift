/// Any number of resources of a storage, read in parts of what it gives at once.
public struct ReadInParts: Sendable {
  private let storage: any Storage
  private var waiting: ArraySlice<Href>
  /// Left out of a part that held others.
  private var left: [Href] = []
  /// Left out of a part that would have held nothing else: each is asked for alone.
  private var large: ArraySlice<Href> = []

  /// Reads nothing yet.
  public init(_ hrefs: [Href], of storage: any Storage) {
    self.storage = storage
    waiting = hrefs[...]
  }

  /// The next outcomes, those of a part in the order asked; nil after the last part.
  public mutating func next() async throws(StorageError) -> [ReadOutcome]? {
    if let href = large.popFirst() { return try await storage.read([href]) }
    if waiting.isEmpty { (waiting, left) = (left[...], []) }
    let batch = Array(waiting.prefix(max(1, storage.traits.readBatch)))
    if batch.isEmpty { return nil }
    waiting = waiting.dropFirst(batch.count)
    let part = try await storage.read(batch)
    guard part.count < batch.count else { return part }
    if part.isEmpty {
      large = batch[...]
      return try await next()
    }
    left += batch.leftOut(of: part)
    return part
  }
}

extension [Href] {
  /// Those that a storage gave no outcome of, in order.
  public func leftOut(of part: [ReadOutcome]) -> [Href] {
    if part.count == count { return [] }
    let given = Set(part.map(\.href))
    return filter { !given.contains($0) }
  }
}

extension Storage {
  /// Reads any number of resources, all to be held together: one outcome a href, in the order
  /// asked.
  public func readAll(_ hrefs: [Href]) async throws(StorageError) -> [ReadOutcome] {
    var parts = ReadInParts(hrefs, of: self)
    var outcomes: [Href: ReadOutcome] = [:]
    while let part = try await parts.next() {
      // Mostly there is one.
      if part.count == hrefs.count { return part }
      for outcome in part { outcomes[outcome.href] = outcome }
    }
    return hrefs.compactMap { outcomes[$0] }
  }
}
