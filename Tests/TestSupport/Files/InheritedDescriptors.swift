import Foundation
import Glibc

/// What a process has that was started and does not run its program yet: copies of descriptors.
public final class InheritedDescriptors {
  public let numbers: [Int32]

  /// Copies every descriptor of this process that is open on a file or folder.
  public init(of path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    numbers = open.compactMap(Int32.init).compactMap { number in
      var own = stat()
      guard fstat(number, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino
      else { return nil }
      let copy = dup(number)
      return copy < 0 ? nil : copy
    }
  }

  deinit { for number in numbers { close(number) } }
}
