import Glibc

/// Files below `Fixtures/` of this package.
public enum Fixture {
  public struct Unreadable: Error {
    public let name: String
  }

  /// The names of the files in a folder that end so, sorted, without that end.
  public static func names(in folder: String, ending: String) -> [String] {
    var names: [String] = []
    guard let directory = opendir(root + folder) else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { names.append(String(name.dropLast(ending.count))) }
    }
    return names.sorted()
  }

  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = fopen(root + path, "rb") else { throw Unreadable(name: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  public static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// Three folders above this file, then `Fixtures/`.
  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/Fixtures/"
  }()
}
