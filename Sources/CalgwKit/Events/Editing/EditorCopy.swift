import Glibc

/// A private copy of an item that a person edits: a file of its own in a directory that nobody else
/// can enter, below the state directory, so that an edited text survives whatever happens.
public struct EditorCopy: Sendable {
  /// The directory; it holds the copy, and what an editor puts beside it.
  private let directory: String
  /// The file that the editor opens.
  public let path: String
  /// What it held when it was made.
  let original: [UInt8]

  /// What the names of such directories begin with.
  static let prefix = "open-"

  /// Writes the copy.
  init(of item: FoundItem, in stateDirectory: String, token: String) throws(RunFailure) {
    let above = try EditMemory.makeDirectory(in: stateDirectory)
    directory = "\(above)/\(Self.prefix)\(token.prefix(8))"
    path = directory + "/" + Self.name(of: item)
    original = item.data.bytes
    guard mkdir(directory, 0o700) == 0 else { throw Self.cannotCreate(directory) }
    try write(original)
  }

  /// A name that says what it is and that any editor takes.
  private static func name(of item: FoundItem) -> String {
    let title = item.summary.unicodeScalars.filter { $0.properties.isAlphabetic || $0 == " " }
      .prefix(40).map { $0 == " " ? "-" : String($0) }.joined()
    return (title.isEmpty ? "event" : title) + ".ics"
  }

  private func write(_ bytes: [UInt8]) throws(RunFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.cannotCreate(path) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.cannotCreate(path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func cannotCreate(_ path: String) -> RunFailure {
    RunFailure(
      .cannotCreate, code: "cannot-create", message: "\(path) cannot be made",
      why: SystemError(errno).text, hint: "check the disk and the permissions")
  }

  /// What it holds now; nil where it is empty, gone, or as it was: then nothing is to change.
  public func edited() throws(RunFailure) -> [UInt8]? {
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try readInput(path)
    let isEmpty = bytes.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return isEmpty || bytes == original ? nil : bytes
  }

  /// Nothing is beside it. An editor that had to end keeps there what was not saved yet.
  public var isAlone: Bool { directoryNames(in: directory).count < 2 }

  /// Removes the copy and what an editor left beside it. What cannot be removed stays, readable for
  /// its owner alone.
  public func remove() {
    for name in directoryNames(in: directory) {
      unlink(
        Array(directory.utf8).map(CChar.init(bitPattern:)) + [0x2F]
          + name.map(CChar.init(bitPattern:)) + [0])
    }
    rmdir(directory)
  }
}

extension Gateway {
  /// Makes a private copy of an item for an editor.
  public func copyForEditor(_ item: FoundItem) throws(RunFailure) -> EditorCopy {
    try EditorCopy(
      of: item, in: configuration.stateDirectory, token: surroundings.newUUID())
  }
}
