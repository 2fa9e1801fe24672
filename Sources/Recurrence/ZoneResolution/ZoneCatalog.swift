import Synchronization

/// The zones of tzdata by name, each read once. The bytes come from whoever composes the program.
public final class ZoneCatalog: Sendable {
  /// Gives the bytes of the TZif file of a zone, whose name is safe as a relative path; nil if
  /// there
  /// is none.
  public typealias Loader = @Sendable (_ name: String) -> [UInt8]?

  private let load: Loader
  private let zones = Mutex<[String: Zone?]>([:])

  public init(load: @escaping Loader) { self.load = load }

  /// A catalog that knows UTC alone.
  public static let empty = ZoneCatalog { _ in nil }

  /// Names asked for come from outside; so many are remembered.
  private static let limit = 10_000

  /// The zone of a tzdata name; nil if it is none, or its data cannot be read.
  public func zone(named name: String) -> Zone? {
    guard Self.isSafe(name) else { return nil }
    if name == "UTC" || name == "Etc/UTC" { return .utc }
    if let known = zones.withLock({ $0[name] }) { return known }
    let zone = load(name).flatMap { bytes in try? TZif.zone(name: name, bytes: bytes) }
    zones.withLock { if $0.count < Self.limit { $0[name] = .some(zone) } }
    return zone
  }

  /// Whether a name can be no path out of the folder of zones: parts of ASCII letters, digits, `_`,
  /// `-` and `+`, joined by single slashes. The folders `posix` and `right` are no names.
  public static func isSafe(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count), name.utf8.count <= 64 else { return false }
    if parts[0].elementsEqual("posix".utf8) || parts[0].elementsEqual("right".utf8) { return false }
    return parts.allSatisfy { part in
      guard let first = part.first, first.isLetter else { return false }
      return part.allSatisfy {
        $0.isLetter || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2B
      }
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
}
