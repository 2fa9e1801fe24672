private import Synchronization

/// A nonce of Digest that ran out while its answer was under way (RFC 7616 §3.3): some servers keep
/// one for all connections of a user, so several at once end each other's.
extension DAVClient {
  /// So often one request goes out again: other programs of the user may end its nonce, too.
  private static let mostStaleNonces = 3

  /// The password is right, and the nonce was not the last one. A server that has never taken the
  /// password may mean that with it, and one that goes on refusing would lock the account.
  func isStale(_ head: HTTPResponseHead, _ sent: HTTPCredentials?, at address: WebURL) -> Bool {
    guard sent?.scheme == .digest, learned.withLock({ $0.welcoming[address.origin] != nil })
    else { return false }
    return Challenge.all(head).contains { challenge in
      let value = challenge.value(of: "stale") ?? []
      return challenge.scheme == "digest"
        && String(decoding: value, as: UTF8.self).lowercased() == "true"
    }
  }

  /// Lets a request go out again, and all of them one at a time from then on: 401 says that nothing
  /// was done, so that is as safe for a write. Throws where it was tried often enough.
  func sendAlone(_ attempt: inout Attempt) throws(DAVError) {
    attempt.staleNonces += 1
    pace.goAlone(because: "401 with stale=true")
    guard attempt.staleNonces > Self.mostStaleNonces else { return }
    throw DAVError(
      .tryLater(nil), "the server lets each sign-in by Digest run out before it is used",
      why: "\(access.secrets.shown(attempt.url)) answered 401 with stale=true "
        + "\(attempt.staleNonces) times in a row, although one request went at a time",
      hint: "try again later; if it stays, see whether another program uses the account at the same"
        + " time, or ask the server's operator to let a nonce hold longer, or for Basic over https",
      mayHaveActed: false)
  }
}
