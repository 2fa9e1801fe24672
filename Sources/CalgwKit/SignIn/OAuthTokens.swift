import Logging
import SyncModel
import WebDAV

/// An account's tokens: those that are kept, renewed where they ran out, or new ones from a person.
///
/// Requests that need a token at the same time share one renewal.
package actor OAuthTokens: BearerTokens {
  private typealias Outcome = Result<[UInt8], DAVError>

  package nonisolated var advice: String {
    "see that scope in oauth2 is the one for calendars, and that who signed in may use them"
  }

  private let account: String
  private let username: String?
  private let endpoint: TokenEndpoint
  private let store: TokenStore
  private let person: SignInPerson?
  private let surroundings: Surroundings
  private let notice: @Sendable (String) -> Void
  private var known: StoredTokens?
  private var running: Task<Outcome, Never>?
  /// Tokens that could not be kept, with those that the store has instead.
  private var unkept: (tokens: StoredTokens, insteadOf: StoredTokens?)?
  /// Why a person did not sign in.
  private var declined: DAVError?
  /// Why the tokens that are kept serve no more.
  private var ending: TokenRefusal?

  /// - Parameter notice: gets what a person should know besides.
  package init(
    account: AccountConfiguration, endpoint: TokenEndpoint, store: TokenStore,
    person: SignInPerson?, surroundings: Surroundings,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.account = account.name
    username = account.username
    var endpoint = endpoint
    endpoint.account = account.name
    endpoint.now = { surroundings.now().milliseconds }
    self.endpoint = endpoint
    self.store = store
    self.person = person
    self.surroundings = surroundings
    self.notice = notice
  }

  func token(insteadOf refused: [UInt8]?) async throws(DAVError) -> [UInt8] {
    if let known, isUsable(known, insteadOf: refused) { return Array(known.access.utf8) }
    let task = running ?? Task { await obtain(insteadOf: refused) }
    running = task
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if running == task { running = nil }
    return try outcome.get()
  }

  private func isUsable(_ tokens: StoredTokens, insteadOf refused: [UInt8]?) -> Bool {
    guard tokens.belongs(to: endpoint.oauth, of: username) else { return false }
    if let refused, refused == Array(tokens.access.utf8) { return false }
    return tokens.isCurrent(at: surroundings.now().milliseconds)
  }

  private func obtain(insteadOf refused: [UInt8]?) async -> Outcome {
    do throws(DAVError) {
      let tokens: StoredTokens
      if let kept = try await renewInTime(insteadOf: refused) {
        tokens = kept
      } else {
        tokens = try await signIn()
      }
      known = tokens
      return .success(Array(tokens.access.utf8))
    } catch {
      return .failure(error)
    }
  }

  // MARK: The store

  private func lock() async throws(DAVError) -> LockFile? {
    do { return try await store.lock(pause: surroundings.pause) } catch {
      if Task.isCancelled { throw Self.stopped }
      throw DAVError(error)
    }
  }

  private func prepare() throws(DAVError) -> TokenDraft {
    do { return try store.prepare() } catch { throw DAVError(error) }
  }

  /// Keeps new tokens. Where that fails, those before are of no use any more all the same: the new
  /// ones serve as long as this run does.
  ///
  /// - Parameter stored: what the store has.
  private func keep(
    _ tokens: StoredTokens, in draft: TokenDraft?, insteadOf stored: StoredTokens?
  ) {
    do throws(RunFailure) {
      let place: TokenDraft
      if let draft { place = draft } else { place = try store.prepare() }
      defer { place.discard() }
      try store.save(tokens, in: place)
      unkept = nil
    } catch {
      unkept = (tokens: tokens, insteadOf: stored)
      notice(
        "account \(account) is signed in for this run alone, since \(error.message)"
          + (error.why.isEmpty ? "" : " (\(error.why))") + ": \(error.hint), and run "
          + "`calgw discover \(account)` on a terminal")
    }
  }

  // MARK: Without a person

  /// How long a run that was told to stop waits for an answer.
  private static let grace = Duration.seconds(10)

  private static let stopped = DAVError(
    .stopped, "stopped before the tokens were renewed", mayHaveActed: false)

  /// As `renew`, where the server may ask to wait: it has refused then, so the same refresh token
  /// may be shown again, as far as the run has the time for it. The lock is let go of meanwhile:
  /// another calgw may be served first.
  private func renewInTime(
    insteadOf refused: [UInt8]?
  ) async throws(DAVError) -> StoredTokens? {
    var delays = 0
    var waited: Int64 = 0
    while true {
      do throws(DAVError) { return try await renew(insteadOf: refused) } catch {
        guard case .tryLater(let asked) = error.kind, delays < Patience.mostDelays else {
          throw error
        }
        let wait = Patience.wait(asked: asked, after: delays)
        let now = surroundings.now().milliseconds
        guard Patience.isWorthwhile(wait, after: waited, at: now) else { throw error }
        delays += 1
        waited += wait
        await Patience.rest(wait, by: surroundings.pause)
        if Task.isCancelled || Patience.isStopped { throw Self.stopped }
      }
    }
  }

  /// The kept tokens, renewed where need be; nil where a person has to sign in.
  private func renew(insteadOf refused: [UInt8]?) async throws(DAVError) -> StoredTokens? {
    let lock = try await self.lock()
    defer { withExtendedLifetime(lock) {} }
    let stored: StoredTokens?
    do { stored = try store.load() } catch { throw DAVError(error) }
    var newest = stored
    if let unkept, unkept.insteadOf == stored { newest = unkept.tokens }
    guard let before = newest, before.belongs(to: endpoint.oauth, of: username) else { return nil }
    endpoint.hide([before.access, before.refresh])
    // Another calgw may have renewed them meanwhile.
    if isUsable(before, insteadOf: refused) { return before }
    guard let refresh = before.refresh else { return nil }
    if Task.isCancelled { throw Self.stopped }
    let draft = try prepare()
    defer { draft.discard() }
    switch await answer(to: refresh) {
    case .success(let answer):
      let now = surroundings.now().milliseconds
      let tokens = StoredTokens(
        answer, for: endpoint.oauth, of: username, now: now, before: before)
      keep(tokens, in: draft, insteadOf: stored)
      return tokens
    case .failure(.failed(let error)): throw error
    case .failure(.refused(let refusal)):
      // RFC 6749 §5.2: expired, revoked, or used before.
      if ["invalid_grant", "interaction_required"].contains(refusal.code) {
        logger.notice("the sign-in of account \(account) has ended: \(refusal.reason)")
        ending = refusal
        return nil
      }
      throw denied(refusal)
    }
  }

  /// Shows a refresh token. A run that is told to stop meanwhile goes on until the answer is here,
  /// within a limit: the server may have taken the token in exchange for the next already.
  private func answer(to refresh: String) async -> Result<TokenAnswer, TokenFailure> {
    let endpoint = endpoint
    let request = Task { () async -> Result<TokenAnswer, TokenFailure> in
      do throws(TokenFailure) {
        return .success(
          try await endpoint.token([
            ("grant_type", "refresh_token"), ("refresh_token", refresh),
          ]))
      } catch {
        return .failure(error)
      }
    }
    let grace = Self.grace
    return await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      Task {
        try? await Task.sleep(for: grace)
        request.cancel()
      }
    }
  }

  // MARK: With a person

  private func signIn() async throws(DAVError) -> StoredTokens {
    guard let person else {
      throw DAVError(
        .denied,
        ending == nil
          ? "account \(account) is not signed in, or not any more"
          : "the sign-in of account \(account) has ended",
        why: ending?.reason ?? "there is no terminal to sign in on",
        hint: "run `calgw discover \(account)` on a terminal", mayHaveActed: false)
    }
    // The requests that come after would all ask again.
    if let declined { throw declined }
    try await checkPlace()
    let answer: TokenAnswer
    do throws(TokenFailure) {
      answer = try await ask(person)
    } catch {
      let failure =
        switch error {
        case .failed(let error): error
        case .refused(let refusal): denied(refusal)
        }
      if failure.kind == .denied || failure.kind == .protocolBroken { declined = failure }
      throw failure
    }
    if answer.refreshToken == nil {
      logger.notice("the server gave no refresh token: this sign-in ends with its access token")
    }
    let lock = try await self.lock()
    defer { withExtendedLifetime(lock) {} }
    let now = surroundings.now().milliseconds
    let tokens = StoredTokens(answer, for: endpoint.oauth, of: username, now: now)
    keep(tokens, in: nil, insteadOf: try? store.load())
    return tokens
  }

  /// Throws where tokens could not be kept, before a person signs in for nothing.
  private func checkPlace() async throws(DAVError) {
    let lock = try await self.lock()
    defer { withExtendedLifetime(lock) {} }
    try prepare().discard()
  }

  private func ask(_ person: SignInPerson) async throws(TokenFailure) -> TokenAnswer {
    if let page = endpoint.oauth.authorizeURL {
      return try await BrowserSignIn(
        endpoint: endpoint, page: page, username: username, person: person,
        surroundings: surroundings
      ).run()
    }
    return try await DeviceSignIn(
      endpoint: endpoint, person: person, surroundings: surroundings
    ).run()
  }

  private func denied(_ refusal: TokenRefusal) -> DAVError {
    let hint =
      switch refusal.code {
      case "invalid_client", "unauthorized_client":
        "check client_id and client_secret in oauth2, and what the server knows of them"
      case "invalid_scope": "check scope in oauth2"
      case "access_denied": "run `calgw discover \(account)` again, and allow it on the page"
      case "expired_token": "run `calgw discover \(account)` again, and type the code in time"
      default: "check oauth2, as docs/sign-in.md has it for your server"
      }
    return DAVError(
      .denied, "account \(account) could not be signed in", why: refusal.reason, hint: hint,
      mayHaveActed: false)
  }
}

extension DAVError {
  /// A failure on this machine, on the way through the layer of requests.
  init(_ failure: RunFailure) {
    self.init(
      failure.status == .tryLater ? .tryLater(nil) : .local, failure.message, why: failure.why,
      hint: failure.hint, mayHaveActed: false)
  }
}
