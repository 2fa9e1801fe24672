import CalgwKit
import Glibc

/// An event as text in a person's editor: opened again after a mistake, and never lost.
struct EditingAsText {
  let item: FoundItem
  let gateway: Gateway
  let session: Session
  let isDryRun: Bool

  func run() async throws(RunFailure) -> ExitStatus {
    let editor = try TextEditor(
      session.environment, hasTerminal: isatty(STDIN_FILENO) == 1)
    let copy = try gateway.copyForEditor(item)
    do throws(RunFailure) {
      guard let text = try edit(copy, editor) else {
        copy.remove()
        if session.console.isJSON {
          session.console.show(EditReport.nothing(of: item, isDryRun: isDryRun))
        } else if !session.console.isQuiet {
          session.console.note("nothing was changed")
        }
        return .success
      }
      let report = try await gateway.replace(
        item, with: text, isDryRun: isDryRun, notice: session.notices)
      session.console.show(report)
      copy.remove()
      return .success
    } catch {
      try keep(copy, error)
    }
  }

  /// Gives the text once it has no mistake; nil where nothing is to change.
  private func edit(_ copy: EditorCopy, _ editor: TextEditor) throws(RunFailure) -> [UInt8]? {
    let interview = Interview(signals: session.signals, hint: Self.words(ofTextIn: copy))
    var line: Int?
    while true {
      try editor.edit(copy.path, atLine: line, signals: session.signals)
      guard let text = try copy.edited() else { return nil }
      guard let mistake = item.firstMistake(in: text) else { return text }
      let failure = RunFailure(
        .badInput, code: "mistake", message: mistake.message,
        place: mistake.line.map { "line \($0)" } ?? "", hint: "correct it; nothing was changed")
      guard interview.isPossible else { throw failure }
      session.console.report(failure)
      guard interview.confirms("Edit again?", default: true) else {
        throw RunFailure(
          .badInput, code: "mistake", message: "the edit was given up; nothing was changed",
          hint: "correct the text in an editor, then put it into the folder")
      }
      line = mistake.line
    }
  }

  /// Says where the text is that could not be put in place; a text that is as it was goes, unless
  /// the editor was broken off: it may be open still, or keep something beside the text.
  private func keep(_ copy: EditorCopy, _ failure: RunFailure) throws(RunFailure) -> Never {
    let isEdited = (try? copy.edited()) ?? nil != nil
    let isBrokenOff = failure.code == "interrupted"
    guard isEdited || isBrokenOff else {
      copy.remove()
      throw failure
    }
    var failure = failure
    failure.hint += failure.hint.isEmpty ? "" : ". "
    failure.hint +=
      isEdited
      ? Self.words(ofTextIn: copy)
      : copy.isAlone
        ? "If the editor is still open, what it saves will be in \(copy.path)"
        : "What the editor kept is beside \(copy.path)"
    throw failure
  }

  private static func words(ofTextIn copy: EditorCopy) -> String {
    "Your text is kept in \(copy.path)"
  }
}
