package import SyncModel

extension VdirStorage {
  /// How many of these files are the ones that they were, and nobody has written to them or moved
  /// them since.
  package func countUntouched(_ known: [KnownResource]) throws(StorageError) -> Int {
    var count = 0
    do throws(FileError) {
      for resource in known {
        guard let tag = resource.tag, let name = FileName(resource.href.spelling),
          let status = try directory.statusIfThere(name), status.kind == .regular
        else { continue }
        if status.fingerprint == tag { count += 1 }
      }
    } catch {
      throw error.trouble("looking at the files of", at: location.text)
    }
    return count
  }
}
