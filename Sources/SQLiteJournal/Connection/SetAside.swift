import Glibc
import SyncModel

/// Moves a damaged journal out of the way without changing a byte of it.
package struct DamagedFile {
  let file: PrivateFile

  /// How many damaged files may pile up before a person has to look at them.
  private static let mostKept = 1000

  /// What SQLite keeps beside a file, and belongs to it.
  private static let companions = ["-wal", "-journal"]

  /// Beside the file, while an error of the last run says that it must be looked through.
  package static func marker(of path: String) -> String { path + ".check" }

  /// What is known of a file's damage from earlier runs: nothing, or how often it was met since the
  /// file did its work without any.
  enum Record: Equatable {
    case clean
    /// It must be looked through before it is used again.
    case suspect
    /// It was looked through and found whole, and it is not known yet whether it is.
    case foundWhole
    /// What SQLite finds whole was damaged all the same.
    case hopeless
  }

  static func record(of path: String) -> Record {
    guard PrivateFile.exists(marker(of: path)) else { return .clean }
    switch PrivateFile.size(marker(of: path)) {
    case 0: return .suspect
    case 1: return .foundWhole
    default: return .hopeless
    }
  }

  /// Notes that damage was met. Without the mark the next damaged page tells the same.
  package static func mark(_ path: String) {
    switch record(of: path) {
    case .clean: try? PrivateFile(path: marker(of: path)).create()
    case .foundWhole: append(to: path)
    case .suspect, .hopeless: break
    }
  }

  /// Notes that it was looked through and found whole.
  static func noteWhole(_ path: String) {
    if record(of: path) == .suspect { append(to: path) }
  }

  private static func append(to path: String) {
    let descriptor = open(marker(of: path), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, "x", 1)
    close(descriptor)
  }

  /// Takes the mark away once the file did its work without any damage.
  static func unmark(_ path: String) { _ = unlink(marker(of: path)) }

  /// Something waits beside the file that belongs into it.
  static func hasLog(_ path: String) -> Bool {
    companions.contains { PrivateFile.size(path + $0) > 0 }
  }

  /// Renames the file and what belongs to it. Gives the new name.
  func setAside() throws(JournalError) -> String {
    let path = file.path
    guard let free = freeName() else {
      throw JournalError(
        .unusable, "the journal \(path) is damaged, as \(Self.mostKept) were before it",
        hint: "look at the disk, and move the files \(path).damaged-* away")
    }
    // The file first: without it a log is never taken for a journal, but a file without its log
    // would look whole and lack the last commits.
    for suffix in [""] + Self.companions where PrivateFile.exists(path + suffix) {
      guard rename(path + suffix, free + suffix) == 0 else { throw file.cannotWrite("set aside") }
    }
    _ = unlink(path + "-shm")
    Self.unmark(path)
    try file.syncDirectory()
    return free
  }

  /// What was set aside so far, and not taken away since; the oldest first. A log without its file
  /// tells nothing.
  static func kept(of path: String) -> [String] {
    (1...mostKept).map { name(of: path, $0) }.filter { PrivateFile.exists($0) }
  }

  private static func name(of path: String, _ number: Int) -> String {
    "\(path).damaged-\(number)"
  }

  private func freeName() -> String? {
    for number in 1...Self.mostKept {
      let name = Self.name(of: file.path, number)
      let isTaken = ([""] + Self.companions).contains { PrivateFile.exists(name + $0) }
      if !isTaken { return name }
    }
    return nil
  }

  /// The file is gone and its log is still there.
  var hasOrphanedLog: Bool {
    !PrivateFile.exists(file.path)
      && Self.companions.contains { PrivateFile.size(file.path + $0) > 0 }
  }
}

extension PairStore {
  /// The files that were found damaged in the place of this one and are kept beside it, the oldest
  /// first. Their history is in no other.
  public static func damagedFiles(besides path: String) -> [String] { DamagedFile.kept(of: path) }
}
