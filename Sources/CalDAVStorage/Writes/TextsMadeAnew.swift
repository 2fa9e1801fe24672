import ICalendar
import SyncModel
import WebDAV

/// Some servers make an item's text anew at each read, with the time of that in its DTSTAMP, and
/// have no entity tag that stays: no two looks at one version have the same bytes.
extension CalDAVStorage {
  /// The texts of items of which a look before a write did not show the bytes that it expected.
  struct ReadTexts {
    /// Those whose texts are kept in mind when they are read again in this run.
    var doubted: Set<Href> = []
    /// The digests of their essences, by those of their bytes.
    var essences: [ContentDigest: ContentDigest] = [:]
  }

  /// Whether a look shows what a write expects: the same bytes, or, of an item that was not so once
  /// in this run, a text that the server has made anew, and that means the same.
  func isAsExpected(
    _ version: Version, _ data: ItemData, by write: GuardedWrite, at address: WebURL
  ) async -> Bool {
    guard let expected = write.expected else { return false }
    if version.digest == expected.digest { return true }
    let read = withRunMemory { run in
      run.readTexts.doubted.insert(write.href)
      return run.readTexts.essences[expected.digest]
    }
    guard let read, read == essence(of: data) else { return false }
    return await !isAnotherVersion(version, than: expected, at: address)
  }

  /// Somebody has touched an item since it was read: its tag is another one, and stays. That of a
  /// text which is made anew changes with each look, or says nothing. A weak one guards nothing,
  /// but tells this as well.
  private func isAnotherVersion(
    _ version: Version, than expected: Version, at address: WebURL
  ) async -> Bool {
    guard let tag = version.tag else { return false }
    if let former = expected.tag, tag.names(sameAs: former) { return false }
    guard case .found(let now, _, _) = await get(address) else { return true }
    return now.tag.map(tag.names) ?? false
  }

  /// Keeps in mind what a text means that was just read, where a write may have to ask.
  func noteEssence(of version: Version, _ data: ItemData, _ href: Href) {
    guard withRunMemory({ $0.readTexts.doubted.contains(href) }) else { return }
    let essence = essence(of: data)
    withRunMemory { $0.readTexts.essences[version.digest] = essence }
  }

  /// Nil where the text cannot be taken apart.
  private func essence(of data: ItemData) -> ContentDigest? {
    ICalendar.essence(of: SyntaxTree(bytes: data.bytes)).map(digest)
  }
}
