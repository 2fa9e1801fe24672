public import SyncModel
import Synchronization

/// Counts effects and stops the program at one of them, as a kill would.
///
/// One fuse can be shared by all ports of a simulated world, so that the number of an effect is
/// unique in a run. A kill is not an abandoned task: from the chosen effect on every port throws
/// and changes nothing, until a fresh engine starts after `replace()`.
public final class Fuse: Sendable {
  /// On which side of the effect the kill falls.
  public enum Moment: Sendable, Hashable, CaseIterable {
    /// It did not happen.
    case before
    /// It happened, and its caller never learns of it.
    case after
  }

  /// What is to be done with an effect.
  public enum Verdict: Sendable, Hashable {
    case carryOut
    /// Carry it out, then throw.
    case carryOutAndStop
    /// Change nothing and throw.
    case stop
    /// Change nothing and throw this; the effects after it go on.
    case fail(JournalError)
  }

  private struct State {
    var effects = 0
    var stopAt: Int?
    var moment = Moment.before
    var isBlown = false
    var faults: [Int: JournalError] = [:]
    var director: Director?
  }

  /// Decides about each call of a journal, by its name (`begin`, `known`, …): it says whether the
  /// call would change anything.
  public typealias Director = @Sendable (_ call: String, _ isEffect: Bool) -> Verdict

  private let state = Mutex(State())

  /// Never stops until it is armed.
  public init() {}

  /// The number of effects so far.
  public var effects: Int { state.withLock { $0.effects } }
  public var isBlown: Bool { state.withLock { $0.isBlown } }

  /// Stops at effect `number`, counted from 1 over the life of the fuse.
  public func stop(at number: Int, _ moment: Moment = .before) {
    state.withLock {
      $0.stopAt = number
      $0.moment = moment
    }
  }

  /// Lets effect `number` fail alone: a busy or full journal.
  public func fail(at number: Int, with error: JournalError) {
    state.withLock { $0.faults[number] = error }
  }

  /// Makes a blown or armed fuse whole; the count goes on.
  public func replace() {
    state.withLock {
      $0.stopAt = nil
      $0.isBlown = false
      $0.faults = [:]
    }
  }

  /// Hands all decisions of a journal to somebody else; nil takes them back.
  public func direct(_ director: Director?) { state.withLock { $0.director = director } }

  /// Says what is to be done with a call that changes nothing.
  public func nextLook(_ call: String = "") -> Verdict {
    if let director = state.withLock({ $0.director }) { return director(call, false) }
    return isBlown ? .stop : .carryOut
  }

  /// Counts an effect and says what is to be done with it.
  public func nextEffect(_ call: String = "") -> Verdict {
    if let director = state.withLock({ $0.director }) { return director(call, true) }
    return state.withLock { state in
      guard !state.isBlown else { return .stop }
      state.effects += 1
      if state.stopAt == state.effects {
        state.isBlown = true
        return state.moment == .before ? .stop : .carryOutAndStop
      }
      if let fault = state.faults.removeValue(forKey: state.effects) { return .fail(fault) }
      return .carryOut
    }
  }

  /// What a call throws once the fuse is blown.
  public static let stopped = JournalError(.stopped, "the run was told to stop")
}
