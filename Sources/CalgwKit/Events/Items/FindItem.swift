import Glibc
import ICalendar
import SyncModel
import VdirStorage

/// Finds the item that a command line names: by its file, or by its UID in one folder or in all
/// configured ones.
struct ItemFinder: Sendable {
  let folders: FolderFinder

  /// - Parameters:
  ///   - target: a FILE, or a UID.
  ///   - place: what `--in` names; nil: the file's own folder, or every configured one.
  ///   - other: of several configured folders that have it, this one is not meant.
  func item(
    _ target: String, in place: String?, ratherThanIn other: EventFolder? = nil
  ) async throws(RunFailure) -> FoundItem {
    guard !target.isEmpty else {
      throw .usage("the item's name is empty", hint: "name a file or a UID")
    }
    guard let place else {
      let path = typedPath(target)
      // Without a slash it may be a UID, whatever this directory has.
      let mayBeUID = !path.contains(UInt8(ascii: "/")) && isDirectory(path)
      if !mayBeUID, try isFile(path) { return try await item(atPath: path) }
      let (folders, unread) = try await folders.foldersToSearch()
      do throws(RunFailure) {
        return try await item(
          uid: ItemID(target), in: folders, besides: unread, ratherThanIn: other)
      } catch {
        guard mayBeUID, error.status == .missingInput else { throw error }
        return try await item(atPath: path)
      }
    }
    let folder = try await folders.folder(named: place)
    do throws(RunFailure) {
      return try await item(uid: ItemID(target), in: [folder])
    } catch {
      guard error.status == .missingInput, target.isItemFileName else { throw error }
      let path = typedPath(argumentText(folder.path) + "/" + target)
      let (_, name) = parts(of: path)
      guard let item = try await item(named: Href(name), in: folder) else { throw error }
      return item
    }
  }

  private func isFile(_ path: [UInt8]) throws(RunFailure) -> Bool {
    if isThere(path) { return true }
    // Without a slash it may be a UID, whatever this directory is.
    guard errno == EACCES, path.contains(UInt8(ascii: "/")) else { return false }
    throw RunFailure(
      .io, code: "io", message: "\(nameText(path).text) cannot be read",
      why: SystemError(EACCES).text,
      hint: "see that the folder that it is in is yours to read")
  }

