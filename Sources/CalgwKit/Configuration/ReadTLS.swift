/// Reads whom one trusts, and the certificate one shows.
func readTLS(
  into account: inout AccountConfiguration, _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) {
  account.authoritiesFile = try reader.path("ca_file", in: context)
  account.clientCertificate = try reader.path("client_cert", in: context)
  account.clientKey = try reader.path("client_key", in: context)
  for key in ["ca_file", "client_cert", "client_key"] {
    guard let path = try reader.path(key, in: context) else { continue }
    account.placesOfFiles[path] = reader.error(key, "", hint: "").place
  }
  if account.clientKey != nil, account.clientCertificate == nil {
    throw reader.error("client_cert", "missing key", hint: "write client_cert = \"PATH\"")
  }
  account.pinnedKeys = try readPins(reader)
  let isEncrypted = account.url.lowercased().hasPrefix("https://")
  for key in ["client_cert", "pin_sha256"] where reader.has(key) && !isEncrypted {
    throw reader.error(
      key, "plain http has no certificates", hint: "write https:// in url, or remove the key")
  }
}

private func readPins(_ reader: TableReader) throws(ConfigurationError) -> [[UInt8]] {
  guard let value = reader.table["pin_sha256"] else { return [] }
  let texts: [String] =
    if case .string(let text) = value.content { [text] } else {
      try reader.strings("pin_sha256") ?? []
    }
  guard !texts.isEmpty else {
    throw reader.error(
      "pin_sha256", "the list is empty", hint: "write the digest of the server's public key")
  }
  var pins: [[UInt8]] = []
  for text in texts {
    guard let pin = parsePin(text) else {
      throw reader.error(
        "pin_sha256", "\"\(text)\" is no SHA-256 digest",
        hint: "write the SHA-256 of the public key in 64 hexadecimal digits or in Base64")
    }
    pins.append(pin)
  }
  return pins
}

/// Reads the SHA-256 digest of a public key: 64 hexadecimal digits, with or without colons, or
/// Base64, with or without `sha256//` before it.
func parsePin(_ text: String) -> [UInt8]? {
  let text = text.hasPrefix("sha256//") ? text.dropFirst(8) : text[...]
  let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
  if digits.count == 64 {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == 64 else { return nil }
    return (0..<32).map { UInt8(truncatingIfNeeded: values[2 * $0] << 4 | values[2 * $0 + 1]) }
  }
  let bytes = decodeBase64(Array(text.utf8))
  return bytes?.count == 32 ? bytes : nil
}

/// RFC 4648 §4, with its padding; nil for anything else.
func decodeBase64(_ text: [UInt8]) -> [UInt8]? {
  guard text.count.isMultiple(of: 4) else { return nil }
  let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
  guard padding <= 2 else { return nil }
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for byte in text.dropLast(padding) {
    guard let value = base64Value(byte) else { return nil }
    bits = (bits << 6 | value) & 0xFF_FFFF
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return bytes
}

private func base64Value(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
