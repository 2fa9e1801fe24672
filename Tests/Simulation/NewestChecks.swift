import SyncModel
import TestSupport
import VdirStorage

/// What decides under the policy `newest`.
extension World {
  /// When each file and resource was changed, as its side tells it, in milliseconds: a file's
  /// mtime, and getlastmodified, which counts seconds (docs/merge.md).
  var timesOfChanges: [Side: [String: Int64]] {
    var times: [Side: [String: Int64]] = [:]
    for name in files.names(in: World.folder) ?? [] {
      guard let status = files.status(name, in: World.folder) else { continue }
      times[.local, default: [:]][name] = status.modified / 1_000_000
    }
    for name in server.names(in: World.calendar) {
      guard let time = server.modified(name, in: World.calendar) else { continue }
      times[.remote, default: [:]][String(decoding: name, as: UTF8.self)] = time / 1000 * 1000
    }
    return times
  }

  /// The side on which an item was edited last; nil where calgw may see it otherwise. No text of
  /// these worlds has a LAST-MODIFIED but for those that a program touched, and those of a server
  /// that adds one, and such a server is not faithful. A clock that was set makes a time absurd;
  /// what a person had done to the item, or a journal or folder that came back, may have left
  /// another time on record than the file's.
  func laterSide(of uid: String, _ edited: [Side: Int64]) -> Side? {
    let clocks: [Act.Kind] = [.clockStep, .serverClockStep]
    guard let local = edited[.local], let remote = edited[.remote],
      (local - remote).magnitude > Self.beyondDoubt,
      clientSkew == 0, serverSkew == 0, !story.acts.contains(where: { clocks.contains($0.kind) }),
      server.switches.isFaithful, story.memoryLosses == 0, !oracle.worded.contains(uid),
      !story.strikes("C4.19"), story.touches(of: uid) == 0
    else { return nil }
    return local > remote ? .local : .remote
  }

  /// In milliseconds: the two seconds that count as one moment, two of the coarsest disk, and one
  /// of getlastmodified.
  private static let beyondDoubt: UInt64 = 5_000
}
