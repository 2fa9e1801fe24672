import CalgwKit
import Synchronization

/// Draws how far a run is, ten times a second at the most. What it waits for long is told in any
/// case.
final class ProgressLine: Sendable {
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  init(_ console: Console) { self.console = console }

  func show(_ progress: PairProgress) {
    if case .waiting = progress {
      if !console.isQuiet { console.note("note: \(visibleText(text(progress)))") }
      return
    }
    guard console.showsProgress else { return }
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      if let before = last, before.duration(to: now) < Self.interval { return false }
      last = now
      return true
    }
    if isDue { console.showProgress(text(progress)) }
  }

  private func text(_ progress: PairProgress) -> String {
    switch progress {
    case .waiting(let pair, let words): return "\(pair): \(words)"
    case .opening(let pair): return "\(pair): looking at both sides"
    case .collection(let pair, let name, let step):
      let place = "\(pair)/\(name)"
      switch step {
      case .listing(let side): return "\(place): listing the \(side.rawValue) side"
      case .reading(let side, let done, let total):
        return "\(place): reading \(done)/\(total) from the \(side.rawValue) side"
      case .writing(let side, let done, let total):
        return "\(place): writing \(done)/\(total) to the \(side.rawValue) side"
      }
    }
  }
}
