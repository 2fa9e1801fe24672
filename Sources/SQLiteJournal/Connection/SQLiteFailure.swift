import GRDB
import Glibc
package import SyncModel

/// Translates what SQLite says, once, at the border.
///
/// SQLite's messages name tables and columns and never hold values.
///
/// - Parameter isFull: whether the disk that holds a path has no room left.
package func journalError(
  _ error: any Error, at place: String, isFull: (String) -> Bool = isDiskFull(at:)
) -> JournalError {
  if let known = error as? JournalError { return known }
  guard let failure = error as? DatabaseError else {
    return JournalError(
      .unusable, "the journal \(place) cannot be used: \(error)",
      hint: "run again; if it stays, move the file away: the next sync is then a first sync, which "
        + "deletes nothing")
  }
  let words = failure.message ?? "no reason given"
  switch failure.resultCode {
  case .SQLITE_BUSY, .SQLITE_LOCKED:
    return JournalError(
      .busy, "the journal \(place) is held by another program",
      hint: "another calgw working on this pair, a backup or an SQLite shell may have it open: "
        + "let it finish, then run again")
  case .SQLITE_FULL: return noSpace(place)
  // Of a file beside the database that finds no room SQLite says no more than that.
  case .SQLITE_IOERR where isFull(place), .SQLITE_CANTOPEN where isFull(place):
    return noSpace(place)
  case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH,
    .SQLITE_NOMEM, .SQLITE_NOLFS:
    return JournalError(
      .cannotWrite, "the journal \(place) cannot be read or written: \(words)",
      hint: PrivateFile(path: place).closedBeside.map { "check the owner and mode of \($0)" }
        ?? "check the disk, and the owner and mode of the file and its directory")
  case .SQLITE_CORRUPT, .SQLITE_NOTADB:
    return JournalError(
      .unusable, "the journal \(place) is damaged: \(words)",
      hint: "run again: the damaged file is set aside and a new one begun, which deletes nothing")
  case .SQLITE_INTERRUPT, .SQLITE_ABORT:
    return JournalError(.stopped, "the work on the journal \(place) was stopped")
  case .SQLITE_TOOBIG:
    return JournalError(
      .unusable, "something is too large for the journal \(place)",
      hint:
        "move the largest item out of the collection: \(DatabaseOpening.largestValue >> 20) MiB "
        + "are the limit")
  case let code:
    return JournalError(
      .unusable, "the journal \(place) refused what it was told: \(words) (\(code.rawValue))",
      hint: "this is a defect of calgw: please report it")
  }
}

private func noSpace(_ place: String) -> JournalError {
  JournalError(
    .cannotWrite, "no space is left for the journal \(place): the disk is full",
    hint: "free some space, then run again")
}

/// In bytes: twice what the shared memory beside a database grows by.
private let leastRoom: UInt64 = 64 << 10

/// The disk that holds a file has no room for anything more, or for no more files. Where it cannot
/// be told, it has.
private func isDiskFull(at path: String) -> Bool {
  let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  var space = statvfs()
  guard statvfs(directory, &space) == 0, space.f_blocks > 0 else { return false }
  let (free, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(
    by: UInt64(space.f_frsize))
  return !overflow && free < leastRoom || space.f_files > 0 && space.f_favail == 0
}

extension DatabaseError {
  /// There is no room for the files beside the one that is read.
  func meansFullDisk(at path: String) -> Bool {
    switch resultCode {
    case .SQLITE_FULL: true
    case .SQLITE_IOERR, .SQLITE_CANTOPEN: isDiskFull(at: path)
    default: false
    }
  }

  /// SQLite may not write here, be it only the files beside the one that is read.
  var meansUnwritable: Bool {
    [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(resultCode)
  }
}

/// A file that cannot be trusted any more, as against one that cannot be reached.
func meansDamage(_ error: any Error) -> Bool {
  switch (error as? DatabaseError)?.resultCode {
  case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: true
  default: false
  }
}

/// A row that must not be there is: an index and its table say different things, or else it is a
/// defect of calgw, as what breaks any other rule is.
func meansContradiction(_ error: any Error) -> Bool {
  let codes: [ResultCode] = [
    .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID,
  ]
  return (error as? DatabaseError).map { codes.contains($0.extendedResultCode) } ?? false
}

/// What a row holds that calgw never wrote.
func damaged(_ what: String) -> DatabaseError {
  DatabaseError(resultCode: .SQLITE_CORRUPT, message: what)
}
