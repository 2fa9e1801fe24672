/// A second CalDAV client, as small as can be, that shares no code with the product.
///
/// It speaks HTTP/1.0 with one connection a request, so that nothing has to be un-chunked.
public struct OtherClient: Sendable {
  let port: UInt16
  let authorization: String

  /// A client of a server on 127.0.0.1.
  public init(port: UInt16, username: String, password: String) {
    self.port = port
    authorization = "Basic " + base64(Array("\(username):\(password)".utf8))
  }

  /// Stores an item, whatever is there; with `ifMatch` only over that entity tag.
  @discardableResult
  public func put(
    _ path: String, _ body: [UInt8], ifMatch tag: String? = nil
  ) async throws -> PlainAnswer {
    var headers = ["Content-Type: text/calendar; charset=utf-8"]
    if let tag { headers.append("If-Match: \(tag)") }
    return try await send("PUT", path, headers: headers, body: body)
  }

  /// Reads one resource.
  public func get(_ path: String) async throws -> PlainAnswer {
    try await send("GET", path)
  }

  /// Deletes an item or a whole calendar.
  @discardableResult
  public func delete(_ path: String) async throws -> PlainAnswer {
    try await send("DELETE", path)
  }

  /// Makes an empty calendar; `path` ends with a slash.
  @discardableResult
  public func makeCalendar(_ path: String) async throws -> PlainAnswer {
    try await send("MKCALENDAR", path)
  }

  /// The items of a calendar: path → entity tag, both as the server spells them.
  public func list(_ path: String) async throws -> [String: String] {
    let question = #"<propfind xmlns="DAV:"><prop><getetag/><resourcetype/></prop></propfind>"#
    let answer = try await send(
      "PROPFIND", path, headers: ["Depth: 1", "Content-Type: application/xml"],
      body: Array(question.utf8))
    guard answer.status == 207 else { throw UnexpectedStatus(answer.status, "PROPFIND", path) }
    let responses = elements("response", in: String(decoding: answer.body, as: UTF8.self))
    let rows = responses.compactMap { response -> (String, String)? in
      guard let href = elements("href", in: response).first,
        let tag = elements("getetag", in: response).first, !href.hasSuffix("/")
      else { return nil }
      return (href, tag.split(separator: "&quot;").joined(separator: "\""))
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Sends any request and reads the whole answer.
  public func send(
    _ method: String, _ path: String, headers: [String] = [], body: [UInt8] = []
  ) async throws -> PlainAnswer {
    let lines =
      ["\(method) \(path) HTTP/1.0", "Host: 127.0.0.1:\(port)", "Connection: close"]
      + ["Authorization: \(authorization)", "Content-Length: \(body.count)"] + headers
    let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    let port = port
    let answer: Result<PlainAnswer, any Error> = await onOwnThread {
      Result { try PlainAnswer(exchange(request, port: port)) }
    }
    return try answer.get()
  }
}

/// A status that the caller cannot go on with.
public struct UnexpectedStatus: Error, CustomStringConvertible {
  public let description: String

  init(_ status: Int, _ method: String, _ path: String) {
    description = "\(method) \(path) was answered \(status)"
  }
}

/// The texts of all elements of this local name, in order; they do not nest in what is read here.
private func elements(_ name: String, in text: String) -> [String] {
  var found: [String] = []
  var rest = Substring(text)
  // `<D:href>`, `<href>` and `<D:href a="b">` begin one; `<hrefs>` does not.
  while let opening = rest.firstRange(of: #/<(?:[A-Za-z0-9]+:)?([A-Za-z-]+)(?: [^>]*)?>/#) {
    let tag = rest[opening].dropFirst().dropLast()
    let local = tag.prefix { $0 != " " }.split(separator: ":").last ?? ""
    rest = rest[opening.upperBound...]
    guard local == name else { continue }
    guard let closing = rest.firstRange(of: "</" + tag.prefix { $0 != " " } + ">") else { break }
    found.append(String(rest[..<closing.lowerBound]))
    rest = rest[closing.upperBound...]
  }
  return found
}

private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let padded = Array(group) + [UInt8](repeating: 0, count: 3 - group.count)
    let number = padded.reduce(0) { $0 << 8 | Int($1) }
    let digits = [18, 12, 6, 0].map { alphabet[number >> $0 & 63] }
    text += String(digits.prefix(group.count + 1)) + String(repeating: "=", count: 3 - group.count)
  }
  return text
}