  private func isDirectory(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(cPath(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: By file

  private func item(atPath path: [UInt8]) async throws(RunFailure) -> FoundItem {
    let text = nameText(path).text
    if isDirectory(path) {
      throw .usage("\(text) is a directory", hint: "name a file in it, or a UID with --in \(text)")
    }
    if let odd = OddFile(at: path) {
      throw .badItem("not-a-file", "\(text) is \(odd.words)", hint: odd.mend)
    }
    let (directory, name) = parts(of: path)
    let folder = try await folders.folder(atPath: directory)
    guard let item = try await item(named: Href(name), in: folder) else {
      throw RunFailure(
        .missingInput, code: "no-such-file", message: "there is no file \(text)",
        hint: "check the name")
    }
    return item
  }

  /// The item of a file; nil where there is no such file.
  func item(named href: Href, in folder: EventFolder) async throws(RunFailure) -> FoundItem? {
    let storage = try folders.access.storage(folder)
    switch try await read(href, storage, folder) {
    case .found(let version, let data, let modified)?:
      let text = try await itemText(data, at: href, in: folder)
      return FoundItem(
        folder: folder, href: href, uid: text.uid, data: data, version: version,
        modified: modified, object: text.object)
    case .problem(let problem)?: throw await failure(problem, at: href, in: folder)
    case .missing?, nil: return nil
    }
  }

  private func read(_ href: Href, _ storage: VdirStorage, _ folder: EventFolder)
    async throws(RunFailure) -> ReadOutcome.Result?
  {
    try await inFolder(folder) { () throws(StorageError) in
      try await storage.read([href]).first?.result
    }
  }

  /// Says which folder is in trouble.
  private func inFolder<Value: Sendable>(
    _ folder: EventFolder, _ look: () async throws(StorageError) -> Value
  ) async throws(RunFailure) -> Value {
    do throws(StorageError) { return try await look() } catch {
      throw RunFailure(error, place: folder.name)
    }
  }

  // MARK: By UID

  /// - Parameters:
  ///   - unread: Why other folders could not be listed.
  ///   - other: of several that have it, this one is not meant.
  func item(
    uid: ItemID, in folders: [EventFolder], besides unread: [RunFailure] = [],
    ratherThanIn other: EventFolder? = nil
  ) async throws(RunFailure) -> FoundItem {
    var found: [(EventFolder, [Href])] = []
    var unread = unread
    var isAnyRead = false
    for folder in folders {
      do throws(RunFailure) {
        let files = try await files(of: uid, in: folder)
        isAnyRead = true
        if !files.isEmpty { found.append((folder, files)) }
      } catch {
        // A folder that cannot be read says nothing of the others.
        guard error.status == .io else { throw error }
        unread.append(error)
      }
    }
    if let other, found.count > 1 { found.removeAll { $0.0.path == other.path } }
    guard let (folder, files) = found.first, let file = files.first else {
      throw unseen(uid, unread, isAnyRead: isAnyRead) ?? missing(uid, in: folders)
    }
    guard found.count == 1 else {
      throw .usage(
        "\(found.count) collections have an item \(uid.text)",
        hint: "say which: "
          + found.map { "--in \(shellWord(visibleText($0.0.name)))" }.joined(separator: ", "))
    }
    guard files.count == 1 else {
      throw .badItem(
        "duplicate-uid", "\(files.count) files in \(folder.name) have the UID \(uid.text)",
        hint: "name the file: " + files.map { folder.pathText(of: $0) }.joined(separator: ", "))
    }
    guard let item = try await item(named: file, in: folder) else {
      throw missing(uid, in: folders)
    }
    return item
  }

  /// Nobody knows whether an item is in folders that could not be read; nil where there are none.
  private func unseen(_ uid: ItemID, _ unread: [RunFailure], isAnyRead: Bool) -> RunFailure? {
    guard var failure = unread.first else { return nil }
    if isAnyRead {
      failure.message =
        "no item and no file called \(uid.text) is in the folders that could be read: "
        + failure.message
    }
    failure.place = unread.map(\.place).joined(separator: ", ")
    return failure
  }

  private func missing(_ uid: ItemID, in folders: [EventFolder]) -> RunFailure {
    let place = folders.count == 1 ? folders[0].name : ""
    guard !folders.isEmpty else {
      return RunFailure(
        .missingInput, code: "no-such-item", message: "there is no file \(uid.text)",
        hint: "name a file that is there, or a UID with --in DIR")
    }
    return RunFailure(
      .missingInput, code: "no-such-item", message: "no item and no file is called \(uid.text)",
      place: place, hint: "run `calgw list` to see what there is")
  }

  /// The files of a folder that hold components with a UID, in the order of their names.
  ///
  /// The file that calgw itself would name after the UID is looked at first, and then nothing else
  /// is.
  func files(of uid: ItemID, in folder: EventFolder) async throws(RunFailure) -> [Href] {
    let storage = try folders.access.storage(folder)
    let own = storage.freshHref(for: uid, attempt: 0)
    if case .found(_, let data, _)? = try await read(own, storage, folder), holds(uid, data) {
      return [own]
    }
    var found: [Href] = []
    try await forEachFile(of: folder) { href, data in
      if holds(uid, data) { found.append(href) }
    }
    return found
  }

  /// Reads every item of a folder, without the files that are as they were under these tags. What
  /// cannot be read is left out.
  func forEachFile(
    of folder: EventFolder, besides known: [Href: EntityTag] = [:],
    _ body: (Href, ItemData) -> Void
  ) async throws(RunFailure) {
    let storage = try folders.access.storage(folder)
    let page = try await inFolder(folder) { () throws(StorageError) in
      try await storage.listChanges(since: nil)
    }
    let all = page.present.filter {
      $0.problem == nil && ($0.tag == nil || $0.tag != known[$0.href])
    }
    .map(\.href)
    var parts = ReadInParts(all, of: storage)
    while let part = try await inFolder(
      folder, { () throws(StorageError) in try await parts.next() })
    {
      for outcome in part {
        if case .found(_, let data, _) = outcome.result { body(outcome.href, data) }
      }
    }
  }

  private func holds(_ uid: ItemID, _ data: ItemData) -> Bool {
    mayMention(uid.bytes, in: data.bytes)
      && CalendarObject(SyntaxTree(bytes: data.bytes)).uids.contains(uid.bytes)
  }
}

extension String {
  /// It may name an item's file, without its folder.
  var isItemFileName: Bool { hasItemEnding(utf8) && !contains("/") }
}
