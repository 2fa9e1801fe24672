import Glibc
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
  /// In the folder of a pair's collection.
  case file(Href, pair: String, collection: String)
  case uid(ItemID)
}

/// A file on a command line, and the folder that it is in, or was.
struct NamedFile: Sendable {
  let href: Href
  let folder: EventFolder
  let isThere: Bool
}

extension Gateway {
  /// What FILE and UID arguments of `diff` and `resolve` name. A file has to lie in a pair's
  /// folder; it need not be there any more.
  func itemNames(_ arguments: [String]) async throws(RunFailure) -> [ItemName] {
    var names: [ItemName] = []
    for argument in arguments { names.append(try await itemName(argument)) }
    return names
  }

  private func itemName(_ argument: String) async throws(RunFailure) -> ItemName {
    guard let file = await namedFile(argument) else { return .uid(ItemID(argument)) }
    guard let pair = file.folder.pair, let collection = file.folder.collection else {
      throw notSynced(argument)
    }
    return .file(file.href, pair: pair, collection: collection)
  }

  /// Why a file is no item of a pair.
  func notSynced(_ file: String) -> RunFailure {
    .usage(
      "\(file) is in no folder that is synced",
      hint: "name a file in a pair's folder, or give --local and --remote")
  }

  /// The file that an argument names, with its folder; nil where it names none.
  func namedFile(_ argument: String) async -> NamedFile? {
    var status = stat()
    let isThere = lstat(argument, &status) == 0
    guard argument.contains("/") || isThere else { return nil }
    let path = Array(argument.utf8)
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { Array(path[($0 + 1)...]) } ?? path
    let directory = slash.map { Array(path[...$0]) } ?? [UInt8(ascii: ".")]
    let finder = office().finder.folders
    // A UID may have a slash in it.
    guard let folder = try? await finder.folder(atPath: directory), !name.isEmpty else {
      return nil
    }
    return NamedFile(href: Href(name), folder: folder, isThere: isThere)
  }

  /// The pairs that names can be in; a UID can be in any.
  func targets(of names: [ItemName]) throws(RunFailure) -> [PairTarget] {
    var arguments: [String] = []
    for name in names {
      guard case .file(_, let pair, let collection) = name else { return try targets([]) }
      arguments.append("\(pair)/\(collection)")
    }
    return try targets(arguments)
  }
}

extension ItemName {
  /// As it was written, for messages.
  var text: String {
    switch self {
    case .file(let href, let pair, let collection): "\(pair)/\(collection)/\(href.text)"
    case .uid(let uid): uid.text
    }
  }

  /// Whether it names an item of a collection.
  func names(_ item: ReportedItem, pair: String, collection: String) -> Bool {
    switch self {
    case .file(let href, pair, collection): item.file == href
    case .file: false
    case .uid(let uid): item.uid == uid
    }
  }
}
