import CCrypto
import Glibc

/// What a certificate says of itself (X.509).
struct ShownCertificate: Sendable, Hashable {
  /// Whose it is and who made it, as `CN=dav.example.org`.
  var subject: String
  var issuer: String
  /// From when on it is worth nothing, in seconds since 1970.
  var expires: Int64
  /// The names and addresses of hosts that it is for, in its order.
  var hosts: [String]
  /// SHA-256 of its public key (SubjectPublicKeyInfo in DER): what `pin_sha256` takes.
  var keyDigest: [UInt8]

  /// Nil where the bytes are no certificate in PEM.
  init?(pem: [UInt8]) {
    let certificate = withPEM(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
    guard let certificate else { return nil }
    defer { X509_free(certificate) }
    var time = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1,
      let key = Self.publicKey(of: certificate)
    else { return nil }
    expires = Int64(timegm(&time))
    subject = Self.text(X509_get_subject_name(certificate))
    issuer = Self.text(X509_get_issuer_name(certificate))
    hosts = Self.hosts(of: certificate)
    keyDigest = liveDigest(key).bytes
  }

  /// At most so many bytes of a name are shown.
  private static let longestName: Int32 = 200

  private static func text(_ name: OpaquePointer?) -> String {
    var buffer = [CChar](repeating: 0, count: Int(longestName))
    guard X509_NAME_oneline(name, &buffer, longestName) != nil else { return "?" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "/").joined(separator: ", ")
  }

  /// At most so many bytes of a list of hosts are looked at.
  private static let longestHosts = 4096

  private static func hosts(of certificate: OpaquePointer) -> [String] {
    let index = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1)
    guard index >= 0, let list = X509_get_ext(certificate, index), let text = BIO_new(BIO_s_mem())
    else { return [] }
    defer { BIO_free(text) }
    guard X509V3_EXT_print(text, list, 0, 0) == 1 else { return [] }
    var buffer = [UInt8](repeating: 0, count: longestHosts)
    let count = Int(max(0, BIO_read(text, &buffer, Int32(buffer.count))))
    // As `DNS:localhost, IP Address:127.0.0.1`.
    return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: ",")
      .compactMap { entry in
        let parts = entry.drop { $0 == " " }.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "DNS" || parts[0] == "IP Address" else { return nil }
        return String(parts[1])
      }
  }

  private static func publicKey(of certificate: OpaquePointer) -> [UInt8]? {
    var der: UnsafeMutablePointer<UInt8>?
    let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
    guard length > 0, let der else { return nil }
    defer { CRYPTO_free(der, nil, 0) }
    return Array(UnsafeBufferPointer(start: der, count: Int(length)))
  }
}
