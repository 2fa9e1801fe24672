import CalgwKit
import Glibc

/// Asks a person on the terminal; without one, says which option is missing.
struct Interview {
  let signals: StopSignals
  /// What a person who breaks a question off has to know; a signal leaves no time for more.
  var hint = ""
  /// A person can answer.
  let isPossible = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1

  /// The option's value, else the answer to the question.
  func answer(
    _ given: String?, option: String, _ question: String, default fallback: String? = nil
  ) throws(RunFailure) -> String {
    if let given { return given }
    guard isPossible else {
      throw .usage(
        "\(option) is missing", hint: "give \(option), or run `calgw init` on a terminal")
    }
    if let answer = optional(question) { return answer }
    try checkStop(at: option)
    if let fallback { return fallback }
    throw .usage("\(option) is missing", hint: "give \(option), or answer the question")
  }

  /// Throws where the process was told to stop: since then nobody was asked.
  func checkStop(at place: String) throws(RunFailure) {
    if let reason = signals.reason { throw .stopped(reason, place: place) }
  }

  /// The answer; nil where it is empty or nobody can be asked.
  func optional(_ question: String) -> String? {
    guard isPossible else { return nil }
    guard let line = line(question) else { return nil }
    var trimmed = line.drop { $0 == " " }
    while trimmed.last == " " { trimmed.removeLast() }
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Asks for a yes; no where nobody can be asked. An empty answer means `fallback`.
  func confirms(_ question: String, default fallback: Bool) -> Bool {
    guard isPossible else { return false }
    guard let line = line(question + (fallback ? " [Y/n] " : " [y/N] ")) else { return false }
    let answer = line.drop { $0 == " " }.lowercased()
    return answer.isEmpty ? fallback : answer.hasPrefix("y")
  }

  /// The same without showing what is typed.
  func secret(_ question: String) -> Secret? {
    guard isPossible else { return nil }
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // Ctrl-\ would end the process at once, and leave the terminal like this: it is no key now.
    withUnsafeMutableBytes(of: &hidden.c_cc) { $0[Int(VQUIT)] = 0 }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      Self.prompt("\n")
    }
    let (shown, hint) = (before, hint)
    let line = signals.asking(
      farewell: { reason in
        var shown = shown
        tcsetattr(STDIN_FILENO, TCSANOW, &shown)
        Self.leave(reason, hint)
      }, { Self.typedLine(after: question) })
    guard let line, !line.isEmpty else { return nil }
    return Secret(bytes: Array(line.utf8))
  }

  /// What is typed; nil at the end of the input, also within a line: who leaves by Ctrl-D has
  /// answered nothing.
  private func line(_ question: String) -> String? {
    let hint = hint
    let line = signals.asking(farewell: { Self.leave($0, hint) }) {
      Self.typedLine(after: question)
    }
    // Nobody has ended the line of the question.
    if line == nil { Self.prompt("\n") }
    return line
  }

  /// Nil at the end of the input, also within a line.
  private static func typedLine(after question: String) -> String? {
    prompt(question)
    guard let line = readLine(strippingNewline: false), line.last?.isNewline ?? false else {
      return nil
    }
    return String(line.dropLast())
  }

  /// Ends the line of a question that nobody answers any more, and says why.
  private static func leave(_ reason: StopReason, _ hint: String) {
    let advice = hint.isEmpty ? "" : "  do:    \(visibleText(hint, limit: 4096))\n"
    prompt("\nerror: \(RunFailure.stopped(reason, place: "").message)\n\(advice)")
  }

  private static func prompt(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
