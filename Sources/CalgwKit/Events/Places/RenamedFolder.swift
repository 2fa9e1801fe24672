import SQLiteJournal
import SyncModel

/// Folders whose new names a sync has followed, for who remembers the old ones.
enum RenamedFolder {
  /// Names that lead from one to the next.
  static let mostNames = 100

  /// Where the store of a pair keeps the name that a folder of it has got since.
  static func storeKey(_ name: [UInt8]) -> String { "renamed folder \(nameText(name).text)" }

  /// Notes what the folders of a pair are called now. Of a name that two folders had one after the
  /// other, nobody can say which is meant: it leads nowhere any more.
  static func note(
    _ renames: [(old: [UInt8], new: [UInt8])], in store: PairStore
  ) async throws(JournalError) {
    for rename in renames {
      let former = try await store.value(storeKey(rename.old))
      try await store.setValue(former == nil ? rename.new : [], for: storeKey(rename.old))
    }
    // Whatever has a name now is what that name means.
    for rename in renames { try await store.setValue(nil, for: storeKey(rename.new)) }
  }
}

extension RenamedFolder {
  /// The names that a folder has got since it had one, in their order.
  static func names(since name: [UInt8], in store: PairStore) async -> [[UInt8]] {
    var names = [name]
    while names.count <= mostNames {
      guard let last = names.last, let next = try? await store.value(storeKey(last)),
        !next.isEmpty
      else { break }
      names.append(next)
    }
    return Array(names.dropFirst())
  }
}

extension Gateway {
  /// The folder that a path led to once: where it is gone and a sync has followed it to another
  /// name, that one.
  func folder(onceAt path: [UInt8], _ office: EventOffice) async throws(RunFailure) -> EventFolder {
    do throws(RunFailure) {
      return try await office.finder.folders.folder(atPath: path)
    } catch {
      guard error.code == "no-such-folder" else { throw error }
      if let found = await renamed(path, office) { return found }
      var failure = error
      failure.hint =
        "bring it back; or see the text with `calgw log --content`, and put it into another"
        + " calendar with `calgw import`"
      throw failure
    }
  }

  /// Nil where a sync has followed the folder of a path to no other name that is there.
  func renamed(_ path: [UInt8], _ office: EventOffice) async -> EventFolder? {
    let slash = UInt8(ascii: "/")
    guard let end = path.lastIndex(of: slash) else { return nil }
    let folders = office.finder.folders
    for pair in configuration.pairs {
      guard case .directory(let root) = pair.local,
        let real = try? folders.access.realPath(Array(root.utf8)), real == Array(path[..<end]),
        let store = try? opener.openStore(of: pair.name, .look, notice: { _ in })
      else { continue }
      for name in await RenamedFolder.names(since: Array(path[(end + 1)...]), in: store) {
        if let found = try? await folders.folder(atPath: real + [slash] + name) { return found }
      }
    }
    return nil
  }
}
