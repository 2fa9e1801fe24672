public import SyncModel

extension VdirStorage {
  /// Gives every item in one page, sorted by name. A tag is given only where it can be trusted:
  /// where the file was not touched since shortly before the last scan.
  public func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
    let start = access.surroundings.now()
    let previous = cursor.flatMap { ScanCursor($0) }
    let identity = try requireSameDirectory()
    if let previous, previous.directory != identity {
      throw vanished("it has another device or inode number than at the last sync")
    }
    let folder = try? directory.status()
    let names = try items()
    // A scan of the future tells nothing: the clock was set back since.
    let trusted = previous.map(\.time).flatMap { $0 <= start ? $0 : nil }
    var present: [ListedItem] = []
    present.reserveCapacity(names.count)
    var seen: [FileName: SeenFile] = [:]
    seen.reserveCapacity(names.count)
    for name in names {
      let item = try listed(name, previousScan: trusted, &seen[name, default: SeenFile(nil)])
      if let item { present.append(item) }
    }
    try requireSameDirectory()
    self.seen = seen
    folderBefore = folder.flatMap { $0.isSettled(before: start) ? SeenFile($0) : nil }
    writer.lastScan = start
    let next = ScanCursor(directory: identity, time: start).cursor
    return ChangePage(extent: .everything, present: present, next: next)
  }

  private func listed(
    _ name: FileName, previousScan: Instant?, _ seen: inout SeenFile
  ) throws(StorageError) -> ListedItem? {
    let href = Href(name.bytes)
    let status: FileStatus?
    do throws(FileError) {
      status = try statusLookingTwice(name)
    } catch {
      guard !error.concernsAll else {
        throw error.trouble("looking at the files of", at: location.text)
      }
      // Only to be told by reading, which then says what is wrong with it.
      return ListedItem(href: href, tag: nil)
    }
    guard let status else { return nil }
    seen = SeenFile(status)
    guard status.kind == .regular else {
      return ListedItem(href: href, tag: nil, problem: .notAFile(name))
    }
    guard let previousScan else { return ListedItem(href: href, tag: nil) }
    let isSettled = status.isSettled(before: previousScan)
    return ListedItem(href: href, tag: isSettled ? status.fingerprint : nil)
  }

  /// A name may be gone for the blink of an eye while an editor saves.
  func statusLookingTwice(_ name: FileName) throws(FileError) -> FileStatus? {
    if let status = try directory.statusIfThere(name) { return status }
    return try directory.statusIfThere(name)
  }
}
