import SyncModel
import SyncPlanning

/// The bases of a collection's values.
package struct MetadataBases: Sendable, Hashable {
  private var values: [MetadataKey: MetadataBase] = [:]
  /// The name that a side's collection was being given when the run ended, if it was.
  package var renaming: [Side: String] = [:]
  /// What a side said that it took, and does not show yet.
  package var awaited: Set<CarriedValue> = []
  /// At what a side fails, since when.
  package var failing: [CarriedValue: Instant] = [:]
  /// What a person was told and is not told again while it stays so.
  package var told: Set<String> = []

  package init() {}

  /// What a server fails at for a day it fails at since it is this value, and not since it is in
  /// trouble.
  private static let longestTrouble: Int64 = 86_400_000

  /// Takes down that a side failed at a value. Gives false where it has done so for a day, and is
  /// not asked again.
  package mutating func mayFail(at value: CarriedValue, _ now: Instant) -> Bool {
    let first = min(failing[value] ?? now, now)
    let isPassing = now.milliseconds - first.milliseconds < Self.longestTrouble
    failing[value] = isPassing ? first : nil
    return isPassing
  }

  subscript(key: MetadataKey) -> MetadataBase? {
    get { values[key] }
    set { values[key] = newValue }
  }

  private static func renamingKey(_ side: Side) -> String {
    side == .remote ? "renaming" : "renaming-\(side.rawValue)"
  }

  private static let toldKey = "told"
  private static let awaitedKey = "awaited"
  private static let failingKey = "failing"

  /// A line a key: its name, then the two values in hexadecimal, `-` for none. What is being
  /// written, and each thing that was told, is another line, with one value; what is awaited has
  /// its key and its side before that, and so has what a side fails at, with the moment behind it.
  package var encoded: [UInt8] {
    func hex(_ value: String?) -> String { value.map { "x" + hexadecimal($0.utf8) } ?? "-" }
    var lines = MetadataKey.allCases.compactMap { key in
      values[key].map { "\(key.rawValue) \(hex($0.local)) \(hex($0.remote))\n" }
    }
    for side in Side.allCases {
      if let name = renaming[side] { lines.append("\(Self.renamingKey(side)) \(hex(name))\n") }
    }
    lines += awaited.map {
      "\(Self.awaitedKey) \($0.key.rawValue) \($0.side.rawValue) \(hex($0.value))\n"
    }.sorted()
    lines += failing.map { value, since in
      "\(Self.failingKey) \(value.key.rawValue) \(value.side.rawValue) \(hex(value.value))"
        + " \(since.milliseconds)\n"
    }.sorted()
    lines += told.sorted().map { "\(Self.toldKey) \(hex($0))\n" }
    return Array(lines.joined().utf8)
  }

  /// Lines that are none are left out: then the two sides meet as for the first time.
  package init(encoded: [UInt8]) {
    for line in String(decoding: encoded, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2, let value = Self.value(parts[1]) {
        if let side = Side.allCases.first(where: { parts[0] == Self.renamingKey($0) }) {
          renaming[side] = value
        }
        if parts[0] == Self.toldKey, let value { told.insert(value) }
      }
      if let value = Self.carried(parts) {
        if parts.count == 4, parts[0] == Self.awaitedKey { awaited.insert(value) }
        if parts.count == 5, parts[0] == Self.failingKey, let since = Int64(parts[4]) {
          failing[value] = Instant(milliseconds: since)
        }
      }
      guard parts.count == 3, let key = MetadataKey(rawValue: String(parts[0])),
        let local = Self.value(parts[1]), let remote = Self.value(parts[2])
      else { continue }
      values[key] = MetadataBase(local: local, remote: remote)
    }
  }

  /// The value of a line that has its key and its side before it.
  private static func carried(_ parts: [Substring]) -> CarriedValue? {
    guard parts.count >= 4, let key = MetadataKey(rawValue: String(parts[1])),
      let side = Side(rawValue: String(parts[2])), let value = Self.value(parts[3]) ?? nil
    else { return nil }
    return CarriedValue(key: key, side: side, value: value)
  }

  private static func value(_ text: Substring) -> String?? {
    if text == "-" { return .some(nil) }
    guard text.first == "x", text.utf8.count % 2 == 1 else { return nil }
    var bytes: [UInt8] = []
    var rest = text.dropFirst()
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self).map { .some($0) }
  }
}
