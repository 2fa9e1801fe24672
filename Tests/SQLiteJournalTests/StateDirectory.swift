import Foundation
import Glibc

/// Runs a test with the path of a fresh directory and removes it afterwards.
func withStateDirectory<T>(_ body: (String) async throws -> T) async throws -> T {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("calgw-journal-\(UUID().uuidString.lowercased())").path
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  guard chmod(directory, 0o700) == 0 else { throw CocoaError(.fileWriteNoPermission) }
  defer { try? FileManager.default.removeItem(atPath: directory) }
  return try await body(directory)
}

/// The permission bits of a file; nil where nothing is there.
func mode(of path: String) -> mode_t? {
  var info = stat()
  return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
}

func bytes(of path: String) -> [UInt8]? {
  FileManager.default.contents(atPath: path).map(Array.init)
}

func write(_ bytes: [UInt8], to path: String) {
  _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
}

func names(in directory: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
}

/// Runs something on a thread that has a umask of its own, since the process's is shared by all
/// tests.
func withUmask<T: Sendable>(
  _ mask: mode_t, _ body: @escaping @Sendable () throws -> T
) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(
        with: Result {
          try takeOwnUmask()
          umask(mask)
          return try body()
        })
    }
  }
}

/// unshare(2) with CLONE_FS, which the Glibc module leaves out.
private func takeOwnUmask() throws {
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "unshare") else { throw POSIXError(.ENOSYS) }
  let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
  let cloneFS: CInt = 0x200
  guard unshare(cloneFS) == 0 else { throw POSIXError(.EPERM) }
}
