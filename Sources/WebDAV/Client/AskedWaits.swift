private import Synchronization

/// What the servers of a run asked to wait for: a run whose time is over has that to say as well.
package final class AskedWaits: Sendable {
  private struct State {
    var latest = ""
    var count = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The last time in words, without a full stop, and how often in all; nil where none asked.
  package var words: String? {
    state.withLock { state in
      guard state.count > 0 else { return nil }
      return state.latest + (state.count > 1 ? ", and \(state.count) times in all" : "")
    }
  }

  /// A server answered that it wants to be asked later.
  ///
  /// - Parameters:
  ///   - place: the origin that was asked: the address of a feed may be a secret.
  ///   - wait: the time that it named, in milliseconds; nil where it named none.
  func note(status: Int, of place: String, asking wait: Int64?) {
    let time = wait.map { " for \(Patience.inWords($0))" } ?? ""
    state.withLock { state in
      state.latest = "the server asked to wait\(time) (status \(status) of \(place))"
      state.count += 1
    }
  }
}
