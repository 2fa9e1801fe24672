import CCrypto
import CurlTransport

extension AccountConfiguration {
  /// Longer than any file of certificates and a key of one's own, in bytes.
  static let longestCertificate = 1 << 20

  /// The certificate that is shown to the server, with its key; nil: none is.
  var identity: CurlTransport.ClientCertificate? {
    clientCertificate.map {
      CurlTransport.ClientCertificate(certificateFile: $0, keyFile: clientKey)
    }
  }

  /// Throws where the key is that of another certificate, which a connection would tell too late,
  /// and without the names of the keys. What is wrong with either file alone, the transport says.
  func checkIdentity() throws(RunFailure) {
    guard let identity,
      let certificate = try? SmallFile(
        reading: identity.certificateFile, limit: Self.longestCertificate),
      let key = try? SmallFile(reading: identity.keyFile, limit: Self.longestCertificate),
      belongs(key: key.bytes, to: certificate.bytes) == false
    else { return }
    throw RunFailure(
      .configuration, code: "bad-configuration",
      message: clientKey == nil
        ? "the key in client_cert (\(identity.certificateFile)) does not belong to the certificate"
        : "client_key (\(identity.keyFile)) does not belong to client_cert "
          + "(\(identity.certificateFile))",
      place: placesOfFiles[identity.keyFile] ?? place,
      hint: "set client_key to the key that the certificate was made for")
  }
}

/// Whether a private key is that of a certificate, both in PEM; nil where one cannot be read.
private func belongs(key: [UInt8], to certificate: [UInt8]) -> Bool? {
  withPEM(certificate) { source -> Bool? in
    guard let certificate = PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
    defer { X509_free(certificate) }
    return withPEM(key) { source -> Bool? in
      // Nobody is asked for a passphrase.
      guard let key = PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil) else {
        return nil
      }
      defer { EVP_PKEY_free(key) }
      return X509_check_private_key(certificate, key) == 1
    }
  }
}

/// Hands a text to OpenSSL to read; nil where it takes none, or where the reading gives nothing.
func withPEM<Value>(_ text: [UInt8], _ read: (OpaquePointer) -> Value?) -> Value? {
  guard let count = Int32(exactly: text.count) else { return nil }
  return text.withUnsafeBytes { bytes in
    guard let source = BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
    defer { BIO_free(source) }
    return read(source)
  }
}
