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
      notices += await office.finishEdits(in: path, memory)
    }
    await memory.close()
    return notices.sorted()
  }
}

extension EventOffice {
  /// Finishes or undoes what a killed event command left half done in a folder that the memory has.
  /// Gives what a person should know; what fails here the next command does.
  fileprivate func finishEdits(in path: [UInt8], _ memory: EditMemory) async -> [String] {
    guard let journal = try? await memory.journal(of: path),
      let open = try? await journal.openIntents(), !open.isEmpty,
      let folder = try? await finder.folders.folder(atPath: path),
      let storage = try? finder.folders.access.storage(folder)
    else { return [] }
    let desk = EditDesk(
      storage: storage, journal: journal, digest: liveDigest, surroundings: surroundings)
    return ((try? await desk.finish()) ?? []).map { $0.text(in: folder) }
  }

  /// The same before an item comes into a folder, which needs no memory of edits: where there is
  /// none, or another command has it, there is nothing to finish here.
  func finishEdits(in folder: EventFolder) async {
    guard let memory = await EditMemory.openIfFree(configuration, surroundings) else { return }
    let known = (try? await memory.folders()) ?? [:]
    if known.values.contains(folder.path) {
      for text in await finishEdits(in: folder.path, memory) { notice(text) }
    }
    await memory.close()
  }
}

extension [UInt8] {
  /// A path is a directory's, or below it.
  fileprivate func isAtOrBelow(_ directory: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return split(separator: slash).starts(with: directory.split(separator: slash)) { $0 == $1 }
  }
}
