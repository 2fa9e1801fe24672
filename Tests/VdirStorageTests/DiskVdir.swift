import CLinux
import FoundationEssentials
import Glibc
import SyncModel
import Synchronization
import TestSupport
import VdirStorage

/// A vdir in a fresh folder of the real disk, removed when nobody needs it any more. Its clock can
/// be put forward, so that tests need not wait for files to grow old.
final class DiskVdir: StorageFixture {
  let path: String
  let vdir: VdirStorage
  let access: VdirAccess
  private let offset = Clock()

  final class Clock: Sendable {
    private let offset = Mutex<Int64>(0)
    var milliseconds: Int64 { offset.withLock { $0 } }
    func advance(_ milliseconds: Int64) { offset.withLock { $0 += milliseconds } }
  }

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "calgw-vdir-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    let offset = offset
    access = VdirAccess(
      digest: sha256,
      surroundings: Surroundings(
        now: {
          var time = timespec()
          clock_gettime(CLOCK_REALTIME, &time)
          return Instant(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
              + offset.milliseconds)
        },
        newUUID: { UUID().uuidString.lowercased() },
        pause: { offset.advance($0) }))
    vdir = try VdirStorage.open(path: Array(path.utf8), access: access)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var storage: any Storage { vdir }

  func settle() { offset.advance(10_000) }

  func advance(milliseconds: Int64) { offset.advance(milliseconds) }

  func put(_ href: Href, _ data: ItemData) throws { try write(href.text, data.bytes) }

  func remove(_ href: Href) throws { try FileManager.default.removeItem(atPath: at(href.text)) }

  func content(of href: Href) -> ItemData? { bytes(href.text).map(ItemData.init) }

  func at(_ name: String) -> String { "\(path)/\(name)" }

  /// As an editor that writes a new file and renames it.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).save(to: URL(filePath: at(".editor-\(name.count)")))
    guard rename(at(".editor-\(name.count)"), at(name)) == 0 else {
      throw FileError(.rename, errno)
    }
  }

  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: at(name)).map(Array.init)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
