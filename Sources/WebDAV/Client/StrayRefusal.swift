private import Synchronization

/// What calgw makes of a server that took what it was shown and refuses the same in a later answer,
/// as one does that asks another machine about passwords and has no word from it.
extension DAVClient {
  /// A server that took what it was shown refuses it by now, and a look at the collection of what
  /// was asked for has shown that it is not about that alone.
  package var isRefusedAtCollection: Bool {
    learned.withLock { $0.isRefusedAtCollection || $0.shutOut != nil }
  }

  /// It refuses it by now where it took it before, too; or no token is given any more, or the proxy
  /// lets nobody through. Nothing is sent any more.
  package var shutOut: DAVError? { learned.withLock(\.shutOut) }

  /// Takes down what an answer shows of its origin.
  func note(_ head: HTTPResponseHead, _ sent: HTTPCredentials?, at address: WebURL) {
    let isWelcome = sent != nil && (200...299).contains(head.status)
    guard isWelcome || head.isMultiplexed else { return }
    learned.withLock { learned in
      let origin = address.origin
      if isWelcome, learned.welcoming[origin] == nil { learned.welcoming[origin] = address }
      if head.isMultiplexed { learned.multiplexed.insert(origin) }
    }
  }

  /// A request came to an origin, through whatever proxy there is.
  func notePassage(to origin: String) {
    learned.withLock { learned in
      learned.answering.insert(origin)
      learned.proxyDenials = 0
    }
  }

  /// Takes down that the proxy let nobody through; the second time in a row it is asked no more: a
  /// company's locks an account after some refusals. One that lets others through may have
  /// something against a server.
  func noteProxyDenial(_ denial: DAVError, to origin: String) {
    learned.withLock { learned in
      guard learned.answering.isEmpty || learned.answering.contains(origin) else { return }
      learned.proxyDenials += 1
      if learned.proxyDenials > 1 { learned.shutOut = denial }
    }
  }

  /// Whether a read that was refused goes out once more. A look at its collection has to show that
  /// the server takes the same credentials again. Where that is refused as well, a second look, at
  /// what was let in before, tells whether they are taken anywhere. That is done once a run, and
  /// once for writes, since many servers lock an account after some refusals. A write does not go
  /// out again: a server that says 401 where it means 403 would say it again.
  func isRefusedByChance(_ attempt: Attempt) async throws(DAVError) -> Bool {
    guard !attempt.request.isLook,
      let collection = try? attempt.url.resolve(href: Array(".".utf8))
    else { return false }
    let isRead = attempt.request.isRead
    let flag = isRead ? \Learned.hasLookedAgain : \Learned.hasLookedAfterWrite
    let former = learned.withLock { learned -> WebURL? in
      guard !learned[keyPath: flag] else { return nil }
      learned[keyPath: flag] = learned.welcoming[attempt.url.origin] != nil
      return learned.welcoming[attempt.url.origin]
    }
    guard let former else { return false }
    switch try await look(at: collection) {
    case .taken: return isRead
    case .unclear: return false
    case .refused(let error):
      learned.withLock { $0.isRefusedAtCollection = true }
      var last = error
      if former.pathKey != collection.pathKey {
        guard case .refused(let error) = try await look(at: former) else { return false }
        last = error
      }
      learned.withLock { $0.shutOut = last }
      return false
    }
  }

  private enum Look {
    case taken
    case refused(DAVError)
    case unclear
  }

  /// Whether the server takes the credentials at an address.
  private func look(at address: WebURL) async throws(DAVError) -> Look {
    var look = PropertyRequests.propfind(address, depth: 0, [.dav("resourcetype")])
    look.isLook = true
    do throws(DAVError) {
      let (answer, _) = try await send(look) { BytesSink(limit: 64 << 10, dropsExcess: true) }
      return (200...299).contains(answer.status) ? .taken : .unclear
    } catch {
      switch error.kind {
      case .denied: return .refused(error)
      case .elsewhere, .protocolBroken, .illFormed, .tooLarge: return .unclear
      case .unreachable, .unanswered, .tryLater, .local, .stopped: throw error
      }
    }
  }
}
