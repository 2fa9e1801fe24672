import ICalendar
import SyncModel

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
  /// in this run, a text that means the same and says at most that it was touched.
  func isAsExpected(_ version: Version, _ data: ItemData, by write: GuardedWrite) -> Bool {
    guard let expected = write.expected else { return false }
    if version.digest == expected.digest { return true }
    let read = withRunMemory { run in
      run.readTexts.doubted.insert(write.href)
      return run.readTexts.essences[expected.digest]
    }
    return read.map { $0 == essence(of: data) } ?? false
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
