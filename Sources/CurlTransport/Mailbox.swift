import CCurl
import Synchronization

/// How callers on any thread reach the event loop.
final class Mailbox: Sendable {
  struct Letters {
    var submitted: [Transfer] = []
    var cancelled: [UInt64] = []
    var isStopping = false

    var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty && !isStopping }
  }

  private struct State {
    var letters = Letters()
    var isOpen = true
  }

  private let state = Mutex(State())
  /// Only to wake the loop, which any thread may do while the mailbox is open.
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  init(waking multi: UnsafeMutableRawPointer) { self.multi = multi }

  /// False if the loop is ending and takes no more.
  func submit(_ transfer: Transfer) -> Bool { post { $0.submitted.append(transfer) } }

  func cancel(_ id: UInt64) { _ = post { $0.cancelled.append(id) } }

  func stop() { _ = post { $0.isStopping = true } }

  func collect() -> Letters {
    state.withLock { state in
      defer { state.letters = Letters() }
      // From here on nobody wakes the loop, so it may take libcurl down.
      if state.letters.isStopping { state.isOpen = false }
      return state.letters
    }
  }

  /// The loop is woken by the first letter only: it collects all that are there, and libcurl
  /// remembers a call that comes before the loop sleeps.
  private func post(_ change: (inout Letters) -> Void) -> Bool {
    state.withLock { state in
      guard state.isOpen && !state.letters.isStopping else { return false }
      let isFirst = state.letters.isEmpty
      change(&state.letters)
      if isFirst { curl_multi_wakeup(multi) }
      return true
    }
  }
}
