/// All faults that the simulator knows, in the order of the catalogue.
public enum FaultTable {
  public struct Entry: Sendable, Hashable {
    public let name: String
    public let title: String
  }

  public static let entries: [Entry] = {
    let all =
      points + Catalogue.faults.map { Entry(name: $0.name, title: $0.title) }
      + Trait.all.map { Entry(name: $0.name, title: $0.title) }
      + Trait.disk.map { Entry(name: $0.name, title: $0.title) }
      + [Entry(name: Trait.littleMemory.name, title: Trait.littleMemory.title)] + acts
    let unique = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return unique.values.sorted { order($0.name) < order($1.name) }
  }()

  /// `C2.10` after `C2.9`.
  private static func order(_ name: String) -> Int {
    let parts = name.dropFirst().split(separator: ".").compactMap { Int($0) }
    return parts.count == 2 ? parts[0] * 1000 + parts[1] : 0
  }

  private static func list(_ rows: [(String, String)]) -> [Entry] {
    rows.map { Entry(name: $0.0, title: $0.1) }
  }

  private static let points = list([
    ("C1.1", "killed before an effect"),
    ("C1.2", "killed after an effect, before its record"),
    ("C1.3", "killed after the record"),
    ("C1.4", "killed within a write"),
    ("C1.5", "killed after a temporary file was written, before fsync"),
    ("C1.6", "killed after fsync, before the rename"),
    ("C1.7", "killed after the rename, before the fsync of the folder"),
    ("C1.8", "killed at a commit"),
    ("C1.9", "killed when the request was sent"),
    ("C1.10", "killed when the answer was there, before it was recorded"),
    ("C1.11", "killed during recovery"),
    ("C1.12", "killed while a question stands"),
    ("C2.22", "a power cut takes names and data back that were not on disk"),
    ("C2.23", "a name is on disk, and its data are not"),
    ("C2.24", "a power cut undoes a removal"),
  ])

  private static let acts = list([
    ("C2.19", "a folder at the name of an item"),
    ("C2.20", "a symbolic link at the name of an item"),
    ("C2.21", "a FIFO at the name of an item"),
    ("C2.25", "a listing names a file twice"),
    ("C2.26", "a listing misses a file"),
    ("C2.28", "the folder is replaced by another one"),
    ("C2.29", "the disk is not mounted"),
    ("C3.2", "the journal is locked for the rest of a run"),
    ("C3.6", "the journal is deleted"),
    ("C3.7", "an older journal is brought back"),
    ("C3.12", "a text is missing from the journal"),
    ("C4.25", "an answer overtakes an earlier one"),
    ("C5.8", "401 always"),
    ("C5.31", "507 within a multistatus"),
    ("C6.13", "the server notes SCHEDULE-STATUS later"),
    ("C6.40", "the server sends mail for a write of a meeting"),
    ("C6.41", "a control character in XML"),
    ("C6.52", "the server writes a definition of a time zone anew later"),
    ("C7.1", "the clock is ahead"),
    ("C7.2", "the clock is behind"),
    ("C7.3", "the clock steps back during a run"),
    ("C7.4", "the clock steps forward during a run"),
    ("C7.5", "the clocks of two machines differ"),
    ("C7.6", "the server's clock differs"),
    ("C8.1", "an editor saves between listing and writing"),
    ("C8.2", "an editor saves at the moment of a rename"),
    ("C8.3", "an editor truncated a file and has not written it"),
    ("C8.4", "an editor wrote half of a file"),
    ("C8.5", "two saves in one tick of the clock, of one size"),
    ("C8.6", "a save whose mtime is set back"),
    ("C8.7", "swap files, backups and locks"),
    ("C8.8", "a file is renamed"),
    ("C8.9", "a file is copied"),
    ("C8.10", "a file is deleted during a run"),
    ("C8.11", "the folder is deleted"),
    ("C8.12", "every file is written anew"),
    ("C8.13", "a second calgw on the same calendar"),
    ("C8.14", "another tool's conflict copies"),
    ("C8.15", "an edit on the server between listing and reading"),
    ("C8.16", "an edit on the server just before a write"),
    ("C8.17", "a deletion on the server during a run"),
    ("C8.18", "another item at the same address"),
    ("C8.19", "an edit on the server right after a request"),
    ("C8.20", "the calendar is renamed or no longer shared"),
    ("C8.21", "the same edit on both sides"),
    ("C8.22", "access is taken away"),
    ("C8.23", "a file becomes another item"),
    ("C8.24", "both sides changed different parts of an item"),
    ("C8.25", "both sides changed one part of an item, too"),
    ("C8.26", "both sides changed when an item is"),
    ("C8.27", "and one of them an occurrence of a series"),
    ("C8.28", "a version of the history is brought back"),
    ("C8.29", "a person settles a conflict"),
    ("C8.30", "a program stores an item with new times and counters alone"),
    ("C8.31", "and the other side edited it"),
    ("C8.32", "and the other side deleted it"),
    ("C9.1", "told to stop"),
    ("C9.3", "killed"),
    ("C9.6", "a question meets the end of input"),
    ("C9.7", "a question that nobody answers until the run is told to stop"),
  ])
}
