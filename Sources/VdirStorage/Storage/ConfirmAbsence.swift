public import SyncModel

/// Which file had a name, and since when it is as it is: a rename changes the one or the other.
struct SeenFile: Equatable {
  private let inode: UInt64?
  private let changed: Int64?

  /// - Parameter status: nil where it could not be seen.
  init(_ status: FileStatus?) {
    inode = status?.identity.inode
    changed = status?.changed
  }
}

extension VdirStorage {
  /// In milliseconds. A rename or a save takes far less; two looks this far apart are two looks.
  private static let quietTime: Int64 = 1000

  /// Gives those that have no file, looked at once more in a folder that was quiet for a second.
  ///
  /// Confirms nothing while a file is there that the last listing did not see under its name: one
  /// of the missing items may just have been renamed; or files took each other's names, so that one
  /// was read twice, and another one never. That is all that there is to see of an item whose name
  /// another one has by now.
  public func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
    guard !batch.isEmpty else { return [] }
    try await waitUntilQuiet()
    try requireSameDirectory()
    let items = try items()
    let names = Set(items)
    if let seen, folderBefore == nil || SeenFile(try? directory.status()) != folderBefore {
      let isNews = items.contains { seen[$0] != SeenFile(statusIfKnown($0)) }
      if isNews { return [] }
    }
    var absent: [Href] = []
    for href in batch {
      if href.isVacated {
        absent.append(href)
        continue
      }
      guard let name = FileName(href.spelling), !names.contains(name) else { continue }
      do throws(FileError) {
        // The file system may know it by another spelling.
        if try directory.statusIfThere(name) == nil { absent.append(href) }
      } catch {
        guard !error.concernsAll else {
          throw error.trouble("looking at the files of", at: location.text)
        }
      }
    }
    try requireSameDirectory()
    return absent
  }

  /// Nil also where nobody can tell.
  func statusIfKnown(_ name: FileName) -> FileStatus? { try? directory.statusIfThere(name) }

  private func waitUntilQuiet() async throws(StorageError) {
    let status: FileStatus
    do throws(FileError) {
      status = try directory.status()
    } catch {
      throw error.trouble("looking at the folder", at: location.text)
    }
    await waitUntilQuiet(since: status.touched)
  }

  /// Waits until the last change is a second old.
  func waitUntilQuiet(since change: Instant) async {
    let age = access.surroundings.now().milliseconds(since: change)
    guard age < Self.quietTime else { return }
    // A change of the future has an unknown age.
    await access.surroundings.pause(age < 0 ? Self.quietTime : Self.quietTime - age)
  }
}
