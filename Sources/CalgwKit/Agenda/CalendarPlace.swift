import Glibc
import SyncModel
import VdirStorage

/// Where events are to be read from.
struct CalendarPlace: Sendable {
  /// Absolute, the folder's without symbolic links.
  var path: [UInt8]
  /// A folder of items; else a file that the command line names: links to it are followed, and its
  /// name may be any.
  var isFolder: Bool
  /// What the folder is called; nil where no other name than the path's was typed.
  var name: [UInt8]?
  /// What the folder's metadata say.
  var title: String?
  var color: String?
  /// The folder, where it was opened already.
  var reader: FolderReader?
  /// Folders in it that are called like items, and are calendars of their own.
  var calendarsInside: Set<FileName> = []

  /// The path for people.
  var text: String { nameText(path).text }
}

/// Finds what the arguments of a reading command name.
struct PlaceFinder {
  let environment: ProcessEnvironment
  /// Without a pair where there is no file; loaded when it is needed.
  let configuration: () throws(RunFailure) -> Configuration

  /// The places in the order of the arguments, each once, and what is not there or cannot be
  /// opened. Without an argument all calendars of all pairs.
  func places(_ arguments: [String]) async throws(RunFailure) -> (
    places: [CalendarPlace], failures: [RunFailure]
  ) {
    var places: [CalendarPlace] = []
    var failures: [RunFailure] = []
    if arguments.isEmpty {
      let configuration = try configuration()
      guard !configuration.pairs.isEmpty else {
        throw .usage(
          "no pair is configured, so say what to read",
          hint: "name a folder or a file, or run `calgw init`")
      }
      let targets = try configuration.targets([])
      // A pair of two servers has nothing to be read, which matters where it alone is meant.
      let readable = targets.filter { if case .directory = $0.pair.local { true } else { false } }
      for target in readable.isEmpty ? targets : readable {
        await add(target, configuration, to: &places, &failures)
      }
    }
    for argument in arguments {
      if let (target, configuration) = try pair(argument) {
        await add(target, configuration, to: &places, &failures)
      } else {
        do throws(RunFailure) {
          try await add(argument, to: &places, &failures)
        } catch {
          failures.append(error)
        }
      }
    }
    // Where the rest is printed, it is as with a file that cannot be read.
    if !places.isEmpty {
      for index in failures.indices where failures[index].status == .io {
        failures[index].status = .attention
      }
    }
    return (distinct(places), failures)
  }

  /// Each folder once, and no file that its folder has already.
  private func distinct(_ places: [CalendarPlace]) -> [CalendarPlace] {
    let folders = Set(places.filter(\.isFolder).map { Self.real($0.path) })
    var seen: Set<[UInt8]> = []
    return places.filter { place in
      let path = Self.real(place.path)
      let end = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
      let isInFolder = !place.isFolder && folders.contains(Array(path[..<end]))
      let isItem = hasItemEnding(path)
      return seen.insert(path).inserted && !(isInFolder && isItem)
    }
  }

  // MARK: Pairs

  /// The pair that an argument names; nil where it is a path.
  private func pair(_ argument: String) throws(RunFailure) -> (PairTarget, Configuration)? {
    // As a path it would be the directory that one is in, which nobody named.
    guard let first = argument.first else {
      throw .usage("the name of what to read is empty", hint: "name a pair, a folder or a file")
    }
    if "/.~".contains(first) { return nil }
    let path = try? environment.absolutePath(argument)
    let isThere = path.map { access(cPath(typedPath($0)), F_OK) == 0 } ?? false
    let known: Configuration
    do throws(RunFailure) {
      known = try configuration()
    } catch {
      // A file can be read whatever is wrong with the configuration.
      guard isThere else { throw error }
      return nil
    }
    let name = String(argument.prefix { $0 != "/" })
    let isPair = known.pairs.contains { $0.name == name }
    // What looks like the name of a file is none of a pair.
    let looksLikePath = isThere || argument.contains("/") || hasItemEnding(argument.utf8)
    guard isPair || !looksLikePath && !known.pairs.isEmpty else { return nil }
    return try known.targets([argument]).first.map { ($0, known) }
  }

  private func add(
    _ target: PairTarget, _ configuration: Configuration, to places: inout [CalendarPlace],
    _ failures: inout [RunFailure]
  ) async {
    do throws(RunFailure) {
      for folder in try await folders(of: target, configuration) {
        await add(folder.path, text: folder.name, to: &places, &failures)
      }
    } catch {
      failures.append(error)
    }
  }

