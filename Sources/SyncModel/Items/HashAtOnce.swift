extension Hasher {
  /// Takes in bytes at once, where an array gives each of them by itself.
  package mutating func combine(atOnce bytes: [UInt8]) {
    bytes.withUnsafeBytes { combine(bytes: $0) }
  }
}
