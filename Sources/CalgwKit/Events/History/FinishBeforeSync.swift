import SQLiteJournal
import SyncModel
import VdirStorage

extension Gateway {
  /// Finishes or undoes the edits that killed event commands left half done in the folders of a
  /// pair, before a run looks at them. Gives what a person should know.
  ///
  /// A command that is editing just now finishes its own work. What fails here does not stop the
  /// run: a series that is split half-way is there whole, and some of it twice.
  func finishEdits(of pair: PairConfiguration) async -> [String] {
    guard let memory = await EditMemory.openIfFree(configuration, surroundings) else { return [] }
    var notices: [String] = []
    let office = office()
    let roots = [pair.local, pair.remote].compactMap { side -> [UInt8]? in
      guard case .directory(let path) = side else { return nil }
      return try? office.finder.folders.access.realPath(Array(path.utf8))
    }
    let known = (try? await memory.folders()) ?? [:]
    for path in known.values where roots.contains(where: { path.isAtOrBelow($0) }) {
      guard let journal = try? await memory.journal(of: path),
        let open = try? await journal.openIntents(), !open.isEmpty,
        let folder = try? await office.finder.folders.folder(atPath: path),
        let storage = try? office.finder.folders.access.storage(folder)
      else { continue }
      let desk = EditDesk(
        storage: storage, journal: journal, digest: liveDigest, surroundings: surroundings)
      notices += ((try? await desk.finish()) ?? []).map { $0.text(in: folder) }
    }
    await memory.close()
    return notices.sorted()
  }
}

extension [UInt8] {
  /// A path is a directory's, or below it.
  fileprivate func isAtOrBelow(_ directory: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return split(separator: slash).starts(with: directory.split(separator: slash)) { $0 == $1 }
  }
}
