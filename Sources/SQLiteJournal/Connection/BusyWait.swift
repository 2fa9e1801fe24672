import Glibc

/// How long a connection waits for a lock that another one has.
///
/// A program that closes a file as the last one has it alone for a moment, to write its log back;
/// and who reads a journal does so beside any other calgw, with no lock of the pair.
package enum BusyWait {
  /// Says, after so many tries for one lock, whether to try again.
  package typealias Callback = @Sendable (_ tries: Int) -> Bool

  /// Between two tries, in microseconds: a log is written back in a few of these.
  package static let pause: UInt32 = 10_000
  /// Two seconds of tries: who holds it longer is no closing calgw, and a person should hear of it.
  package static let tries = 200

  package static let live: Callback = { tries in
    guard tries < Self.tries else { return false }
    usleep(pause)
    return true
  }
}
