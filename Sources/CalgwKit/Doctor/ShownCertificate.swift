import CCrypto
import Glibc

/// What a certificate says of itself (X.509).
struct ShownCertificate: Sendable, Hashable {
  /// Whose it is and who made it, as `CN=dav.example.org`.
  var subject: String
  var issuer: String
  /// From when on it is worth nothing, in seconds since 1970.
  var expires: Int64
  /// SHA-256 of its public key (SubjectPublicKeyInfo in DER): what `pin_sha256` takes.
  var keyDigest: [UInt8]

  /// Nil where the bytes are no certificate in PEM.
  init?(pem: [UInt8]) {
    guard let count = Int32(exactly: pem.count) else { return nil }
    let certificate = pem.withUnsafeBytes { bytes -> OpaquePointer? in
      guard let source = BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
      defer { BIO_free(source) }
      return PEM_read_bio_X509(source, nil, nil, nil)
    }
    guard let certificate else { return nil }
    defer { X509_free(certificate) }
    var time = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1,
      let key = Self.publicKey(of: certificate)
    else { return nil }
    expires = Int64(timegm(&time))
    subject = Self.text(X509_get_subject_name(certificate))
    issuer = Self.text(X509_get_issuer_name(certificate))
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

  private static func publicKey(of certificate: OpaquePointer) -> [UInt8]? {
    var der: UnsafeMutablePointer<UInt8>?
    let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
    guard length > 0, let der else { return nil }
    defer { CRYPTO_free(der, nil, 0) }
    return Array(UnsafeBufferPointer(start: der, count: Int(length)))
  }
}
