private import Synchronization

/// Answers that everybody gets: what a server shows to guests is perhaps less than what the account
/// has there, and says nothing of what it does for the account.
extension DAVClient {
  /// The request goes out again once the server has asked, and once more where another request has
  /// used up what it asked with.
  private static let mostGuestAnswers = 2

  /// Collections above an address at which is asked: those of a user's calendars are two or three
  /// below one that guests do not see.
  private static let mostPlaces = 4

  /// Whether a request that was answered as for everybody goes out once more, since the server has
  /// asked who we are meanwhile.
  ///
  /// With Digest it has to ask first, and no request makes it do so where it lets guests in; a
  /// made-up answer would be a failed login. But the challenge of one address holds for others of
  /// the server (RFC 7616 §3.3, `domain`): so one is read that has asked before, or else the
  /// collections above.
  func isAsked(
    after answer: DAVAnswer, _ attempt: inout Attempt
  ) async throws(DAVError) -> Bool {
    guard isForEverybody(answer, attempt), !attempt.request.isLook,
      attempt.guestAnswers < Self.mostGuestAnswers
    else { return false }
    // Of a write that was done there is nothing to repeat.
    guard attempt.request.isRead || !answer.isSuccess && attempt.request.maySendAgain else {
      return false
    }
    attempt.guestAnswers += 1
    let origin = attempt.url.origin
    let (known, isHopeless) = learned.withLock { learned in
      (learned.welcoming[origin], learned.askingNobody.contains(origin))
    }
    if let known { return try await asks(at: known) }
    guard !isHopeless else { return false }
    for place in attempt.url.collectionsAbove.prefix(Self.mostPlaces) {
      if try await asks(at: place) { return true }
    }
    learned.withLock { _ = $0.askingNobody.insert(origin) }
    return false
  }

  /// Whether the server asks at an address who we are, and is content with the answer.
  private func asks(at address: WebURL) async throws(DAVError) -> Bool {
    var look = PropertyRequests.propfind(address, depth: 0, [.dav("resourcetype")])
    look.isLook = true
    do throws(DAVError) {
      let (answer, _) = try await send(look) { BytesSink(limit: 64 << 10, dropsExcess: true) }
      return answer.url.origin == address.origin && !answer.head.answersAnybody
    } catch {
      switch error.kind {
      case .denied where wasRefused: throw error
      case .denied, .elsewhere, .protocolBroken, .illFormed, .tooLarge: return false
      case .unreachable, .unanswered, .tryLater, .local, .stopped: throw error
      }
    }
  }

  /// Throws where a server that would have got the password answered without asking for it.
  func checkIdentity(
    _ answer: DAVAnswer, _ sent: HTTPCredentials?, _ attempt: Attempt
  ) throws(DAVError) {
    if answer.isSuccess, waitsForChallenge(attempt.url, sent) {
      throw unasked(answer, attempt, way: "over plain http", mend: Self.clearAdvice)
    }
    guard isForEverybody(answer, attempt) else { return }
    let isOpen = isOverheard(attempt.url)
    throw unasked(
      answer, attempt, way: "by Digest",
      mend: (isOpen ? Self.clearAdvice : Self.basicAdvice)
        + "; where that is not taken, its operator has to let nobody in unasked")
  }

  private static let basicAdvice = "set auth = \"basic\" to send the password unasked"

  private func unasked(
    _ answer: DAVAnswer, _ attempt: Attempt, way: String, mend: String
  ) -> DAVError {
    let place = access.secrets.shown(answer.url)
    return DAVError(
      .denied,
      answer.isSuccess
        ? "\(answer.url.origin) lets everybody in, and does not ask who we are"
        : "\(place) answered \(answer.status), and did not ask who we are",
      why: "\(place) answered \(answer.status) without a password, and \(way) that is sent only "
        + "where it is asked for",
      hint: (answer.isSuccess ? "" : "check the URL; ") + mend
        + "; if nobody signs in there, leave out username and password",
      mayHaveActed: !attempt.request.isRead && answer.isSuccess)
  }

  /// The server says it to everybody, and it would be taken for what it says to the account. A page
  /// for people says nothing of calendars, OPTIONS asks for nothing of an account's, and a server
  /// that failed may not have come to ask.
  private func isForEverybody(_ answer: DAVAnswer, _ attempt: Attempt) -> Bool {
    guard answer.head.answersAnybody, attempt.request.method != "OPTIONS" else { return false }
    switch answer.status {
    case 200...299: return !answer.isHTML
    case 400...499: return true
    // Some say so of a report without its body, which is how libcurl waits for being asked.
    case 500, 501, 507: return attempt.request.method == "REPORT"
    default: return false
    }
  }
}

extension DAVAnswer {
  fileprivate var isSuccess: Bool { (200...299).contains(status) }
}

extension WebURL {
  /// The collections that it is in, the nearest first.
  fileprivate var collectionsAbove: [WebURL] {
    var above: [WebURL] = []
    var place = self
    while let next = place.collectionAbove {
      above.append(next)
      place = next
    }
    return above
  }

  private var collectionAbove: WebURL? {
    let segments = path.split(separator: UInt8(ascii: "/"))
    guard !segments.isEmpty else { return nil }
    let slash = [UInt8(ascii: "/")]
    let rest = segments.dropLast().flatMap { slash + $0 } + slash
    return WebURL(scheme: scheme, host: host, port: port, path: rest, query: nil)
  }
}
