/// Everything that happened in a world, as a number (FNV-1a) and, where asked for, as lines.
struct Trace {
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var lines: [String] = []
  let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func add(_ line: @autoclosure () -> String) {
    var line = line()
    line.withUTF8 { bytes in for byte in bytes { mix(byte) } }
    mix(10)
    if keepsLines { lines.append(line) }
  }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { mix(byte) }
  }

  private mutating func mix(_ byte: UInt8) {
    hash ^= UInt64(byte)
    hash &*= 0x0000_0100_0000_01B3
  }
}
