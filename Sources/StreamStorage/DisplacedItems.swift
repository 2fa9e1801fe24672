import ICalendar
public import SyncModel

extension StreamStorage {
  /// In bytes, of the items that one replaced text is given as, all at once.
  private static let displacedLimit = 256 << 20

  /// Gives the items of texts that were replaced and hold something else now than what calgw had
  /// read there: an editor may have written into one that it still had open.
  public func displaced() async throws(StorageError) -> [DisplacedFile] {
    displacedTexts = [:]
    var items: [DisplacedFile] = []
    var settled: [DisplacedFile] = []
    for file in try await source.displaced() {
      displacedTexts[file.name] = file
      if replaced.contains(file.digest) {
        settled.append(file)
        continue
      }
      let stream = CalendarStream(file.data.bytes)
      let canBeHeld =
        stream.wholeness == .whole && stream.excess == nil
        && stream.itemsSize <= Self.displacedLimit
      let uids = canBeHeld ? stream.uids : []
      let texts = uids.compactMap { uid in item(uid, in: stream).map { (uid, $0.0, $0.1) } }
      items += texts.map { uid, version, data in
        DisplacedFile(name: file.name, href: Href(uid), data: data, digest: version.digest)
      }
      // What is no calendar, is not UTF-8, cannot be taken apart or held, is damaged, or has a part
      // that is no item of its own, is kept as it is.
      if texts.isEmpty || !stream.isComplete { items.append(file) }
    }
    if !settled.isEmpty { try await source.discard(settled) }
    return items
  }

  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    let names = Set(files.map(\.name))
    let texts = names.compactMap { displacedTexts[$0] }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    if !texts.isEmpty { try await source.discard(texts) }
  }

  public func makeDurable() async throws(StorageError) { try await source.makeDurable() }
}
