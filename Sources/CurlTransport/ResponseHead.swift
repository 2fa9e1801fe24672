package import WebDAV

/// Collects the header lines of one exchange and keeps those of the final answer.
///
/// Interim answers (1xx), the round of a digest challenge and trailers are counted against the
/// limits and then forgotten.
package struct ResponseHead {
  package enum Fault: Equatable {
    case tooManyBytes
    case tooManyLines
    /// A transfer coding that nobody asked for; libcurl would inflate it.
    case unwantedCoding
    case noStatus
  }

  private enum Stage { case nothing, withinHead, afterHead, withinBody }

  private let maxBytes: Int
  private let maxLines: Int
  private var bytes = 0
  private var lines = 0
  private var stage = Stage.nothing
  private(set) var status = 0
  /// How often a digest was asked for in this exchange, the final answer included.
  package private(set) var challenges = 0
  /// Of the last challenge for Digest in this exchange.
  package private(set) var nonce: [UInt8]?
  private var headers: [HTTPHeader] = []

  package init(maxBytes: Int, maxLines: Int) {
    self.maxBytes = maxBytes
    self.maxLines = maxLines
  }

  /// The head of the final answer once its last line came.
  package var final: HTTPResponseHead? {
    guard stage == .afterHead || stage == .withinBody, status >= 200 else { return nil }
    return HTTPResponseHead(status: status, headers: headers)
  }

  /// The codings of the body, one within the other (RFC 9110 section 8.4).
  var codings: [[UInt8]] {
    values(of: "content-encoding").flatMap { $0.split(separator: UInt8(ascii: ",")) }
      .map { ASCII.trimmed($0) }
      .filter { !$0.isEmpty && $0 != Array("identity".utf8) }
  }

  /// As RFC 9110 section 8.4.1 has them, with two that came later.
  private static let knownCodings: Set<String> = [
    "br", "compress", "deflate", "gzip", "x-compress", "x-gzip", "zstd",
  ]

  /// The body is said to be in a coding, and that is none: by `UTF-8` some mean its letters.
  var namesNoCoding: Bool {
    let names = codings.map { String(decoding: $0, as: UTF8.self) }
    return !names.isEmpty && Self.knownCodings.isDisjoint(with: names)
  }

  /// The server offers Digest (RFC 7616 section 3.3).
  package var challengesForDigest: Bool { status == 401 && digestOffer != nil }

  private var digestOffer: DigestOffer? {
    DigestOffer(HTTPResponseHead(status: status, headers: headers))
  }

  /// From here on header lines are trailers.
  mutating func bodyBegins() { if stage == .afterHead { stage = .withinBody } }

  /// Takes one line with its end.
  package mutating func take(_ line: UnsafeRawBufferPointer) -> Fault? {
    bytes += line.count
    if bytes > maxBytes { return .tooManyBytes }
    let content = line.last == 0x0A ? line.dropLast() : line[...]
    let text = content.last == 0x0D ? content.dropLast() : content
    if text.isEmpty {
      if stage == .withinHead {
        stage = .afterHead
        if challengesForDigest {
          challenges += 1
          // Without a nonce it is none (RFC 7616 section 3.3).
          nonce = digestOffer?.nonce
        }
      }
      return nil
    }
    lines += 1
    if lines > maxLines { return .tooManyLines }
    switch stage {
    case .nothing, .afterHead: return begin(text)
    case .withinHead: return append(text)
    case .withinBody: return nil
    }
  }

  private mutating func begin(_ text: Slice<UnsafeRawBufferPointer>) -> Fault? {
    guard text.starts(with: "HTTP/".utf8) else {
      // Trailers of an empty chunked body come here.
      return stage == .afterHead ? nil : .noStatus
    }
    let fields = text.split(separator: 0x20, maxSplits: 2)
    guard fields.count >= 2, fields[1].count == 3, fields[1].allSatisfy(ASCII.isDigit) else {
      return .noStatus
    }
    status = fields[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    headers = []
    stage = .withinHead
    return nil
  }

  private mutating func append(_ text: Slice<UnsafeRawBufferPointer>) -> Fault? {
    if let first = text.first, first == 0x20 || first == 0x09 {
      // A folded line (RFC 9112 section 5.2): its content goes to the line before.
      if let last = headers.indices.last { headers[last].value += [0x20] + ASCII.trimmed(text) }
      return nil
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    guard !name.isEmpty, name.allSatisfy(ASCII.isTokenByte) else { return nil }
    let header = HTTPHeader(
      String(decoding: name, as: UTF8.self), ASCII.trimmed(text[colon...].dropFirst()))
    headers.append(header)
    guard header.name.lowercased() == "transfer-encoding" else { return nil }
    let coding = header.value.map(ASCII.lowercase)
    return coding == Array("chunked".utf8) || coding == Array("identity".utf8)
      ? nil : .unwantedCoding
  }

  private func values(of name: String) -> [[UInt8]] {
    headers.filter { $0.name.lowercased() == name }.map { $0.value.map(ASCII.lowercase) }
  }
}
