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

  /// Notes that the file must be looked through before it is used again.
  package static func mark(_ path: String) {
    let marker = PrivateFile(path: marker(of: path))
    // Without the mark the next damaged page tells the same.
    if !PrivateFile.exists(marker.path) { try? marker.create() }
  }

  /// Takes the mark away once the file was found whole.
  static func unmark(_ path: String) { _ = unlink(marker(of: path)) }

  /// The file was not closed cleanly: a log of it is left, or the last run met an error.
  static func mayBe(_ path: String) -> Bool {
    hasLog(path) || PrivateFile.exists(marker(of: path))
  }

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
