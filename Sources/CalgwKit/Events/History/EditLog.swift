import Glibc
import SQLiteJournal
import SyncModel

/// What event commands replaced, in `log` and `restore`.
extension Gateway {
  /// The ids of such versions: no pair is needed to find them.
  private static let idPrefix = "edit-"

  /// Event commands have replaced something in this state directory.
  public var hasEditHistory: Bool {
    access(EditMemory.file(in: configuration.stateDirectory), F_OK) == 0
  }

  /// The versions that event commands replaced, newest first. Nothing is written, and no lock is
  /// needed.
  func editVersions(uid: ItemID?, _ texts: LogTexts) async throws(RunFailure) -> [KeptVersion] {
    guard hasEditHistory else { return [] }
    let store = try openEditCopy()
    let office = office()
    let found = try await office.remembered { () throws(JournalError) in
      try await Self.read(store, uid: uid, texts)
    }
    let folders = Dictionary(
      found.records.map { ($0.identity.name, $0.folder) }, uniquingKeysWith: { first, _ in first })
    let names = Set(found.versions.map(\.collection)).sorted()
    let former = await formerPaths(names.map { folders[$0] ?? [] }, office)
    let paths = Dictionary(zip(names, former), uniquingKeysWith: { first, _ in first })
    var places: [[UInt8]: EventFolder] = [:]
    var versions: [KeptVersion] = []
    for var version in found.versions {
      guard let path = paths[version.collection]?.now(of: version.entry.time) else { continue }
      let folder =
        if let known = places[path] { known } else { await folder(known: path, office) }
      places[path] = folder
      // A pair without a configuration has its own folders alone.
      guard folder.pair != nil || !configuration.isAdhoc else { continue }
      (version.pair, version.collection) = folder.place
      versions.append(version)
    }
    return versions
  }

  private static func read(_ store: PairStore, uid: ItemID?, _ texts: LogTexts)
    async throws(JournalError) -> (records: [CollectionRecord], versions: [KeptVersion])
  {
    var versions: [KeptVersion] = []
    for entry in try await store.history(of: uid) {
      let version = KeptVersion(
        id: idPrefix + String(entry.recorded.number), pair: "", collection: entry.collection,
        entry: entry.recorded.entry)
      versions.append(try await texts.added(to: version, from: store))
    }
    return (try await store.collections(), versions)
  }

  func openEditCopy() throws(RunFailure) -> PairStore {
    do throws(JournalError) {
      let path = EditMemory.file(in: configuration.stateDirectory)
      return try PairStore.openCopy(path: path, digest: liveDigest).store
    } catch {
      throw RunFailure(error, place: EditMemory.directory(in: configuration.stateDirectory))
    }
  }

  /// The number of a version that an event command replaced; nil for a sync's.
  func editNumber(_ id: String) -> Int64? {
    id.hasPrefix(Self.idPrefix) ? Int64(id.dropFirst(Self.idPrefix.count)) : nil
  }
}

extension Gateway {
  /// The folder of a path, be it gone or not.
  func folder(known path: [UInt8], _ office: EventOffice) async -> EventFolder {
    let there = try? await office.finder.folders.folder(atPath: path)
    return there ?? EventFolder(path: path, pair: nil, collection: nil)
  }
}

extension EventFolder {
  /// The pair and the collection, or for another folder the directory above it and its name: what
  /// `PAIR/COLLECTION` is made of in `log`.
  var place: (String, String) {
    if let pair, let collection { return (pair, collection) }
    let text = pathText
    guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else { return ("", text) }
    return (String(text[..<slash]), String(text[text.index(after: slash)...]))
  }
}

extension Configuration {
  /// It is that of a pair on the command line.
  var isAdhoc: Bool { pairs.contains { $0.name.hasPrefix("adhoc-") } }
}
