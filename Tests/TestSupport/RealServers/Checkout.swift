import Glibc

/// The checkout that these tests were compiled from.
public enum Checkout {
  /// The absolute path of the folder that holds Package.swift, without a slash at its end.
  public static let root: String = {
    // This file is Tests/TestSupport/RealServers/Checkout.swift.
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/")
  }()

  /// The path of a script of the checkout.
  public static func script(_ name: String) -> String { root + "/Scripts/" + name }

  /// The calgw of the same build.
  public static let calgw = program("calgw")

  /// A program of the same build: it stands beside the one that runs the tests.
  public static func program(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(readlink("/proc/self/exe", &path, path.count), 0)
    let runner = String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "/" + runner.split(separator: "/").dropLast().map { $0 + "/" }.joined() + name
  }
}
