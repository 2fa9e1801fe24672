import Glibc
import WebDAV

/// A file of certificates or keys in the textual encoding of RFC 7468, read whole.
struct PEMFile {
  /// The largest file read: the system's own authorities are about 200 KiB.
  static let largestFile = 16 * 1024 * 1024

  let bytes: [UInt8]
  private let path: String
  private let what: String

  /// - Parameter what: the file's part in messages, as `CA file`.
  init(_ path: String, what: String) throws(TransportError) {
    self.path = path
    self.what = what
    do { bytes = try Self.contents(of: path) } catch {
      throw .unusable(path, what, error.reason)
    }
  }

  /// Throws unless it holds a block with one of the labels.
  func require(_ labels: [String], named name: String) throws(TransportError) {
    guard labels.contains(where: holds) else {
      throw .unusable(path, what, "it holds no PEM \(name)")
    }
  }

  /// The certificate can be shown and its key used without asking anybody.
  static func check(_ identity: CurlTransport.ClientCertificate) throws(TransportError) {
    let certificate = try PEMFile(identity.certificateFile, what: "client certificate")
    try certificate.require(["CERTIFICATE", "TRUSTED CERTIFICATE"], named: "certificate")
    let key = try PEMFile(identity.keyFile, what: "client key")
    // RFC 1421 marks the older form of an encrypted key in a header of its block.
    let isLocked =
      key.holds("ENCRYPTED PRIVATE KEY")
      || key.lines.contains { $0.starts(with: "Proc-Type: 4,ENCRYPTED".utf8) }
    guard !isLocked else {
      throw .unusable(
        identity.keyFile, key.what, "it has a passphrase; write a copy without one, of mode 600")
    }
    let kinds = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY"]
    try key.require(kinds, named: "private key")
  }

  private var lines: [ArraySlice<UInt8>] { bytes.split { $0 == 0x0A || $0 == 0x0D } }

  private func holds(_ label: String) -> Bool {
    let marker = Array("-----BEGIN \(label)-----".utf8)
    return lines.contains { $0.starts(with: marker) }
  }

  private struct Unreadable: Error {
    let reason: String
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
}

extension TransportError {
  fileprivate static func unusable(
    _ path: String, _ what: String, _ why: String
  ) -> TransportError {
    TransportError(.tls, "cannot use the \(what) \(path): \(why)", mayHaveActed: false)
  }
}
