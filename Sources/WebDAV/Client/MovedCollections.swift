private import Synchronization

/// Collections that a server has moved for good (RFC 9110 §15.4.2, §15.4.9), on itself.
///
/// Once a read was led from one and answered, the next reads of it go to the new address at once,
/// as long as the client lives. What is within it is still asked for where it was: a redirect says
/// nothing of other addresses, and what is not at one that was guessed would count as deleted.
extension DAVClient {
  /// A request where it is to go first.
  func beginning(of request: DAVRequest) -> Attempt {
    var attempt = Attempt(request: request)
    guard request.isRead, let place = learned.withLock({ $0.moved[request.url.text] }) else {
      return attempt
    }
    attempt.url = place
    attempt.isAtMovedPlace = true
    return attempt
  }

  /// Whether an answer was one of a new address, and none to be believed: it may not hold any more,
  /// so the old one is asked.
  func goesBack(after head: HTTPResponseHead, _ attempt: inout Attempt) -> Bool {
    guard attempt.isAtMovedPlace, !(200...299).contains(head.status) else { return false }
    let request = attempt.request
    learned.withLock { _ = $0.moved.removeValue(forKey: request.url.text) }
    attempt = Attempt(request: request)
    return true
  }

  /// Takes down where a collection has answered that was moved.
  func notePlace(after head: HTTPResponseHead, of attempt: Attempt) {
    let (from, place) = (attempt.request.url, attempt.url)
    guard attempt.wasMovedForGood, attempt.redirects == 1, head.status == 207,
      attempt.request.isRead, from.isCollection, place.isCollection, place.origin == from.origin,
      !place.isSameCollection(as: from)
    else { return }
    learned.withLock { $0.moved[from.text] = place }
  }
}
