private import Synchronization

/// How an account stands with a server that has let it in before.
struct Standing {
  /// What looks have shown after a refusal, the widest last.
  enum Taken {
    /// No look was needed, or none said anything.
    case unknown
    /// At the collection of what was refused: it is about that one resource.
    case atCollection
    /// Not at the collection, and where they were taken before nothing was to be learnt.
    case notAtCollection
    /// Not at the collection, but where they were taken before: the collection is closed by itself.
    case elsewhere
    /// Nowhere any more; or no token is to be had, or the proxy lets nobody through.
    case nowhere(DAVError)
  }

  var taken = Taken.unknown
  /// A read was refused, and the server was looked at again.
  var hasLookedAfterRead = false
  /// And the same of a write.
  var hasLookedAfterWrite = false
  /// A server has refused what it was shown, or wanted something else.
  var wasRefused = false
  /// The last time that a token was wanted there was none.
  var lacksToken = false

  var shutOut: DAVError? { if case .nowhere(let error) = taken { error } else { nil } }

  var isRefusedAtCollection: Bool {
    switch taken {
    case .unknown, .atCollection: false
    case .notAtCollection, .elsewhere, .nowhere: true
    }
  }

  /// Looks have shown that the credentials are taken, and are not what the refusal is about.
  var isLetIn: Bool {
    switch taken {
    case .unknown, .notAtCollection, .nowhere: false
    case .atCollection, .elsewhere: true
    }
  }
}

/// What calgw makes of a server that took what it was shown and refuses the same in a later answer,
/// as one does that asks another machine about passwords and has no word from it.
extension DAVClient {
  /// A server that took what it was shown refuses it by now, and a look at the collection of what
  /// was asked for has shown that it is not about that alone.
  package var isRefusedAtCollection: Bool { learned.withLock(\.standing.isRefusedAtCollection) }

  /// Looks have shown that a refusal since was about what was asked for, and not the credentials.
  package var isLetInElsewhere: Bool { learned.withLock(\.standing.isLetIn) }

  /// It refuses it by now where it took it before, too; or no token is given any more, or the proxy
  /// lets nobody through. Nothing is sent any more.
  package var shutOut: DAVError? { learned.withLock(\.standing.shutOut) }

  /// A server took what it was shown.
  package var isWelcome: Bool { learned.withLock { !$0.welcoming.isEmpty } }

  /// Takes down what an answer shows of its origin.
  func note(_ head: HTTPResponseHead, _ sent: HTTPRequest, at address: WebURL) {
    noteClock(head, of: address.origin)
    let wasShown = sent.credentials != nil && !head.answersAnybody
    let isWelcome = wasShown && (200...299).contains(head.status)
    learned.withLock { learned in
      let origin = address.origin
      if isWelcome, learned.welcoming[origin] == nil { learned.welcoming[origin] = address }
      if head.isMultiplexed {
        learned.multiplexed.insert(origin)
        if learned.multiplexing == .unknown { learned.multiplexing = .works }
      } else {
        if case .failed(let request, let error) = learned.multiplexing {
          learned.multiplexing = .replaced(request: request, error: error)
        }
        // The transport leaves HTTP/2 where that fails.
        if !sent.avoidsHTTP2 { learned.multiplexed.remove(origin) }
      }
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
      if learned.proxyDenials > 1 { learned.standing.taken = .nowhere(denial) }
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
    let flag = isRead ? \Standing.hasLookedAfterRead : \Standing.hasLookedAfterWrite
    let former = learned.withLock { learned -> WebURL? in
      guard !learned.standing[keyPath: flag] else { return nil }
      let former = learned.welcoming[attempt.url.origin]
      learned.standing[keyPath: flag] = former != nil
      learned.looks += former != nil ? 1 : 0
      return former
    }
    guard let former else {
      // What another request finds out just now holds for this one, too.
      await waitForLooks()
      return false
    }
    defer { endLook() }
    switch try await look(at: collection) {
    case .taken:
      learned.withLock { learned in
        if case .unknown = learned.standing.taken { learned.standing.taken = .atCollection }
      }
      return isRead
    case .unclear: return false
    case .refused(let error):
      let again = former.pathKey == collection.pathKey
      let taken: Standing.Taken =
        switch again ? .refused(error) : try await look(at: former) {
        case .refused(let last): .nowhere(last)
        case .taken: .elsewhere
        case .unclear: .notAtCollection
        }
      learned.withLock { $0.standing.taken = taken }
      return false
    }
  }

  /// Some servers say 401 where they mean 403. Nil where the credentials may be to blame.
  func forbidden(_ attempt: Attempt) -> DAVError? {
    guard !attempt.request.isLook, isLetInElsewhere else { return nil }
    return DAVError(
      .denied, "the server lets the account in, and not to this address",
      why: "\(access.secrets.shown(attempt.url)) answered 401, and the same user name and "
        + "password, or token, are taken at another address",
      hint: "check the account's permission for this calendar", mayHaveActed: false)
  }

  private func waitForLooks() async {
    await withCheckedContinuation { waiter in
      let isOver = learned.withLock { learned in
        if learned.looks > 0 { learned.waitingForLooks.append(waiter) }
        return learned.looks == 0
      }
      if isOver { waiter.resume() }
    }
  }

  private func endLook() {
    let waiting = learned.withLock { learned in
      learned.looks -= 1
      defer { if learned.looks == 0 { learned.waitingForLooks = [] } }
      return learned.looks == 0 ? learned.waitingForLooks : []
    }
    for waiter in waiting { waiter.resume() }
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
