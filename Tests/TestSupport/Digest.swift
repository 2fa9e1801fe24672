private import CCrypto
public import SyncModel

/// SHA-256, as the composition hands it to every layer.
public let sha256: DigestFunction = { bytes in
  var digest = [UInt8](repeating: 0, count: 32)
  var length: UInt32 = 0
  _ = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
  return ContentDigest(bytes: digest)
}
