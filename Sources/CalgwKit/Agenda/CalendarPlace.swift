import Glibc
import SyncModel
import VdirStorage

/// Where events are to be read from.
struct CalendarPlace: Sendable {
  /// Absolute.
  var path: [UInt8]
  /// A folder of items; else a file that the command line names: links to it are followed, and its
  /// name may be any.
  var isFolder: Bool
  /// What the folder's metadata say.
  var title: String?
  var color: String?
  /// The folder, where it was opened already.
  var reader: FolderReader?

  /// The path for people.
  var text: String { nameText(path).text }
}

/// Finds what the arguments of a reading command name.
struct PlaceFinder {
  let environment: ProcessEnvironment
  /// Nil where there is none; loaded when it is needed.
  let configuration: () throws(RunFailure) -> Configuration?

  /// The places in the order of the arguments, each once, and what is not there. Without an
  /// argument all calendars of all pairs.
  func places(_ arguments: [String]) async throws(RunFailure) -> (
    places: [CalendarPlace], failures: [RunFailure]
  ) {
    var places: [CalendarPlace] = []
    var failures: [RunFailure] = []
    if arguments.isEmpty {
      guard let configuration = try configuration() else {
        throw .usage(
          "there is no configuration, so say what to read",
          hint: "name a folder or file, or run `calgw init`")
      }
      for target in try configuration.targets([]) {
        await add(target, to: &places, &failures)
      }
    }
    for argument in arguments {
      if let target = try pair(argument) {
        await add(target, to: &places, &failures)
      } else {
        do throws(RunFailure) {
          places += try await self.places(at: argument)
        } catch {
          failures.append(error)
        }
      }
    }
    var seen: Set<[UInt8]> = []
    let files = LinuxFileSystem()
    return (
      places.filter { seen.insert((try? files.realPath($0.path)) ?? $0.path).inserted }, failures
    )
  }

  // MARK: Pairs

  /// The pair that an argument names; nil where it is a path.
  private func pair(_ argument: String) throws(RunFailure) -> PairTarget? {
    guard let first = argument.first, !"/.~".contains(first) else { return nil }
    let isThere = access(absolutePath(argument), F_OK) == 0
    let known: Configuration?
    do throws(RunFailure) {
      known = try configuration()
    } catch {
      // A file can be read whatever is wrong with the configuration.
      guard isThere else { throw error }
      known = nil
    }
    guard let known else { return nil }
    let name = String(argument.prefix { $0 != "/" })
    let isPair = known.pairs.contains { $0.name == name }
    // What looks like the name of a file is none of a pair.
    if !isPair, isThere || argument.contains("/") || argument.hasSuffix(".ics") { return nil }
    return try known.targets([argument]).first
  }

  private func add(
    _ target: PairTarget, to places: inout [CalendarPlace], _ failures: inout [RunFailure]
  ) async {
    do throws(RunFailure) {
      places += try await self.places(of: target)
    } catch {
      failures.append(error)
    }
  }

  private func places(of target: PairTarget) async throws(RunFailure) -> [CalendarPlace] {
    guard case .directory(let path) = target.pair.local else {
      throw .usage(
        "pair \(target.pair.name) has no folder on its local side",
        hint: "events are read from folders; name a folder")
    }
    let place = "pair \(target.pair.name)"
    let found: [CollectionDescription]
    do throws(StorageError) {
      found = try await collections(of: target.pair, at: path)
    } catch {
      throw RunFailure(error, place: place)
    }
    let names = found.map(\.name)
    for name in (target.collections ?? []).sorted() where !names.contains(name) {
      throw .usage(
        "\(place) has no collection \"\(name)\"",
        hint: suggestion(for: name, among: names, what: "collections"))
    }
    return found.filter { target.collections?.contains($0.name) ?? true }
      .map { folder($0, in: path) }
  }

  /// The folders that the pair's rules select, by what is known of them here.
  private func collections(of pair: PairConfiguration, at path: String) async throws(StorageError)
    -> [CollectionDescription]
  {
    let root = try VdirRoot.open(path: Array(path.utf8), access: .forReading)
    switch pair.selection {
    case .calendar: return [try await root.describeItself()]
    case .asFound: return try await root.listCollections()
    case .collections(let list):
      let rules = CollectionRules(list)
      return try await root.listCollections().filter { collection in
        rules.maps.contains { $0.local == collection.name } || rules.select(collection.names)
      }
    }
  }

  private func folder(_ collection: CollectionDescription, in path: String) -> CalendarPlace {
    let isItself = collection.href == VdirRoot.itself
    return CalendarPlace(
      path: Array(path.utf8) + (isItself ? [] : Array("/".utf8) + collection.href.spelling),
      isFolder: true, title: collection.displayName, color: collection.color)
  }

  // MARK: Paths

  private func absolutePath(_ path: String) -> String {
    normalPath(path.first == "/" ? path : environment.workingDirectory + "/" + path)
  }

  /// A file, a folder of items, or a folder of such folders.
  private func places(at argument: String) async throws(RunFailure) -> [CalendarPlace] {
    let path = absolutePath(argument)
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return [CalendarPlace(path: Array(path.utf8), isFolder: false)]
    }
    let reader: FolderReader
    do throws(FileError) {
      reader = try FolderReader(path: Array(path.utf8))
    } catch {
      throw Self.unreadable(path, error.code)
    }
    do throws(StorageError) {
      let root = try VdirRoot.open(path: Array(path.utf8), access: .forReading)
      let hasItems = !reader.names.isEmpty || !reader.others.isEmpty
      if !hasItems, !reader.folders.isEmpty {
        return try await root.listCollections().map { folder($0, in: path) }
      }
      var place = folder(try await root.describeItself(), in: path)
      place.reader = reader
      return [place]
    } catch {
      throw RunFailure(error, place: path)
    }
  }

  static func unreadable(_ path: String, _ code: Int32) -> RunFailure {
    let isMissing = code == ENOENT || code == ENOTDIR
    return RunFailure(
      isMissing ? .missingInput : .attention, code: isMissing ? "no-such-file" : "unreadable",
      message: isMissing ? "there is no such file or folder" : "it cannot be read",
      place: path, why: isMissing ? "" : SystemError(code).text,
      hint: isMissing ? "check the name" : "check its permissions")
  }
}

extension VdirAccess {
  /// For who only looks.
  static var forReading: VdirAccess { VdirAccess(digest: liveDigest, surroundings: .live) }
}
