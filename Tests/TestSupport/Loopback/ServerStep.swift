/// One thing a `ScriptedServer` does on a connection, in the order of the script.
///
/// After the last step the server reads the next request of the connection, unless the script ended
/// the connection.
public enum ServerStep: Sendable {
  /// Sends bytes as they are.
  case send([UInt8])
  /// Sends one byte at a time with a pause after each.
  case trickle([UInt8], every: Duration)
  /// Sends the same bytes again and again until the client ends the connection.
  case sendForever([UInt8])
  /// Waits until this many bytes came and throws them away, or until the client ends.
  case read(Int)
  /// Goes on when somebody opens the gate.
  case wait(Gate)
  /// Sends and reads nothing until the client ends the connection or the server stops.
  case silence
  /// Tells a test how far the script is; what was sent before has reached the client's socket.
  case run(@Sendable () -> Void)
  /// Ends the server's half of the connection (FIN) and goes on with the script.
  case endOutput
  /// Ends the connection in an orderly way (FIN), what the client still sends is not looked at.
  case close
  /// Breaks the connection (RST).
  case reset

  /// A whole answer of HTTP/1.1 with its `Content-Length`; the connection stays open.
  public static func answer(
    _ status: Int, headers: KeyValuePairs<String, String> = [:], body: String = ""
  ) -> ServerStep {
    answer(status, headers: headers, body: Array(body.utf8))
  }

  /// A whole answer whose body is any bytes.
  public static func answer(
    _ status: Int, headers: KeyValuePairs<String, String> = [:], body: [UInt8]
  ) -> ServerStep {
    var head = "HTTP/1.1 \(status) Scripted\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    // RFC 9110 section 8.6: no length with 1xx and 204.
    if status >= 200 && status != 204 { head += "Content-Length: \(body.count)\r\n" }
    return .send(Array((head + "\r\n").utf8) + body)
  }

  /// What a captive portal or a login page answers: status 200 and HTML.
  public static let html = ServerStep.answer(
    200, headers: ["Content-Type": "text/html; charset=utf-8"],
    body: "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>")

  /// Sends a text as it is, line ends included.
  public static func send(_ text: String) -> ServerStep { .send(Array(text.utf8)) }
}
