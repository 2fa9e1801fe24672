import CCurl
import Glibc
import WebDAV

/// The system's certificates and those of a file of the user's, for libcurl to read at each new
/// connection.
///
/// libcurl takes one file and one directory. The system's directory stays in use, but not every
/// system has one, hence both files in one piece of memory.
final class TrustStore: Sendable {
  /// The largest file read: the system's own is about 200 KiB.
  static let largestFile = 16 * 1024 * 1024

  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  init(extraFile path: String) throws(TransportError) {
    let extra: [UInt8]
    do { extra = try Self.contents(of: path) } catch { throw .unusable(path, error.reason) }
    guard Self.holdsCertificate(extra) else { throw .unusable(path, "it holds no PEM certificate") }
    let system = Self.systemFile.flatMap { try? Self.contents(of: $0) } ?? []
    let both = system + [0x0A] + extra
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: both.count, alignment: 1)
    memory.copyBytes(from: both)
    bytes = UnsafeRawBufferPointer(memory)
  }

  deinit { bytes.deallocate() }

  private struct Unreadable: Error {
    let reason: String
  }

  /// The file that libcurl was built to use.
  private static var systemFile: String? {
    guard let easy = curl_easy_init() else { return nil }
    defer { curl_easy_cleanup(easy) }
    var path: UnsafePointer<CChar>?
    guard ccurl_get_string(easy, CURLINFO_CAINFO, &path) == CURLE_OK else { return nil }
    return path.map { String(cString: $0) }
  }

  private static func contents(of path: String) throws(Unreadable) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= largestFile {
      let count = read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw Unreadable(reason: "it has more than 16 MiB")
  }

  private static func holdsCertificate(_ bytes: [UInt8]) -> Bool {
    let markers = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    return markers.contains { marker in lines.contains { $0.starts(with: marker.utf8) } }
  }
}

extension TransportError {
  fileprivate static func unusable(_ path: String, _ why: String) -> TransportError {
    TransportError(.tls, "cannot use the CA file \(path): \(why)", mayHaveActed: false)
  }
}
