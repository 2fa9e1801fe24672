private import Synchronization

/// What calgw makes of a server that took what it was shown and refuses the same in a later answer,
/// as one does that asks another machine about passwords and has no word from it.
extension DAVClient {
  /// Takes down what an answer shows of an origin.
  func note(_ head: HTTPResponseHead, _ sent: HTTPCredentials?, at origin: String) {
    let isWelcome = sent != nil && (200...299).contains(head.status)
    learned.withLock { learned in
      learned.proxyDenials = 0
      if isWelcome { learned.welcoming.insert(origin) }
      if head.isMultiplexed { learned.multiplexed.insert(origin) }
    }
  }

  /// Takes down that the proxy let nobody through; the second time in a row it is asked no more: a
  /// company's locks an account after some refusals.
  func noteProxyDenial(_ denial: DAVError) {
    learned.withLock { learned in
      learned.proxyDenials += 1
      if learned.proxyDenials > 1 { learned.shutOut = denial }
    }
  }

  /// Whether a read that was refused goes out once more. A look at its collection has to show that
  /// the server takes the same credentials again. That is done once a run, and once for writes,
  /// since many servers lock an account after some refusals. A write does not go out again: a
  /// server that says 401 where it means 403 would say it again.
  func isRefusedByChance(_ attempt: Attempt) async throws(DAVError) -> Bool {
    guard !attempt.request.isLook,
      let collection = try? attempt.url.resolve(href: Array(".".utf8))
    else { return false }
    let isRead = attempt.request.isRead
    let flag = isRead ? \Learned.hasLookedAgain : \Learned.hasLookedAfterWrite
    let isDue = learned.withLock { learned in
      guard learned.welcoming.contains(attempt.url.origin), !learned[keyPath: flag] else {
        return false
      }
      learned[keyPath: flag] = true
      return true
    }
    guard isDue else { return false }
    var look = PropertyRequests.propfind(collection, depth: 0, [.dav("resourcetype")])
    look.isLook = true
    do throws(DAVError) {
      let (answer, _) = try await send(look) { BytesSink(limit: 64 << 10, dropsExcess: true) }
      return isRead && (200...299).contains(answer.status)
    } catch {
      switch error.kind {
      case .denied:
        learned.withLock { $0.shutOut = error }
        return false
      case .elsewhere, .protocolBroken, .illFormed, .tooLarge: return false
      case .unreachable, .unanswered, .tryLater, .local, .stopped: throw error
      }
    }
  }
}
