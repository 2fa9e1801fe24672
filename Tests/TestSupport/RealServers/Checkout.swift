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
}
