import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

/// A version from before a split has the occurrences of all its parts: brought back, it doubles
/// those of the parts that are still there.
extension EventOffice {
  /// The files of other parts of the series that splits have made since a version.
  ///
  /// - Parameter later: the items that its successor names as other parts.
  func partsLeft(
    by version: ItemData, of uid: ItemID, naming later: Set<ItemID>, in folder: EventFolder
  ) async throws(RunFailure) -> [String] {
    var parts = later
    for file in try await finder.files(of: uid, in: folder) {
      // What cannot be read the restore itself tells of.
      if let now = try? await finder.item(named: file, in: folder) {
        parts.formUnion(siblings(in: now.data))
      }
    }
    parts.subtract(siblings(in: version))
    var files: [String] = []
    for part in parts.sorted() {
      files += try await finder.files(of: part, in: folder).map { folder.pathText(of: $0) }
    }
    return files
  }
}

extension EventOffice {
  /// The files in other folders that have an item: of the configuration, or of a pair. What cannot
  /// be looked at has none: it is for a note.
  func filesElsewhere(
    of uid: ItemID, than folder: EventFolder, _ pair: String? = nil
  ) async -> [String] {
    var files: [String] = []
    let folders = (try? await finder.folders.allFolders()) ?? []
    for other in folders where other.path != folder.path && other.pair == pair ?? other.pair {
      let found = (try? await finder.files(of: uid, in: other)) ?? []
      files += found.map { other.pathText(of: $0) }
    }
    return files
  }
}

extension Gateway {
  /// Says of an item that a restore of a pair's version has made where it is besides: in the other
  /// folders of the pair, or where it has none, as far as its journal knows. Where an event command
  /// has moved it, any folder may have it; without that, another pair's may be a copy, or another
  /// invitation to the same meeting.
  func noteElsewhere(
    _ uid: ItemID, of pair: PairConfiguration, in report: inout PairReport
  ) async {
    guard report.createsItems else { return }
    if let (name, folder) = report.folders.first {
      let isMoved = (try? await wasMovedByCommand(uid, outOf: name, of: pair)) ?? false
      let owner = isMoved ? nil : pair.name
      report.note(movedTo: await office().filesElsewhere(of: uid, than: folder, owner))
    } else if let name = report.collections.first?.name,
      let store = try? opener.openStore(pair, .look, notice: { _ in }),
      let other = await store.collection(sharing: uid, besides: name)
    {
      let place = "\(pair.name)/\(other)"
      report.note(
        "it may have been moved since: \(place) has an item of its UID, too",
        toRemove: "it there", uid.text, in: ["--in", place])
    }
  }

  /// The parts that are left of a version that a sync replaced; none where the local side is no
  /// directory, or the collection is not there under its name: it is a note, and the restore goes
  /// on without.
  func partsLeft(by kept: VersionToRestore, of pair: PairConfiguration) async -> [String] {
    let office = office()
    guard let folders = try? await office.finder.folders.folders(of: pair),
      let folder = folders.first(where: { $0.collection == kept.origin.name })
    else { return [] }
    let files = try? await office.partsLeft(
      by: kept.text, of: kept.uid, naming: kept.laterParts, in: folder)
    return files ?? []
  }
}

extension PairReport {
  /// Says of each part that is left what removes it.
  mutating func note(partsLeft files: [String]) {
    for file in files {
      noteTwice("the series was split since, and what \(file) has of it", removing: file)
    }
  }

  /// An item came back that was in no file of its folder any more.
  var createsItems: Bool {
    collections.contains { $0.actions.contains { $0.kind == .create && $0.side == .local } }
  }

  /// The log has what was replaced or removed, so it has nothing by which an item goes again that a
  /// restore has made: whoever did not mean it is told what removes it.
  mutating func noteMadeByRestore() {
    if isDryRun { return }
    for collection in collections {
      let actions = collection.actions
      // What the other side had of it instead is in the log.
      guard actions.allSatisfy({ $0.kind == .create }),
        let made = actions.first(where: { $0.side == .local }), let uid = made.item.uid
      else { continue }
      let folder = folders[collection.name]
      let file = made.item.file.flatMap { file in folder.map { $0.pathText(of: file) } }
      let title = made.item.summary.isEmpty ? uid.text : made.item.summary
      note(
        "\"\(visibleText(title, limit: 60))\" was not there any more, so the log has nothing by"
          + " which this is undone",
        toRemove: "it again", file ?? uid.text,
        in: file == nil ? ["--in", "\(pair)/\(collection.name)"] : [])
    }
  }

  /// Says of an item that was moved away, and is brought back, where it is besides.
  mutating func note(movedTo files: [String]) {
    for file in files {
      note("it was moved since, and \(file) has it, too", toRemove: "it there", file)
    }
  }

  /// The same of parts that a sync has carried over, though the series holds as it was, or was
  /// split on the other side, too.
  ///
  /// - Parameter collection: its name.
  mutating func note(doubled parts: [ItemID: DoubledPart], in collection: String) {
    for (uid, part) in parts.sorted(by: { $0.key < $1.key }) {
      let name = visibleText(part.title.isEmpty ? uid.text : part.title, limit: 60)
      let what =
        part.isOfTwoSplits
        ? "both sides have split the series" : "the version of the series that holds is not split"
      noteTwice(
        "\(what), and what \"\(name)\" has of it", removing: uid.text,
        in: ["--in", "\(pair)/\(collection)"])
    }
  }

  private mutating func noteTwice(_ what: String, removing part: String, in place: [String] = []) {
    note("\(what) is there twice", toRemove: "that part", part, in: place)
  }

  /// Says what is there once too often, and how to remove it.
  ///
  /// - Parameter place: the collection in which the command is to look for the item, unless that is
  ///   a file.
  mutating func note(
    _ what: String, toRemove name: String, _ item: String, in place: [String] = []
  ) {
    guard hasFolders || place.isEmpty else {
      notices += [what, "to remove \(name), delete it on either side"]
      return
    }
    let command = shellCommand("delete", options: ["--span", "all"] + place, argument: item)
    notices += [what, "to remove \(name): `\(command)`"]
  }
}
