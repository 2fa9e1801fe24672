import SyncModel
import VdirStorage

/// Finds the folders that command lines name, and those of the configured pairs.
struct FolderFinder: Sendable {
  let configuration: Configuration
  let access: FolderAccess

  /// The folder of a path, with the pair that has it.
  func folder(atPath path: [UInt8]) async throws(RunFailure) -> EventFolder {
    let real = try access.realPath(path)
    for pair in configuration.pairs {
      guard let root = root(of: pair) else { continue }
      if let folder = EventFolder(real, in: pair, root: root) { return folder }
    }
    return EventFolder(path: real, pair: nil, collection: nil)
  }

  /// What `--in` and the like name: `PAIR/COLLECTION`, `PAIR` if it has one collection, or a
  /// directory. A pair's name comes first; `./NAME` is always a directory.
  func folder(named text: String) async throws(RunFailure) -> EventFolder {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let pair = configuration.pairs.first { $0.name == parts[0] }
    guard let pair else { return try await directory(text) }
    guard pair.hasFolders else { throw .noFolder(of: pair.name) }
    let folders = try await folders(of: pair)
    let wanted = parts.count == 2 ? String(parts[1]) : ""
    let found = folders.named(wanted)
    // Two folders may differ in how their names spell a letter with a mark.
    let exact = found.first { $0.collection?.utf8.elementsEqual(wanted.utf8) ?? false }
    if let one = exact ?? found.first { return one }
    if wanted.isEmpty, let only = folders.first, folders.count == 1 { return only }
    let names = folders.compactMap(\.collection)
    guard !wanted.isEmpty else {
      throw .usage(
        "pair \(pair.name) has \(names.count) collections: say which",
        hint: names.isEmpty
          ? "run `calgw sync \(pair.name)` to have them made"
          : "name one: " + names.map { "\(pair.name)/\($0)" }.joined(separator: ", "))
    }
    if let directory = try? await directory(text) { return directory }
    throw .usage(
      "pair \(pair.name) has no collection \"\(wanted)\"",
      hint: suggestion(for: wanted, among: names, what: "collections"))
  }

  private func directory(_ text: String) async throws(RunFailure) -> EventFolder {
    do throws(RunFailure) {
      let folder = try await folder(atPath: typedPath(text))
      if folder.pair == nil { try await checkNoRoot(folder) }
      return folder
    } catch {
      guard error.code == "no-such-folder", !text.contains("/"), !configuration.pairs.isEmpty
      else { throw error }
      throw RunFailure(
        .missingInput, code: error.code, message: "there is no pair and no folder \"\(text)\"",
        hint: suggestion(for: text, among: configuration.pairs.map(\.name), what: "pairs"))
    }
  }

  /// The directory of a pair holds its collections, and is none: what is put there goes nowhere.
  private func checkNoRoot(_ folder: EventFolder) async throws(RunFailure) {
    guard let pair = configuration.pairs.first(where: { root(of: $0) == folder.path }) else {
      return
    }
    let names = ((try? await folders(of: pair)) ?? []).compactMap(\.collection)
    throw .usage(
      "\(folder.name) holds the collections of the pair \(pair.name), and is none itself",
      hint: names.isEmpty
        ? "make a folder in it, and name that"
        : "name one: " + names.map { "\(pair.name)/\($0)" }.joined(separator: ", "))
  }

  /// The folders of every pair's local side, in the order of the configuration. A pair whose
  /// folder is not there has none.
  func allFolders() async throws(RunFailure) -> [EventFolder] {
    var result: [EventFolder] = []
    for pair in configuration.pairs { add(try await folders(of: pair), to: &result) }
    return result
  }

  /// The same for who looks for one item: a pair whose folder cannot be read hides no other, and
  /// is told of.
  func foldersToSearch() async throws(RunFailure) -> (
    folders: [EventFolder], unread: [RunFailure]
  ) {
    var result: [EventFolder] = []
    var unread: [RunFailure] = []
    for pair in configuration.pairs {
      do throws(RunFailure) {
        try checkReadable(pair)
        add(try await folders(of: pair), to: &result)
      } catch {
        guard error.status == .io else { throw error }
        unread.append(error)
      }
    }
    return (result, unread)
  }

