public import SyncExecution
public import SyncModel

/// An item of a pair that a command line named.
public struct NamedItem: Sendable {
  public let pair: PairConfiguration
  public let collection: String
  public let uid: ItemID
  /// As reports name it.
  public let reported: ReportedItem
}

/// A file or a UID on a command line.
enum ItemName: Sendable {
  /// In a folder that a pair has, or would have where the other side is that calendar.
  case file(Href, in: EventFolder)
  case uid(ItemID)
}

/// A file on a command line, and the folder that it is in, or was.
struct NamedFile: Sendable {
  let href: Href
  let folder: EventFolder
  let isThere: Bool
}

extension Gateway {
  /// What FILE and UID arguments of `diff` name.
  func itemNames(_ arguments: [String]) async throws(RunFailure) -> [ItemName] {
    var names: [ItemName] = []
    for argument in arguments { names.append(try await itemName(argument)) }
    return names
  }

  /// What a FILE or a UID names. A file has to lie in a pair's folder; it need not be there any
  /// more. What is of that name in the current directory, and no item of a pair, hides no UID.
  func itemName(_ argument: String) async throws(RunFailure) -> ItemName {
    guard let file = await namedFile(argument) else { return .uid(ItemID(argument)) }
    let isOneName = !argument.contains("/")
    let isDirectory = OddFile(at: typedPath(argument)) == .directory
    if file.folder.pair != nil, !isOneName || !isDirectory || argument.isItemFileName {
      return .file(file.href, in: file.folder)
    }
    // A UID may have a slash in it.
    if file.isThere, !isOneName { throw await notSynced(argument) }
    return .uid(ItemID(argument))
  }

  /// Why no pair knows what a command line names: it may be a file of no pair.
  ///
  /// - Parameter missing: what there is to say else.
  func unknown(_ argument: String, _ missing: RunFailure) async -> RunFailure {
    guard let file = await namedFile(argument), file.isThere, file.folder.pair == nil else {
      return missing
    }
    return await notSynced(argument)
  }

  private func isSyncedFolder(_ argument: String) async -> Bool {
    guard OddFile(at: typedPath(argument)) == .directory else { return false }
    return (try? await office().finder.folders.folder(atPath: typedPath(argument)))?.pair != nil
  }

  /// Why a file is no item of a pair.
  func notSynced(_ file: String) async -> RunFailure {
    if await isSyncedFolder(file) {
      return .usage(
        "\(file) is a folder", hint: "name a file in it, or the UID of one of its items")
    }
    if let failure = onRemoteSide(file) { return failure }
    return .usage(
      "\(file) is in no folder that is synced",
      hint: "name a file in a pair's folder, or give --local and --remote")
  }

  /// Of a pair of two directories, commands go by the files of the local one.
  private func onRemoteSide(_ file: String) -> RunFailure? {
    let access = office().finder.folders.access
    let (directory, name) = parts(of: typedPath(file))
    guard let folder = try? access.realPath(directory) else { return nil }
    for pair in configuration.pairs {
      guard case .directory(let remote) = pair.remote, case .directory(let local) = pair.local,
        let there = try? access.realPath(Array(remote.utf8)), folder.starts(with: there),
        let here = try? access.realPath(Array(local.utf8))
      else { continue }
      let below = folder.dropFirst(there.count)
      guard below.isEmpty || below.first == UInt8(ascii: "/") else { continue }
      let twin: [UInt8] = here + Array(below) + [UInt8(ascii: "/")] + name
      let place = isThere(twin) ? "'\(nameText(twin).text)'" : "its file in \(nameText(here).text)"
      return .usage(
        "\(file) is on the remote side of the pair \(pair.name)",
        hint: "name \(place), on the local side, or its UID")
    }
    return nil
  }

  /// The file that an argument names, with its folder; nil where it names none.
  ///
  /// - Parameter orFormer: A name without a folder may also be that of a file that was there once.
  func namedFile(_ argument: String, orFormer: Bool = false) async -> NamedFile? {
    let path = typedPath(argument)
    let isThere = isThere(path)
    guard argument.contains("/") || isThere || orFormer && argument.isItemFileName else {
      return nil
    }
    let (directory, name) = parts(of: path)
    let finder = office().finder.folders
    guard let folder = try? await finder.folder(atPath: directory), !name.isEmpty else {
      return nil
    }
    return NamedFile(href: Href(name), folder: folder, isThere: isThere)
  }

  /// The pairs that names can be in; a UID can be in any.
  func targets(of names: [ItemName]) async throws(RunFailure) -> [PairTarget] {
    var arguments: [String] = []
    for name in names {
      guard case .file(_, let folder) = name, folder.pair != nil else { return try targets([]) }
      for own in await office().finder.folders.shared(folder) {
        guard let pair = own.pair else { continue }
        arguments.append(isAsFound(pair) ? pair : own.name)
      }
    }
    return try targets(arguments)
  }
}

extension ItemName {
  /// As it was written, for messages.
  var text: String {
    switch self {
    case .file(let href, let folder): "\(folder.name)/\(nameText(href.spelling).text)"
    case .uid(let uid): uid.text
    }
  }

  /// Whether it names an item of a collection. Of two folders that one pair might have, each may
  /// hold a file of that name.
  func names(_ pending: PendingItem, in collection: ViewedCollection) -> Bool {
    switch self {
    case .file(let href, _): isIn(collection) && collection.file(of: pending) == href
    case .uid(let uid): pending.item.uid == uid
    }
  }

  /// Whether it is a file in the folder of a collection.
  func isIn(_ collection: ViewedCollection) -> Bool {
    if case .file(_, let folder) = self { collection.folder == folder.path } else { false }
  }
}

extension Gateway {
  /// Whether a file is there, in step, in a folder that was looked at; one in a folder that is no
  /// collection is status 64.
  func isInStep(
    _ href: Href, in folder: EventFolder, _ viewed: [ViewedCollection]
  ) async throws(RunFailure) -> Bool {
    if let pair = folder.pair, isAsFound(pair),
      !viewed.contains(where: { $0.folder == folder.path })
    {
      throw await notSynced(folder.pathText(of: href))
    }
    return try await office().finder.item(named: href, in: folder) != nil
  }

  /// Whether the pair's directory is itself the collection or holds it, only the other side tells.
  private func isAsFound(_ pair: String) -> Bool {
    configuration.pairs.contains { $0.name == pair && $0.selection == .asFound }
  }
}
