import Logging
import SyncModel
import WebDAV

/// An account's tokens: those that are kept, renewed where they ran out, or new ones from a person.
///
/// Requests that need a token at the same time share one renewal.
actor OAuthTokens: BearerTokens {
  private typealias Outcome = Result<[UInt8], DAVError>

  private let account: String
  private let username: String?
  private let endpoint: TokenEndpoint
  private let store: TokenStore
  private let person: SignInPerson?
  private let surroundings: Surroundings
  private var known: StoredTokens?
  private var running: Task<Outcome, Never>?

  init(
    account: AccountConfiguration, endpoint: TokenEndpoint, store: TokenStore,
    person: SignInPerson?, surroundings: Surroundings
  ) {
    self.account = account.name
    username = account.username
    self.endpoint = endpoint
    self.store = store
    self.person = person
    self.surroundings = surroundings
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
    guard tokens.belongs(to: endpoint.oauth) else { return false }
    if let refused, refused == Array(tokens.access.utf8) { return false }
    return tokens.isCurrent(at: surroundings.now().milliseconds)
  }

  private func obtain(insteadOf refused: [UInt8]?) async -> Outcome {
    do throws(DAVError) {
      let tokens: StoredTokens
      if let kept = try await renew(insteadOf: refused) {
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

  // MARK: Without a person

  /// The kept tokens, renewed where need be; nil where a person has to sign in.
  private func renew(insteadOf refused: [UInt8]?) async throws(DAVError) -> StoredTokens? {
    let before: StoredTokens?
    let lock: TokenStore.Lock
    do {
      lock = try await store.lock(pause: surroundings.pause)
      before = try store.load()
    } catch { throw DAVError(error) }
    defer { withExtendedLifetime(lock) {} }
    guard let before, before.belongs(to: endpoint.oauth) else { return nil }
    endpoint.hide([before.access, before.refresh])
    // Another calgw may have renewed them meanwhile.
    if isUsable(before, insteadOf: refused) { return before }
    guard let refresh = before.refresh else { return nil }
    let answer: TokenAnswer
    do throws(TokenFailure) {
      answer = try await endpoint.token([
        ("grant_type", "refresh_token"), ("refresh_token", refresh),
      ])
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let refusal):
        // RFC 6749 §5.2: expired, revoked, or used before.
        if ["invalid_grant", "interaction_required"].contains(refusal.code) {
          logger.notice("the sign-in of account \(account) has ended: \(refusal.reason)")
          return nil
        }
        throw denied(refusal)
      }
    }
    let now = surroundings.now().milliseconds
    return try keep(StoredTokens(answer, for: endpoint.oauth, now: now, before: before))
  }

  private func keep(_ tokens: StoredTokens) throws(DAVError) -> StoredTokens {
    do { try store.save(tokens) } catch { throw DAVError(error) }
    return tokens
  }

  // MARK: With a person

  private func signIn() async throws(DAVError) -> StoredTokens {
    guard let person else {
      throw DAVError(
        .denied, "account \(account) is not signed in, or not any more",
        why: "there is no terminal to sign in on",
        hint: "run `calgw discover \(account)` on a terminal", mayHaveActed: false)
    }
    let answer: TokenAnswer
    do throws(TokenFailure) {
      if let page = endpoint.oauth.authorizeURL {
        answer = try await BrowserSignIn(
          endpoint: endpoint, page: page, username: username, person: person,
          surroundings: surroundings
        ).run()
      } else {
        answer = try await DeviceSignIn(
          endpoint: endpoint, person: person, surroundings: surroundings
        ).run()
      }
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let refusal): throw denied(refusal)
      }
    }
    if answer.refreshToken == nil {
      logger.notice("the server gave no refresh token: this sign-in ends with its access token")
    }
    let lock: TokenStore.Lock
    do { lock = try await store.lock(pause: surroundings.pause) } catch { throw DAVError(error) }
    defer { withExtendedLifetime(lock) {} }
    let now = surroundings.now().milliseconds
    return try keep(StoredTokens(answer, for: endpoint.oauth, now: now))
  }

  private func denied(_ refusal: TokenRefusal) -> DAVError {
    let hint =
      switch refusal.code {
      case "invalid_client", "unauthorized_client":
        "check client_id and client_secret in oauth2, and what the server knows of them"
      case "invalid_scope": "check scope in oauth2"
      case "access_denied": "run `calgw discover \(account)` again, and allow it on the page"
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
      .local, failure.message, why: failure.why, hint: failure.hint, mayHaveActed: false)
  }
}
