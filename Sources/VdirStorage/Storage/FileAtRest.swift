import SyncModel

/// Whether other programs are done with a file: a calendar in one file is whole as it seems between
/// any two of its items.
extension VdirStorage {
  /// In milliseconds. A program that saves in place is done within a second.
  private static let pauseForWriter: Int64 = 100
  private static let looksAtWriter = 10

  /// Waits a second for whoever has a file open for writing; true where somebody has it still.
  /// False where the file system does not tell, or nothing that can be read has the name. Asked
  /// before the file is read, which may be half of what is being saved, and once more before it is
  /// replaced: a program may have come between the two.
  func isBeingWritten(_ name: FileName) async throws(StorageError) -> Bool {
    for look in 1...Self.looksAtWriter {
      guard try isOpenForWriting(name) else { return false }
      if look < Self.looksAtWriter { await access.surroundings.pause(Self.pauseForWriter) }
    }
    return true
  }

  /// What a file's status is once nobody has changed it for a second; nil where nothing has the
  /// name, or somebody changed it meanwhile.
  func fingerprintAtRest(_ name: FileName) async throws(StorageError) -> EntityTag? {
    guard let before = try status(of: name) else { return nil }
    await waitUntilQuiet(since: before.touched)
    let fingerprint = before.fingerprint
    return try status(of: name)?.fingerprint == fingerprint ? fingerprint : nil
  }

  private func status(of name: FileName) throws(StorageError) -> FileStatus? {
    do throws(FileError) {
      return try directory.statusIfThere(name)
    } catch {
      throw error.trouble("looking at \(name.text) in", at: location.text)
    }
  }

  private func isOpenForWriting(_ name: FileName) throws(StorageError) -> Bool {
    do throws(FileError) {
      return try directory.isOpenForWriting(name) == true
    } catch {
      guard !error.concernsAll else {
        throw error.trouble("looking at \(name.text) in", at: location.text)
      }
      // Who reads it says what is the matter with it.
      return false
    }
  }
}
