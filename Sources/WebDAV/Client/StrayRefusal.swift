private import Synchronization

/// What calgw makes of a server that took what it was shown and refuses the same in a later answer,
/// as one does that asks another machine about passwords and has no word from it.
extension DAVClient {
  /// Takes down what an answer shows of an origin.
  func note(_ head: HTTPResponseHead, _ sent: HTTPCredentials?, at origin: String) {
    let isWelcome = sent != nil && (200...299).contains(head.status)
    guard isWelcome || head.isMultiplexed else { return }
    learned.withLock { learned in
      if isWelcome { learned.welcoming.insert(origin) }
      if head.isMultiplexed { learned.multiplexed.insert(origin) }
    }
  }

  /// Whether a read that was refused goes out once more. A look at its collection has to show that
  /// the server takes the same credentials again. That is done once a run, since many servers lock
  /// an account after some refusals: with it there are two, whatever the server says.
  func isRefusedByChance(_ attempt: Attempt) async throws(DAVError) -> Bool {
    guard attempt.request.isRead, let collection = try? attempt.url.resolve(href: Array(".".utf8))
    else {
      return false
    }
    let isDue = learned.withLock { learned in
      guard learned.welcoming.contains(attempt.url.origin), !learned.hasLookedAgain else {
        return false
      }
      learned.hasLookedAgain = true
      return true
    }
    guard isDue else { return false }
    let look = PropertyRequests.propfind(collection, depth: 0, [.dav("resourcetype")])
    do throws(DAVError) {
      let (answer, _) = try await send(look) { BytesSink(limit: 64 << 10, dropsExcess: true) }
      return (200...299).contains(answer.status)
    } catch {
      switch error.kind {
      case .denied:
        learned.withLock { $0.isShutOut = true }
        return false
      case .elsewhere, .protocolBroken, .illFormed, .tooLarge: return false
      case .unreachable, .unanswered, .tryLater, .local, .stopped: throw error
      }
    }
  }
}
