/// What goes wrong with one request.
public enum ModelFault: Sendable, Hashable {
  /// This is answered instead, and nothing is done.
  case answer(Int, headers: [[String]] = [], body: String = "")
  /// It is done, and this is answered.
  case actThenAnswer(Int)
  /// The connection is refused: nothing was sent.
  case noConnection
  /// The connection breaks before the server saw the request; the client cannot know that.
  case lostBefore
  /// The connection breaks after the server acted.
  case lostAfter
  /// Nothing comes within the time limit, and nothing is done.
  case silent
  /// The connection, which had carried another exchange, ends without a byte of the answer.
  case unanswered(isDone: Bool)
  /// HTTP/2 fails with an error of its own, and nothing is done; over HTTP/1.1 all is well.
  case brokenHTTP2
  /// The answer breaks off after so many bytes, and that is noticed.
  case truncated(Int)
  /// The answer breaks off after so many bytes of a body without a length.
  case cutUnnoticed(Int)
  /// A login page with status 200.
  case webPage
  /// The program is killed before the request, or after it was carried out.
  case stopBefore
  case stopAfter
}

/// A request as the server saw it.
public struct ModelRequest: Sendable, Hashable {
  /// From 1, over the life of the server.
  public var number: Int
  public var method: String
  public var url: String
  public var headers: [String: String]
  public var bodyBytes: Int
  public var wantsNewConnection = false
  public var avoidsHTTP2 = false
  /// The status answered; nil while it is not, or if the answer was lost.
  public var status: Int?

  /// As `PUT /calendars/alice/work/a.ics`.
  public var line: String { "\(method) \(path)" }

  public var path: String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let slash = parts[2].firstIndex(of: "/") else { return url }
    return String(parts[2][slash...])
  }
}
