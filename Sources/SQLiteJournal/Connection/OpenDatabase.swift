package import GRDB
import GRDBSQLite
package import SyncModel

/// What was found when a journal was opened, for the user to know.
public enum StoreNotice: Sendable, Hashable {
  /// There was none: every collection is synced as if for the first time.
  case created
  /// The file was damaged; it is kept under the path, and a new one was begun. Without a path (a
  /// copy for a dry run) it is still in its place.
  case damaged(reason: String, movedTo: String?)
  /// The schema was older; the file as it was is kept under the path.
  case upgraded(from: Int64, backup: String)
  /// The file is on a network file system: slower, and locks may not hold between machines.
  case onNetwork
}

/// Opens, checks, creates, upgrades and sets aside the file of a pair.
package struct DatabaseOpening {
  let file: PrivateFile
  var migrations = Migrations.present
  private let whenBusy: BusyWait.Callback
  package private(set) var notices: [StoreNotice] = []

  package init(
    path: String, migrations: Migrations = .present,
    whenBusy: @escaping BusyWait.Callback = BusyWait.live
  ) {
    file = PrivateFile(path: path)
    self.migrations = migrations
    self.whenBusy = whenBusy
  }

  package mutating func open() throws(JournalError) -> DatabaseQueue {
    do {
      try file.prepareDirectory()
      if DamagedFile(file: file).hasOrphanedLog {
        try setAside(because: "its log is there and the file itself is not")
      }
      if PrivateFile.mayExist(file.path) {
        try file.check()
        file.mendModesBeside()
      } else {
        // What is known of one that was set aside says nothing of a new one.
        DamagedFile.unmark(file.path)
        try file.create()
        notices.append(.created)
      }
      do {
        if DamagedFile.record(of: file.path) == .hopeless {
          throw damaged("runs have met damage in it again and again")
        }
        return try openFile()
      } catch  where meansDamage(error) {
        try setAside(because: (error as? DatabaseError)?.message ?? "it cannot be read")
        try file.create()
        return try openFile()
      }
    } catch {
      throw journalError(error, at: file.path)
    }
  }

  private mutating func setAside(because reason: String) throws(JournalError) {
    notices.append(.damaged(reason: reason, movedTo: try DamagedFile(file: file).setAside()))
  }

  private mutating func openFile() throws -> DatabaseQueue {
    let doubt = doubt
    let queue = try DatabaseQueue(path: file.path, configuration: Self.configuration(whenBusy))
    do {
      try queue.inDatabase { db in
        try migrations.check(db, at: file.path)
        if let doubt { try Self.lookThrough(db, doubt) }
        try setJournalMode(db)
      }
      if let upgrade = try migrations.run(queue, on: file) {
        notices.append(.upgraded(from: upgrade.from, backup: upgrade.backup))
      }
      DamagedFile.noteWhole(file.path)
      return queue
    } catch {
      // The error that is thrown says more than one of closing.
      try? queue.close()
      throw error
    }
  }

  /// Why a file should be looked through.
  private enum Doubt {
    /// It was not closed cleanly: a log of it is left.
    case log
    /// The last run met damage in it: what a quick look does not see would be met again and again.
    case damage
  }

  private var doubt: Doubt? {
    if DamagedFile.record(of: file.path) != .clean { return .damage }
    return DamagedFile.hasLog(file.path) ? .log : nil
  }

  /// Reads every page: 1 ms for a MB, and some more where the indexes are compared with what they
  /// list.
  private static func lookThrough(_ db: Database, _ doubt: Doubt) throws {
    let check = doubt == .damage ? "integrity_check" : "quick_check"
    let verdict = try db.row("PRAGMA \(check)(1)", []) { $0.text(0) }
    guard verdict == "ok" else { throw damaged(verdict ?? "it cannot be read") }
  }

  private mutating func setJournalMode(_ db: Database) throws {
    guard isOnNetwork(file.directory) else {
      return try db.forEachRow("PRAGMA journal_mode = WAL", []) { _ in }
    }
    notices.append(.onNetwork)
    try db.forEachRow("PRAGMA journal_mode = DELETE", []) { _ in }
  }

  /// A copy in memory for a dry run; the file is read and stays as it is.
  mutating func openCopy() throws(JournalError) -> DatabaseQueue {
    do {
      guard PrivateFile.mayExist(file.path) else {
        notices.append(.created)
        return try Self.inMemory(migrations)
      }
      try file.check()
      file.mendModesBeside()
      do {
        let copy = try copy(of: file.path)
        try copy.inDatabase { db in
          try migrations.check(db, at: file.path)
          try Self.lookThrough(db, doubt ?? .log)
        }
        _ = try migrations.run(copy, on: nil)
        return copy
      } catch  where meansDamage(error) {
        let reason = (error as? DatabaseError)?.message ?? "it cannot be read"
        notices.append(.damaged(reason: reason, movedTo: nil))
        return try Self.inMemory(migrations)
      }
    } catch {
      throw journalError(error, at: file.path)
    }
  }

  /// Where nobody may write beside the file, or there is no room for it, SQLite cannot open one in
  /// WAL mode as usual: then it is read as what cannot change, which it is as long as no log of it
  /// is there.
  private func copy(of path: String) throws -> DatabaseQueue {
    do {
      return try copy(of: path, Self.configuration(whenBusy))
    } catch let error as DatabaseError where isFrozen(after: error) {
      var configuration = Self.configuration(whenBusy)
      configuration.readonly = true
      let before = PrivateFile.state(path)
      let copy = try copy(of: "file:\(Self.uriPath(path))?immutable=1", configuration)
      guard PrivateFile.state(path) == before, !DamagedFile.hasLog(path) else { throw error }
      return copy
    }
  }

  /// Nothing can change the file, and no log waits beside it.
  private func isFrozen(after error: DatabaseError) -> Bool {
    if DamagedFile.hasLog(file.path) { return false }
    return error.meansFullDisk(at: file.path) || error.meansUnwritable && file.isInClosedDirectory
  }

  /// Read through a connection that may write: one that may not leaves an empty log behind.
  private func copy(
    of source: String, _ configuration: Configuration
  ) throws -> DatabaseQueue {
    let source = try DatabaseQueue(path: source, configuration: configuration)
    do {
      let copy = try DatabaseQueue(configuration: Self.configuration(whenBusy))
      try source.backup(to: copy)
      try source.close()
      return copy
    } catch {
      // The error that is thrown says more than one of closing.
      try? source.close()
      throw error
    }
  }

  /// What has a meaning of its own in SQLite's URIs is encoded.
  private static func uriPath(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }

  package static func inMemory(_ migrations: Migrations = .present) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(configuration: configuration(BusyWait.live))
    _ = try migrations.run(queue, on: nil)
    return queue
  }

  /// The largest text or row, in bytes: far above any item that is synced, far below what a crafted
  /// file could make SQLite allocate.
  static let largestValue: Int32 = 128 << 20

  private static func configuration(_ whenBusy: @escaping BusyWait.Callback) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .callback(whenBusy)
    // A transaction that even a failing disk does not let end is an error and no trap.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      // What guards an effect is on disk when its commit returns; nothing in the file is code; no
      // calendar goes into a temporary file. With 16 MiB of pages in memory a first sync of 10,000
      // items need not read its own log again and again.
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA temp_store = MEMORY;
          PRAGMA cache_size = -16384;
          """)
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, largestValue)
    }
    return configuration
  }
}