  private func folders(of target: PairTarget, _ configuration: Configuration)
    async throws(RunFailure) -> [EventFolder]
  {
    let name = target.pair.name
    guard case .directory(let path) = target.pair.local else {
      throw .noFolder(of: name)
    }
    guard access(path, F_OK) == 0 else {
      throw RunFailure(
        .attention, code: "no-such-folder", message: "the folder of pair \(name) is not there",
        place: path,
        hint: "mount its disk, or bring it back; where it never was, run `calgw sync \(name)` to"
          + " have it made")
    }
    let finder = FolderFinder(
      configuration: configuration, access: FolderAccess(vdir: .forReading))
    try finder.checkReadable(target.pair)
    let folders = try await finder.folders(of: target.pair)
    return try folders.named(by: target)
  }

  /// One of several folders: one that cannot be opened hides no other.
  private func add(
    _ path: [UInt8], text: String, to places: inout [CalendarPlace],
    _ failures: inout [RunFailure]
  ) async {
    do throws(RunFailure) {
      places.append(try await place(path, text: text))
    } catch {
      failures.append(error)
    }
  }

  /// A folder with what its metadata say.
  private func place(_ path: [UInt8], text: String) async throws(RunFailure) -> CalendarPlace {
    do throws(StorageError) {
      let folder = try await VdirRoot.open(path: path, access: .forReading).describeItself()
      return CalendarPlace(
        path: path, isFolder: true, title: folder.displayName, color: folder.color)
    } catch {
      throw RunFailure(error, place: text)
    }
  }

  // MARK: Paths

  /// Without symbolic links, as far as they can be followed.
  private static func real(_ path: [UInt8]) -> [UInt8] {
    (try? LinuxFileSystem().realPath(path)) ?? path
  }

  /// The file itself may be a link: it is called as it was named.
  private static func inRealFolder(_ file: [UInt8]) -> [UInt8] {
    let (directory, name) = parts(of: file)
    return EventFolder(path: real(directory), pair: nil, collection: nil).filePath(of: Href(name))
  }

  private func absolutePath(_ path: String) throws(RunFailure) -> String {
    do {
      return try environment.absolutePath(path)
    } catch {
      throw RunFailure(
        .missingInput, code: "no-such-file", message: error.message, hint: error.hint)
    }
  }

  /// A file, a folder of items, a folder of such folders, or one that is both.
  private func add(
    _ argument: String, to places: inout [CalendarPlace], _ failures: inout [RunFailure]
  ) async throws(RunFailure) {
    let typed = typedPath(try absolutePath(argument))
    var status = stat()
    guard stat(cPath(typed), &status) == 0 else {
      throw Self.unreadable(nameText(typed).text, errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      places.append(CalendarPlace(path: Self.inRealFolder(typed), isFolder: false))
      return
    }
    let path = Self.real(typed)
    let text = nameText(path).text
    let reader: FolderReader
    do throws(FileError) {
      reader = try FolderReader(path: path)
    } catch {
      throw Self.unreadable(text, error.code)
    }
    let calendars = calendars(in: reader)
    let inside = Set(calendars)
    if calendars.isEmpty || !reader.names.isEmpty || !inside.isSuperset(of: reader.others) {
      var place = try await place(path, text: text)
      place.reader = reader
      // A link to a folder is called as a person calls it.
      let name = parts(of: typed).name
      if !name.isEmpty, name != Array("..".utf8) { place.name = name }
      place.calendarsInside = inside
      places.append(place)
    }
    for name in calendars {
      let path = Self.path(of: name, in: path)
      await add(path, text: nameText(path).text, to: &places, &failures)
    }
  }

  /// The folders in a folder that are calendars: all of them where there is nothing else, so that
  /// an empty one is none less; beside files those that hold files themselves, since a calendar may
  /// have a folder of something else in it. One that is called like an item is a calendar where no
  /// file is; in a calendar it is a broken item, which nobody opens.
  private func calendars(in folder: FolderReader) -> [FileName] {
    if folder.names.isEmpty, folder.others.isEmpty { return folder.folders }
    let named = folder.folders + (folder.names.isEmpty ? folder.itemFolders : [])
    let looks = named.sorted().map { name in
      (name: name, holdsItems: holdsItems(Self.path(of: name, in: folder.path)))
    }
    // Beside calendars one that cannot be looked at is told of, and not left out.
    guard looks.contains(where: { $0.holdsItems == true }) else { return [] }
    return looks.filter { $0.holdsItems != false }.map(\.name)
  }

  /// Nil where nobody can tell.
  private func holdsItems(_ path: [UInt8]) -> Bool? {
    guard let folder = try? FolderReader(path: path) else { return nil }
    return !folder.names.isEmpty || !folder.others.isEmpty
  }

  private static func path(of name: FileName, in folder: [UInt8]) -> [UInt8] {
    (folder == [UInt8(ascii: "/")] ? [] : folder) + [UInt8(ascii: "/")] + name.bytes
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
