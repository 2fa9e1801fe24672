import SyncModel
import SyncPlanning

/// Values that give way and are too long for a line. There is no history of names and descriptions:
/// each of these gets a file of its own, which is never written over.
struct KeptValues: Sendable {
  /// In the state directory.
  let directory: String

  /// In characters; what is longer is not told whole.
  static let longestTold = 200
  /// Of a file, in bytes, before what tells it from others.
  private static let longestName = 150

  init(in stateDirectory: String) { directory = stateDirectory + "/values" }

  /// Puts a value into a new file. Gives its path.
  func keep(
    _ value: String, of key: MetadataKey, in collection: String, pair: String, at now: Instant
  ) throws(RunFailure) -> String {
    try makePrivateDirectory(directory)
    let name = String("\(pair).\(collection)".map { $0 == "/" ? "-" : $0 })
    let start = String(decoding: name.utf8.prefix(Self.longestName), as: UTF8.self)
    let path = "\(directory)/\(start).\(key.rawValue).\(now.milliseconds)"
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
