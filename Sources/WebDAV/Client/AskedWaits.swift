private import Synchronization

/// What the servers of a run asked to wait for: a run whose time is over has that to say as well,
/// and a person who looks on wants to know why nothing happens.
package final class AskedWaits: Sendable {
  private struct State {
    var latest = ""
    var count = 0
    /// When the last wait ends that was told, in milliseconds since 1970.
    var toldUntil = Int64.min
  }

  /// In milliseconds: nobody needs to be told of a shorter wait.
  private static let shortestTold: Int64 = 5000

  private let state = Mutex(State())
  private let tell: @Sendable (String) -> Void

  /// - Parameter tell: gets a sentence without a full stop when a long wait begins.
  package init(tell: @escaping @Sendable (String) -> Void = { _ in }) { self.tell = tell }

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

  /// A request waits for its turn. Of those that wait for the same one alone is told.
  func begin(_ wait: Int64, of place: String, at now: Int64) {
    guard wait >= Self.shortestTold else { return }
    let isNews = state.withLock { state in
      let (end, _) = now.addingReportingOverflow(wait)
      guard end > state.toldUntil else { return false }
      // Jitter and other requests end it a little later.
      state.toldUntil = end.addingReportingOverflow(Self.shortestTold).partialValue
      return true
    }
    if isNews { tell("waiting \(Patience.inWords(wait)) before \(place) is asked again") }
  }
}
