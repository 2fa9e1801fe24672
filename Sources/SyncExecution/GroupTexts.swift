import SyncModel

extension CollectionSync {
  /// Texts of so many bytes are held at a time, or those of a single element.
  var bytesAtOnce: Int { min(local.traits.bytesAtOnce, remote.traits.bytesAtOnce) }

  /// The elements in order, in groups of at most `size` whose texts can be held together.
  func groups<Element>(
    _ elements: [Element], of size: Int, texts: (Element) -> [ContentDigest]
  ) async throws(SyncFailure) -> [ArraySlice<Element>] {
    var groups: [ArraySlice<Element>] = []
    for batch in elements.batches(of: size) {
      let needed = batch.map(texts)
      let sizes = try await recorded { () throws(JournalError) in
        try await journal.sizes(of: Array(needed.joined()))
      }
      var start = batch.startIndex
      var held = 0
      for (index, digests) in zip(batch.indices, needed) {
        let size = digests.reduce(0) { $0 + (sizes[$1] ?? 0) }
        if index > start, size > bytesAtOnce - held {
          groups.append(batch[start..<index])
          (start, held) = (index, 0)
        }
        held += size
      }
      groups.append(batch[start...])
    }
    return groups
  }

  /// Reads resources of a side and hands over what came, as much at a time as can be held.
  func read(
    _ hrefs: [Href], on side: Side, _ take: ([ReadOutcome]) async throws(SyncFailure) -> Void
  ) async throws(SyncFailure) {
    var parts = ReadInParts(hrefs, of: storage(side))
    while true {
      try checkStop()
      let part: [ReadOutcome]?
      do throws(StorageError) { part = try await parts.next() } catch {
        throw SyncFailure(error, on: side)
      }
      guard let part else { return }
      try await take(part)
    }
  }
}
