/// Gives the addresses of a `mailto:` URI as people write them (RFC 6068 §2), with commas between
/// several; nil for another URI.
package func mailtoAddresses(in uri: String) -> String? {
  let scheme = "mailto:"
  guard uri.prefix(scheme.count).lowercased() == scheme else { return nil }
  // Header fields follow the first question mark; one within an address is encoded.
  let addresses = uri.dropFirst(scheme.count).prefix { $0 != "?" }
  return addresses.split(separator: ",").map(decoded).joined(separator: ", ")
}

/// What encodes no text, or a control character, stays as it is spelled.
private func decoded(_ address: Substring) -> String {
  guard let octets = octets(of: address), let text = String(validating: octets, as: UTF8.self),
    text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
  else { return String(address) }
  return text
}

/// Nil where a percent sign has no two hexadecimal digits behind it.
private func octets(of address: Substring) -> [UInt8]? {
  var octets: [UInt8] = []
  var rest = Array(address.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      octets.append(byte)
      continue
    }
    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
    guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
      let octet = UInt8(digits, radix: 16)
    else { return nil }
    octets.append(octet)
    rest = rest.dropFirst(2)
  }
  return octets
}
