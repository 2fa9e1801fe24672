import CCrypto
import Glibc
import ICalendar
import Recurrence
import SyncModel

/// What a store needs from the world: the zones of this machine, a digest, time and UIDs.

/// The zones of tzdata, each read from its file when it is first asked for.
let systemZones = ZoneCatalog { name in bytes(ofFile: "/usr/share/zoneinfo/" + name) }

let sha256: DigestFunction = { bytes in
  var digest = [UInt8](repeating: 0, count: 32)
  var length: UInt32 = 0
  _ = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
  return ContentDigest(bytes: digest)
}

let surroundings = Surroundings(
  now: { Instant(seconds: Int64(Glibc.time(nil))) }, newUUID: newUUID,
  pause: { _ = poll(nil, 0, Int32(clamping: $0)) })

/// The day that it is in UTC; nil where the clock is not in the years 0 to 9999.
func currentDay() -> CivilDate? {
  let seconds = Int(clamping: surroundings.now().milliseconds / 1000)
  return CivilDateTime(secondsSince1970: seconds)?.date
}

/// Writes a line to the standard error output.
func complain(_ message: String) {
  let line = Array((message + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

/// More than any zone's file has, in bytes.
private let fileLimit = 1 << 18

private func bytes(ofFile path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var buffer = [UInt8](repeating: 0, count: fileLimit)
  let count = fread(&buffer, 1, buffer.count, file)
  return count > 0 ? Array(buffer.prefix(count)) : nil
}

/// A random UUID (RFC 9562 §5.4).
private func newUUID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = bytes.map { byte in
    let text = String(byte, radix: 16)
    return byte < 16 ? "0" + text : text
  }
  return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    .joined(separator: "-")
}
