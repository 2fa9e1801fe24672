import Glibc
import SyncModel

/// A new content on disk under a hidden name, not yet seen by anyone.
struct Draft {
  var name: FileName
  var file: Descriptor
  var digest: ContentDigest
  /// As it was when its data was on disk; nil before.
  var status: FileStatus?
}

extension ItemWriter {
  /// A left-over file of the same name is hardly ever there, let alone this often.
  static let nameAttempts = 8

  /// Writes a draft and starts its way to the disk. Mode and group are those of the file it will
  /// replace, or a usual mode with what the umask leaves of it.
  mutating func draft(_ data: ItemData, replacing old: FileStatus?) throws(FileError) -> Draft {
    // Until its group is set, nobody else may open what only that group may read.
    let (name, file) = try freshFile(mode: old.map { $0.mode & 0o700 } ?? 0o666)
    do throws(FileError) {
      if let old { try setMode(of: old, to: file) }
      try directory.files.write(data.bytes, to: file)
    } catch {
      directory.files.close(file)
      remove(name)
      throw error
    }
    directory.files.startWriteback(file)
    return Draft(name: name, file: file, digest: digest(data.bytes))
  }

  /// Waits until a draft's data is on disk, and closes it.
  func finished(_ draft: Draft) throws(FileError) -> Draft {
    var draft = draft
    do throws(FileError) {
      try directory.files.syncData(draft.file)
      draft.status = try directory.files.status(of: draft.file)
      directory.files.close(draft.file)
      return draft
    } catch {
      // The cache may have dropped the data: the next run writes a new file from memory.
      directory.files.close(draft.file)
      remove(draft.name)
      throw error
    }
  }

  /// Removes a draft, which is still open until its data is on disk.
  func drop(_ draft: Draft) {
    if draft.status == nil { directory.files.close(draft.file) }
    remove(draft.name)
  }

  /// Best effort: what stays is hidden, and the next run removes it.
  func remove(_ name: FileName) { try? directory.unlink(name) }

  private mutating func freshFile(mode: UInt32) throws(FileError) -> (FileName, Descriptor) {
    for _ in 0..<Self.nameAttempts {
      guard let name = HiddenName.new(token: nextToken()) else { break }
      do throws(FileError) {
        return (name, try directory.create(name, mode: mode))
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
    throw FileError(.create, EEXIST)
  }

  /// Some file systems have one mode for all files; that is no reason not to sync.
  private func setMode(of old: FileStatus, to file: Descriptor) throws(FileError) {
    do throws(FileError) {
      try directory.files.setMode(old.mode & 0o777, group: old.group, of: file)
    } catch {
      guard error.code == EPERM || error.isUnsupported else { throw error }
    }
  }
}
