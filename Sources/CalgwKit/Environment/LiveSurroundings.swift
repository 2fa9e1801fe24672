import CCrypto
import Glibc
public import SyncModel

extension Surroundings {
  /// The system's clock and chance, and real waiting.
  public static let live = Surroundings(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000).partialValue
      return Instant(milliseconds: seconds &+ Int64(time.tv_nsec) / 1_000_000)
    },
    newUUID: { randomUUID() },
    pause: { milliseconds in
      try? await Task.sleep(for: .milliseconds(max(0, milliseconds)))
    })
}

/// A UUID of version 4 (RFC 9562 §5.4), from the system's random numbers.
private func randomUUID() -> String {
  var bytes = randomBytes(16)
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = Array(hexadecimal(bytes))
  let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
  return groups.map { String(digits[$0]) }.joined(separator: "-")
}

/// Bytes that nobody can guess, from the system's random numbers.
func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

/// SHA-256 by libcrypto, as every layer gets it.
public let liveDigest: DigestFunction = { bytes in
  var digest = [UInt8](repeating: 0, count: 32)
  var length: UInt32 = 0
  _ = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
  return ContentDigest(bytes: digest)
}
