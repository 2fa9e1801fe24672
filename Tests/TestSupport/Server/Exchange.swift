public import WebDAV

/// A recorded conversation with a server, as a readable text.
///
///     # free text
///     @ name value                 facts for the test that plays it
///     > PROPFIND http://host/path  a request; then headers that it must have
///     > Depth: 0
///     > If-Match: none             and that it must not have
///     > credentials: none          or basic, digest
///     >> some text                 that its body must contain
///     !>> some text                and that it must not contain
///     < 207 and then headers
///     < credentials: unasked       it did not ask for those of Digest, which did not go out
///     < Content-Type: application/xml
///     body to the next request
public struct Exchange: Sendable {
  public struct Turn: Sendable {
    public var method = ""
    public var url = ""
    public var headers: [HTTPHeader] = []
    public var bodyParts: [String] = []
    public var unwantedParts: [String] = []
    public var status = 0
    public var answerHeaders: [HTTPHeader] = []
    public var answersAnybody = false
    public var answer = ""
  }

  public struct Malformed: Error {
    public let line: String
  }

  public private(set) var facts: [(name: String, value: String)] = []
  public private(set) var turns: [Turn] = []

  /// The values of a fact, in order.
  public func facts(_ name: String) -> [String] {
    facts.filter { $0.name == name }.map(\.value)
  }

  public init(_ text: String) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = String(line)
      if line.hasPrefix(">> ") {
        try last { $0.bodyParts.append(String(line.dropFirst(3))) }
      } else if line.hasPrefix("!>> ") {
        try last { $0.unwantedParts.append(String(line.dropFirst(4))) }
      } else if line.hasPrefix("> ") {
        try takeRequest(String(line.dropFirst(2)))
      } else if line.hasPrefix("< ") {
        try takeAnswer(String(line.dropFirst(2)))
      } else if let turn = turns.last, turn.status > 0 {
        try last { $0.answer += line + "\n" }
      } else if line.hasPrefix("@ ") {
        let words = line.dropFirst(2).split(separator: " ", maxSplits: 1).map(String.init)
        guard let name = words.first else { throw Malformed(line: line) }
        facts.append((name, words.count > 1 ? words[1] : ""))
      } else if !line.isEmpty, !line.hasPrefix("#") {
        throw Malformed(line: line)
      }
    }
  }

  private mutating func takeRequest(_ line: String) throws {
    if let header = Self.header(line), turns.last?.status == 0 {
      try last { $0.headers.append(header) }
      return
    }
    let words = line.split(separator: " ")
    guard words.count == 2 else { throw Malformed(line: line) }
    turns.append(Turn(method: String(words[0]), url: String(words[1])))
  }

  private mutating func takeAnswer(_ line: String) throws {
    if let turn = turns.last, turn.status == 0 {
      guard let status = Int(line) else { throw Malformed(line: line) }
      try last { $0.status = status }
    } else {
      guard let header = Self.header(line) else { throw Malformed(line: line) }
      try last {
        if header.name == "credentials" {
          $0.answersAnybody = true
        } else {
          $0.answerHeaders.append(header)
        }
      }
    }
  }

  private mutating func last(_ body: (inout Turn) -> Void) throws {
    guard !turns.isEmpty else { throw Malformed(line: "nothing was asked yet") }
    body(&turns[turns.count - 1])
  }

  private static func header(_ line: String) -> HTTPHeader? {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " }
    return HTTPHeader(String(line[..<colon]), String(value))
  }
}