  /// Two pairs may share a folder; its items are there once.
  private func add(_ folders: [EventFolder], to result: inout [EventFolder]) {
    for folder in folders where !result.contains(where: { $0.path == folder.path }) {
      result.append(folder)
    }
  }

  /// Fails where the local side of a pair is there and may not be read.
  func checkReadable(_ pair: PairConfiguration) throws(RunFailure) {
    guard case .directory(let path) = pair.local else { return }
    do throws(RunFailure) {
      _ = try access.realPath(Array(path.utf8))
    } catch {
      guard error.status == .io else { return }
      var error = error
      error.place = "pair \(pair.name)"
      throw error
    }
  }

  /// A folder once for each pair that has it; as it is where none is known to.
  func shared(_ folder: EventFolder) async -> [EventFolder] {
    var result: [EventFolder] = []
    for pair in configuration.pairs {
      result += ((try? await folders(of: pair)) ?? []).filter { $0.path == folder.path }
    }
    return result.isEmpty ? [folder] : result
  }

  /// The folders of a pair's local side; none where that is not there.
  func folders(of pair: PairConfiguration) async throws(RunFailure) -> [EventFolder] {
    guard let root = root(of: pair) else { return [] }
    if pair.isOneFolder { return [EventFolder(root, in: pair, root: root)].compactMap { $0 } }
    do throws(StorageError) {
      let vdir = try VdirRoot.open(path: root, access: access.vdir)
      let mapped = pair.mappedNames
      return try await vdir.listCollections()
        .filter { mapped.contains($0.name) || pair.selects($0.names) }
        .compactMap {
          EventFolder(root + [UInt8(ascii: "/")] + $0.href.spelling, in: pair, root: root)
        }
    } catch {
      throw RunFailure(error, place: "pair \(pair.name)")
    }
  }

  /// The real path of a pair's local side; nil where that is no directory, or not there.
  private func root(of pair: PairConfiguration) -> [UInt8]? {
    guard case .directory(let path) = pair.local else { return nil }
    return try? access.realPath(Array(path.utf8))
  }
}

extension EventFolder {
  /// The folder as a collection of a pair; nil where it is none. Of a pair on a command line the
  /// directory itself may be one, or those in it: only the other side tells, so whoever means one
  /// collection compares the path with that of its folder.
  fileprivate init?(_ path: [UInt8], in pair: PairConfiguration, root: [UInt8]) {
    let parts = path.split(separator: UInt8(ascii: "/"))
    let above = root.split(separator: UInt8(ascii: "/"))
    if pair.isOneFolder || (pair.selection == .asFound && parts == above) {
      guard parts == above else { return nil }
    } else {
      guard parts.dropLast().elementsEqual(above), parts.count == above.count + 1,
        parts.last?.first != UInt8(ascii: ".")
      else { return nil }
    }
    let last = parts.last.map { String(decoding: $0, as: UTF8.self) } ?? "/"
    self.init(path: path, pair: pair.name, collection: last)
  }
}

extension PairConfiguration {
  /// The local side is a directory.
  var hasFolders: Bool {
    if case .directory = local { true } else { false }
  }

  /// The local directory is itself the one collection.
  fileprivate var isOneFolder: Bool {
    if case .calendar = selection { true } else { false }
  }

  /// Names of folders that `collections` maps to remote ones.
  fileprivate var mappedNames: Set<String> {
    guard case .collections(let rules) = selection else { return [] }
    return Set(CollectionRules(rules).maps.map(\.local))
  }

  fileprivate func selects(_ names: [String]) -> Bool {
    guard case .collections(let rules) = selection else { return true }
    return CollectionRules(rules).select(names)
  }
}

extension RunFailure {
  /// Both sides of a pair are servers, and there is nothing to read events from.
  static func noFolder(of pair: String) -> RunFailure {
    .usage(
      "pair \(pair) has no folder on its local side",
      hint: "events are read from folders, and written to them; name a folder")
  }
}
