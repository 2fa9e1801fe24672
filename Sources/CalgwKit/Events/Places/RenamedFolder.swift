import SQLiteJournal
import SyncModel

/// Folders whose new names a sync has followed, for who remembers the old ones.
enum RenamedFolder {
  /// So many times one name is left, and so many names lead from one to the next.
  static let mostNames = 100

  /// That a folder left its name for another one, and when a sync followed it.
  private struct Rename {
    var time: Instant
    var name: [UInt8]
  }

  /// Where the store of a pair keeps the names that folders have left a name for.
  static func storeKey(_ name: [UInt8]) -> String { "renamed folder \(nameText(name).text)" }

  /// Notes what the folders of a pair are called now.
  static func note(
    _ renames: [(old: [UInt8], new: [UInt8])], at time: Instant, in store: PairStore
  ) async throws(JournalError) {
    for rename in renames {
      let key = storeKey(rename.old)
      let all = decoded(try await store.value(key)) + [Rename(time: time, name: rename.new)]
      try await store.setValue(encoded(all.suffix(mostNames)), for: key)
    }
  }

  /// Who has had a name, in the order in which they left it.
  static func holders(of name: [UInt8], in store: PairStore) async -> [FormerHolder] {
    var holders: [FormerHolder] = []
    for rename in await renames(of: name, in: store) {
      var now = rename
      for _ in 1..<mostNames {
        let later = await renames(of: now.name, in: store).first { now.time < $0.time }
        guard let later else { break }
        now = later
      }
      holders.append(FormerHolder(until: rename.time, now: now.name))
    }
    return holders
  }

  private static func renames(of name: [UInt8], in store: PairStore) async -> [Rename] {
    decoded((try? await store.value(storeKey(name))) ?? nil)
  }

  // MARK: As they are stored

  /// `MILLISECONDS:NAME/` for each: no name of a folder has a slash.
  private static func encoded(_ renames: some Sequence<Rename>) -> [UInt8] {
    renames.flatMap { Array("\($0.time.milliseconds):".utf8) + $0.name + [UInt8(ascii: "/")] }
  }

  /// What cannot be read leads nowhere.
  private static func decoded(_ value: [UInt8]?) -> [Rename] {
    guard let value, value.last == UInt8(ascii: "/") else { return [] }
    return value.split(separator: UInt8(ascii: "/")).compactMap { part in
      guard let colon = part.firstIndex(of: UInt8(ascii: ":")),
        let time = Int64(String(decoding: part[..<colon], as: UTF8.self))
      else { return nil }
      return Rename(
        time: Instant(milliseconds: time), name: Array(part[part.index(after: colon)...]))
    }
  }
}

/// A folder that had a name, until it was renamed.
struct FormerHolder {
  /// When a sync followed it.
  var until: Instant
  /// What it is called now.
  var now: [UInt8]
}

extension [FormerHolder] {
  /// The present name of the folder that had the name at a time; nil: the one that has it still.
  func name(of time: Instant) -> [UInt8]? { first { time < $0.until }?.now }

  /// The present name of the only folder that has had the name and has left it; nil where there is
  /// none, or nobody can say which of several is meant.
  var name: [UInt8]? {
    guard let now = first?.now, allSatisfy({ $0.now == now }) else { return nil }
    return now
  }
}

/// A path that led to a folder of a pair once, or to one after the other.
struct FormerPath: Sendable {
  let path: [UInt8]
  /// With the slash at its end.
  private let parent: [UInt8]
  private let holders: [FormerHolder]

  /// The path by itself where no pair with renamed folders has it.
  init(_ path: [UInt8], _ holders: [FormerHolder] = []) {
    self.path = path
    self.holders = holders
    parent = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
  }

  /// The last part of it.
  var name: [UInt8] { Array(path[parent.count...]) }

  func isIn(_ directory: [UInt8]) -> Bool { parent == directory + [UInt8(ascii: "/")] }

  /// Where the folder is now that it led to at a time.
  func now(of time: Instant) -> [UInt8] { holders.name(of: time).map { parent + $0 } ?? path }

  /// Where the only folder is that it led to and leads to no more; nil where there is none.
  var now: [UInt8]? { holders.name.map { parent + $0 } }
}

extension Gateway {
  /// The folder that a path led to at a time, under the name that it has now.
  func folder(
    onceAt path: [UInt8], at time: Instant, _ office: EventOffice
  ) async throws(RunFailure) -> EventFolder {
    let former = await formerPath(path, office)
    do throws(RunFailure) {
      return try await office.finder.folders.folder(atPath: former.now(of: time))
    } catch {
      guard error.code == "no-such-folder" else { throw error }
      var failure = error
      failure.hint =
        "bring it back; or see the text with `calgw log --content`, and put it into another"
        + " calendar with `calgw import`"
      throw failure
    }
  }

  func formerPath(_ path: [UInt8], _ office: EventOffice) async -> FormerPath {
    await formerPaths([path], office).first ?? FormerPath(path)
  }

  /// What paths may have led to before folders of a pair were renamed. A pair's store is opened
  /// once, for all of them.
  func formerPaths(_ paths: [[UInt8]], _ office: EventOffice) async -> [FormerPath] {
    var former = paths.map { FormerPath($0) }
    for pair in configuration.pairs {
      guard case .directory(let root) = pair.local,
        let real = try? office.finder.folders.access.realPath(Array(root.utf8)),
        former.contains(where: { $0.isIn(real) }),
        let store = try? opener.openStore(of: pair.name, .look, notice: { _ in })
      else { continue }
      for index in former.indices where former[index].isIn(real) {
        let path = former[index]
        let holders = await RenamedFolder.holders(of: path.name, in: store)
        if !holders.isEmpty { former[index] = FormerPath(path.path, holders) }
      }
    }
    return former
  }
}
