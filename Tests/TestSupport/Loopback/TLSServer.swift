import Glibc

/// Certificates made by the `openssl` command in a directory of their own, which goes with them.
public final class TestCertificates: Sendable {
  /// A certificate and its key in PEM files.
  public struct Identity: Sendable {
    public let certificate: String
    public let key: String

    /// - Parameter certificate: a file that may hold more of the chain after the certificate.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }

    /// The SHA-256 digest of the public key (SubjectPublicKeyInfo in DER), as openssl has it.
    public func publicKeyDigest() throws(LoopbackError) -> [UInt8] {
      let program = try Program([
        "sh", "-c",
        "openssl x509 -in \(certificate) -pubkey -noout | openssl pkey -pubin -outform DER "
          + "| openssl dgst -sha256 -r",
      ])
      let digits = Array((program.readLine() ?? "").prefix(64)).compactMap(\.hexDigitValue)
      guard program.wait() == 0, digits.count == 64 else {
        throw LoopbackError(text: "openssl gave no digest")
      }
      return (0..<32).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
    }
  }

  private let directory: String
  /// The file of the authority that signed all the others; no system trusts it.
  public let authority: String
  /// For the hosts `localhost` and `dav.example.test`, and the address 127.0.0.1.
  public let valid: Identity
  /// The same, but its time was over yesterday.
  public let expired: Identity
  /// For the host `calendar.example`.
  public let wrongHost: Identity
  /// Valid for long, and signed by `intermediate`.
  public let underIntermediate: Identity
  /// The file of an authority that the other one signed, valid for two days.
  public let intermediate: String

  /// The tests of TLS need the `openssl` command.
  public static let canBeMade = (try? Program(["openssl", "version"]))?.wait() == 0

  public init() throws(LoopbackError) {
    var template = Array("/tmp/calgw-loopback-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw LoopbackError("mkdtemp") }
    let directory = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.directory = directory
    authority = "\(directory)/authority.pem"
    try Self.run(
      ["openssl", "req", "-x509", "-subj", "/CN=authority", "-days", "2"] + Self.newKey
        + ["-keyout", "\(directory)/authority.key", "-out", authority])
    let local = "DNS:localhost,DNS:dav.example.test,IP:127.0.0.1"
    valid = try Self.identity("valid", names: local, days: 2, in: directory)
    expired = try Self.identity("expired", names: local, days: -1, in: directory)
    wrongHost = try Self.identity("other", names: "DNS:calendar.example", days: 2, in: directory)
    intermediate = try Self.identity(
      "intermediate", names: "DNS:intermediate", days: 2, in: directory, isAuthority: true
    ).certificate
    underIntermediate = try Self.identity(
      "under", names: local, days: 400, by: "intermediate", in: directory)
  }

  deinit {
    for name in ["authority", "valid", "expired", "other", "intermediate", "under"] {
      for suffix in ["pem", "key", "request"] { unlink("\(directory)/\(name).\(suffix)") }
    }
    rmdir(directory)
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  private static func identity(
    _ name: String, names: String, days: Int, by authority: String = "authority",
    in directory: String, isAuthority: Bool = false
  ) throws(LoopbackError) -> Identity {
    let path = "\(directory)/\(name)"
    try run(
      ["openssl", "req", "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(names)"]
        + (isAuthority ? ["-addext", "basicConstraints=critical,CA:TRUE"] : []) + newKey
        + ["-keyout", "\(path).key", "-out", "\(path).request"])
    try run([
      "openssl", "x509", "-req", "-in", "\(path).request", "-CA", "\(directory)/\(authority).pem",
      "-CAkey", "\(directory)/\(authority).key", "-days", "\(days)", "-copy_extensions", "copy",
      "-out", "\(path).pem",
    ])
    return Identity(certificate: "\(path).pem", key: "\(path).key")
  }

  private static func run(_ arguments: [String]) throws(LoopbackError) {
    guard try Program(arguments).wait() == 0 else {
      throw LoopbackError(text: "failed: \(arguments.joined(separator: " "))")
    }
  }
}

/// `openssl s_server` on 127.0.0.1.
public final class TLSServer: Sendable {
  public let port: UInt16
  private let program: Program

  /// - Parameters:
  ///   - arguments: more of `s_server`, such as `-www` to answer every request with status 200
  ///     and a page, or `-tls1_1`.
  ///   - speaking: bytes sent on the first connection after the handshake.
  public init(
    _ identity: TestCertificates.Identity, arguments: [String], speaking: [UInt8] = []
  ) throws(LoopbackError) {
    program = try Program(
      [
        "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key",
        identity.key,
      ] + arguments)
    var found: UInt16?
    while found == nil, let line = program.readLine() {
      guard line.hasPrefix("ACCEPT "), let colon = line.lastIndex(of: ":") else { continue }
      found = UInt16(line[colon...].dropFirst())
    }
    guard let found else { throw LoopbackError(text: "openssl s_server did not start") }
    port = found
    if !speaking.isEmpty { program.write(speaking) }
  }

  public func stop() { program.stop() }
}
