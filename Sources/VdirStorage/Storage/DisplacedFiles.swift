public import SyncModel

extension VdirStorage {
  /// In milliseconds, where nobody tells whether an editor holds a file open that it truncated: it
  /// writes it in less.
  private static let patienceWithEmpty: Int64 = 60_000

  /// Gives what replaced and deleted files hold now, from this run and from killed ones, and
  /// removes new files that a killed run never put in place.
  ///
  /// A killed or undone replace may leave a file that holds the new content, complete, where it
  /// was not put in place. What is just being written, or may be, since a program has it open for
  /// writing, stays for a later call. To be called under the folder's lock: what looks left over
  /// may be another run's work.
  public func displaced() async throws(StorageError) -> [DisplacedFile] {
    let names: [FileName]
    do throws(FileError) {
      names = try directory.list()
    } catch {
      throw error.trouble("listing the folder", at: location.text)
    }
    // Mostly there is none, and then a large folder is not sorted for nothing.
    let leftOver = names.filter { HiddenName($0) != nil }.sorted()
    if leftOver.isEmpty { return [] }
    let items = names.filter { HiddenName($0) == nil }
    var result: [DisplacedFile] = []
    var held = 0
    for hidden in leftOver.compactMap({ HiddenName($0) }) {
      guard let item = hidden.item(among: items, digest: access.digest) else {
        try remove(hidden.fileName)
        continue
      }
      guard let content = try displacedContent(hidden.fileName) else { continue }
      result.append(
        DisplacedFile(
          name: hidden.fileName.bytes, href: Href(item.bytes), data: ItemData(bytes: content),
          digest: access.digest(content)))
      held += content.count
      if held >= access.bytesAtOnce { break }
    }
    return result
  }

  /// Removes displaced files, but not one that was written to since it was given, or that a program
  /// has open for writing: `displaced` gives it again.
  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    for file in files {
      guard let name = FileName(file.name), let hidden = HiddenName(name), hidden.meaning != .new
      else { continue }
      guard let content = try displacedContent(name) else { continue }
      if access.digest(content) == file.digest { try remove(name) }
    }
  }

  /// Nil where it is gone, cannot be read, or is just being written: it is left as it is.
  private func displacedContent(_ name: FileName) throws(StorageError) -> [UInt8]? {
    do throws(FileError) {
      // Looked at before it is read: nobody opens it by this name, so where nobody has it open any
      // more, it holds all that was ever written to it.
      let isOpen = try directory.isOpenForWriting(name)
      if isOpen == true { return nil }
      let content = try directory.read(name, limit: access.maxItemSize)
      guard content.isStable else { return nil }
      if content.bytes.isEmpty, isOpen == nil, !isOld(content) { return nil }
      return content.bytes
    } catch {
      guard !error.concernsAll else {
        throw error.trouble("reading displaced files in", at: location.text)
      }
      return nil
    }
  }

  private func isOld(_ content: FileContent) -> Bool {
    access.surroundings.now().milliseconds(since: content.after.touched) > Self.patienceWithEmpty
  }

  /// A file that cannot be removed does no harm; the next run tries again.
  private func remove(_ name: FileName) throws(StorageError) {
    do throws(FileError) {
      try directory.unlink(name)
    } catch {
      guard !error.isStopped else { throw error.trouble("tidying up", at: location.text) }
    }
  }
}
