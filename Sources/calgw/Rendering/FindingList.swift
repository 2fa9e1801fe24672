import CalgwKit
import Synchronization

/// The findings of `doctor`, each shown as soon as it is made, below whom they are about.
final class FindingList: Sendable {
  private let console: Console
  private let subject = Mutex<Finding.Subject?>(nil)

  init(_ console: Console) { self.console = console }

  func show(_ finding: Finding) {
    if console.isJSON { return console.print(finding.json) }
    if console.isQuiet, finding.result == .ok || finding.result == .skipped { return }
    let isNew = subject.withLock { subject in
      defer { subject = finding.subject }
      return subject != finding.subject
    }
    if isNew { console.print(console.styled(visibleText(finding.subject.words), .bold)) }
    let name = finding.step.rawValue.replacing("-", with: " ")
    console.print("  \(word(for: finding.result)) \(name): \(explanation(finding.message))")
    if !finding.place.isEmpty { console.print("          where: \(visibleText(finding.place))") }
    if !finding.why.isEmpty { console.print("          why:   \(explanation(finding.why))") }
    if !finding.hint.isEmpty { console.print("          do:    \(console.advice(finding.hint))") }
  }

  /// All of one width.
  private func word(for result: Finding.Result) -> String {
    switch result {
    case .ok: console.styled("ok     ", .green)
    case .warning: console.styled("warning", .yellow)
    case .failed: console.styled("failed ", .red)
    case .skipped: console.styled("skipped", .faint)
    }
  }
}
