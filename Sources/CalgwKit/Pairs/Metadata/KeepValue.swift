import SyncModel
import SyncPlanning

/// Values that give way and are too long for a line. There is no history of names and descriptions:
/// each of these gets a file of its own, which is never written over.
struct KeptValues: Sendable {
  /// In the state directory.
  let directory: String

  /// In characters; what is longer is not told whole.
  static let longestTold = 200

  init(in stateDirectory: String) { directory = stateDirectory + "/values" }

  /// Puts a value into a new file. Gives its path.
  func keep(
    _ value: String, of key: MetadataKey, in collection: String, at now: Instant
  ) throws(RunFailure) -> String {
    try makePrivateDirectory(directory)
    let name = String(collection.map { $0 == "/" ? "-" : $0 })
    let path = "\(directory)/\(name).\(key.rawValue).\(now.milliseconds)"
    do throws(NewFileError) {
      try makePrivateFile(path, holding: Array((value + "\n").utf8))
    } catch {
      let cause: SystemError
      switch error {
      case .notMade(let error), .notWritten(let error): cause = error
      }
      throw RunFailure(
        .io, code: "io", message: "the file \(path) cannot be written", why: cause.text,
        hint: "make room on the disk, and the state directory writable for you")
    }
    return path
  }
}
