import CCurl
import WebDAV

/// The system's certificates and those of a file of the user's, for libcurl to read at each new
/// connection.
///
/// libcurl takes one file and one directory. The system's directory stays in use, but not every
/// system has one, hence both files in one piece of memory.
final class TrustStore: Sendable {
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  init(extraFile path: String) throws(TransportError) {
    let extra = try PEMFile(path, what: "CA file")
    try extra.require(["CERTIFICATE", "TRUSTED CERTIFICATE"], named: "certificate")
    let system = Self.systemFile.flatMap { try? PEMFile($0, what: "CA file").bytes } ?? []
    let both = system + [0x0A] + extra.bytes
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: both.count, alignment: 1)
    memory.copyBytes(from: both)
    bytes = UnsafeRawBufferPointer(memory)
  }

  deinit { bytes.deallocate() }

  /// The file that libcurl was built to use.
  private static var systemFile: String? {
    guard let easy = curl_easy_init() else { return nil }
    defer { curl_easy_cleanup(easy) }
    var path: UnsafePointer<CChar>?
    guard ccurl_get_string(easy, CURLINFO_CAINFO, &path) == CURLE_OK else { return nil }
    return path.map { String(cString: $0) }
  }
}
