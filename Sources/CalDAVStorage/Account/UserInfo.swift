extension [UInt8] {
  /// A reference without what stands before the `@` of its authority (RFC 3986 §3.2.1): some
  /// servers put the user's name there. What follows it alone tells the host.
  var withoutUserInfo: [UInt8] {
    guard let slashes = firstRange(of: Array("//".utf8)),
      !self[..<slashes.lowerBound].contains(where: "/?#".utf8.contains)
    else { return self }
    let start = slashes.upperBound
    let end = self[start...].firstIndex(where: "/?#".utf8.contains) ?? endIndex
    guard let sign = self[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return self }
    return Array(self[..<start] + self[(sign + 1)...])
  }
}
