import Glibc
package import SyncModel

/// Says in words what a failed call means; the one place where codes become errors of a side.
extension FileError {
  /// The error of a whole folder.
  package func trouble(_ what: String, at path: String) -> StorageError {
    if isStopped { return StorageError(.stopped, "\(what) \(path) was stopped") }
    let isForbidden = operation == .create && isDenied
    let isGone = [ENOENT, ENOTDIR, ESTALE].contains(code)
    let kind: StorageError.Kind = isForbidden ? .cannotCreate : isGone ? .vanished : .io
    return StorageError(kind, "\(what) \(path) failed", why: summary, hint: hint)
  }

  /// The problem of one file that is there and cannot be read.
  package func readProblem(_ name: FileName, limit: Int) -> ItemProblem {
    switch code {
    case ELOOP, EISDIR, ENXIO: .notAFile(name)
    case EFBIG:
      ItemProblem(
        .tooLarge, "\(name.text) is larger than \(limit) bytes",
        hint: ItemProblem.letItFit + ItemProblem.removeAndRestore)
    default:
      ItemProblem(
        .unreadable, "\(name.text) cannot be read (\(text))",
        hint: ItemProblem.letItBeRead)
    }
  }

  /// A file that is there may not be moved, although its folder may be written: it is locked
  /// (`chattr +i`), or another user's in a folder with the sticky bit.
  var isOfOneFile: Bool {
    code == EPERM && [.exchange, .rename, .renameNoReplace, .link].contains(operation)
  }

  /// The problem of such a file.
  func lockProblem(_ name: FileName) -> ItemProblem {
    ItemProblem(
      .refused, "\(name.text) may be neither replaced nor removed (\(text))",
      hint:
        "see whose it is and whether it is locked (`ls -l`, `lsattr`); the next sync tries again")
  }

  /// One file's trouble is one item's problem; these concern every file.
  var concernsAll: Bool { isStopped || [EMFILE, ENFILE, ENOMEM].contains(code) }

  private var hint: String {
    switch code {
    case ENOSPC, EDQUOT: "free some space on the disk, then run it again"
    case EROFS: "mount the file system for writing"
    case EACCES, EPERM: "check the permissions of the folder"
    case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
    case ENOENT, ENOTDIR, ESTALE: "check that the disk is mounted and the path is right"
    case EIO: "check the disk"
    case EINVAL, EOPNOTSUPP, ENOSYS: "keep the folder on another file system: this one cannot do it"
    case ENAMETOOLONG: "give it a shorter name"
    default: "look at the folder and the disk that it is on, then run again"
    }
  }
}

extension ItemProblem {
  static func notAFile(_ name: FileName) -> ItemProblem {
    ItemProblem(
      .notAFile, "\(name.text) is no plain file",
      hint: "replace it with the file itself, or \(removeAndRestore)")
  }

  static func incomplete(_ name: FileName, _ how: String) -> ItemProblem {
    ItemProblem(
      .incomplete, "\(name.text) \(how)",
      hint: "save it again, or restore it with `calgw log FILE` and `calgw restore ID`.")
  }
}
