public import SyncModel

/// What the words in capitals in the commands of a mend stand for, of one item. Whoever finds a
/// problem knows neither where the folders are nor what other calendars hold.
public struct MendNames: Sendable, Hashable {
  /// For `UID`: its UID, or where that does not name it alone, its file.
  public var item: String?
  /// For `FILE`: where its file is on the local side, or was before it was deleted. `FOLDER` is
  /// where that is, and `FILE.old` a name beside it that no sync sees.
  public var file: String?
  /// Something is at `file`; true where nobody looked.
  public var isFileThere = true
  /// It has a file on the local side, or had one; true where nobody looked.
  public var wasHere = true
  /// The name of the file that both sides agreed on, where nothing else names it; it may be gone.
  public internal(set) var agreedFile: Href?
  /// For `OTHERFILE`, and `OTHERFILE.old` and `OTHERFOLDER` as above: the same on the remote side,
  /// where that is a directory.
  public var otherFile: String?
  /// For `ID`: the entry of the log that has what both sides agreed on last, or else what waits in
  /// conflict on the local side; where they share nothing, what was in the file before.
  public var version: String?
  /// The log has a version to bring back, or gets one with the next sync. Where nobody looked, that
  /// is so of an item with a UID.
  public internal(set) var hasLog: Bool

  /// Those of an item of which nothing but the UID is known, or of none.
  public init(_ uid: ItemID? = nil) {
    item = uid?.text
    hasLog = uid != nil
  }

  /// A word of a command, or what it stands for, quoted for a shell.
  func filled(_ word: String) -> String {
    let name: String? =
      switch word {
      case "FILE": file
      case "FILE.old": file.map { $0 + ".old" }
      case "FOLDER": file.map(folder)
      case "OTHERFILE": otherFile
      case "OTHERFILE.old": otherFile.map { $0 + ".old" }
      case "OTHERFOLDER": otherFile.map(folder)
      case "ID": version
      default: nil
      }
    return name.map(safeWord) ?? word
  }

  private func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }

  /// A word that the item's name takes the place of, behind the options: a command that takes a
  /// file takes a UID, too.
  func isItem(_ word: String) -> Bool {
    item != nil && (word == "UID" || word == "FILE" && file == nil)
  }
}
