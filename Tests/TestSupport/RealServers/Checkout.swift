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

  /// The calgw of the same build: it stands beside the program that runs the tests.
  public static let calgw: String = {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = path.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { readlink("/proc/self/exe", $0, buffer.count) } ?? -1
    }
    let runner = String(decoding: path.prefix(max(count, 0)), as: UTF8.self)
    return "/" + runner.split(separator: "/").dropLast().map { $0 + "/" }.joined() + "calgw"
  }()
}
