import FoundationEssentials
import SyncModel
import WebDAV

/// A person types a code on any device (RFC 8628), at a server that says where in its metadata.
struct DeviceSignIn {
  /// How long a code is valid where the server does not say, and the longest that it may be, in
  /// milliseconds.
  private static let usualWait: Int64 = 600_000
  private static let longestWait: Int64 = 1_800_000
  /// Between two questions where the server says nothing, and more at each `slow_down` (RFC 8628
  /// §3.2, §3.5); the least and the most, in milliseconds.
  private static let step: Int64 = 5000
  private static let shortestPause: Int64 = 1000
  private static let longestPause: Int64 = 60_000
  /// Between two looks at whether the person has gone, in milliseconds.
  private static let look: Int64 = 200

  let endpoint: TokenEndpoint
  let person: SignInPerson
  let surroundings: Surroundings

  /// RFC 8628 §3.2; Google names the address otherwise.
  private struct Invitation: Decodable {
    var device_code: String
    var user_code: String
    var verification_uri: String?
    var verification_url: String?
    var expires_in: Seconds?
    var interval: Seconds?
  }

  func run() async throws(TokenFailure) -> TokenAnswer {
    let url = try await DeviceMetadata(endpoint: endpoint).find()
    let reply = try await endpoint.ask(
      url, endpoint.oauth.scope.map { [("scope", $0)] } ?? [])
    guard reply.status == 200 else { throw endpoint.failure(reply, of: url) }
    guard let invitation = try? JSONDecoder().decode(Invitation.self, from: Data(reply.body)),
      let place = invitation.verification_uri ?? invitation.verification_url
    else { throw .failed(TokenEndpoint.broken("there is no code for a device in it", url)) }
    person.show(
      """
      Open this address on any device, and type the code there:

        \(visibleText(place, limit: 300))

        \(visibleText(invitation.user_code, limit: 60))
      """)
    return try await ask(for: invitation)
  }

  /// Asks for the token until the person has decided. A question that the network or a server in
  /// trouble has lost is asked again, later than the one before: the code is valid all the same.
  private func ask(for invitation: Invitation) async throws(TokenFailure) -> TokenAnswer {
    let limit = invitation.expires_in?.milliseconds(atMost: Self.longestWait) ?? Self.usualWait
    let end = surroundings.now().milliseconds + limit
    var pause = invitation.interval?.milliseconds(atMost: Self.longestPause) ?? Self.step
    pause = max(pause, Self.shortestPause)
    var trouble: DAVError?
    // What the server wants to be waited for besides.
    var asked: Int64 = 0
    while surroundings.now().milliseconds < end {
      try await wait(min(max(pause, asked), end - surroundings.now().milliseconds))
      asked = 0
      do throws(TokenFailure) {
        return try await endpoint.token([
          ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
          ("device_code", invitation.device_code),
        ])
      } catch {
        switch error {
        case .refused(let refusal) where refusal.code == "authorization_pending": trouble = nil
        case .refused(let refusal) where refusal.code == "slow_down":
          trouble = nil
          pause += Self.step
        case .failed(let failure) where Self.mayPass(failure):
          trouble = failure
          pause *= 2
          if case .tryLater(let wait?) = failure.kind { asked = wait }
        case .refused, .failed: throw error
        }
      }
      pause = min(pause, Self.longestPause)
    }
    if let trouble { throw .failed(trouble) }
    throw person.failure("nobody typed the code within the time")
  }

  private static func mayPass(_ failure: DAVError) -> Bool {
    switch failure.kind {
    case .unreachable, .unanswered, .tryLater: true
    default: false
    }
  }

  private func wait(_ milliseconds: Int64) async throws(TokenFailure) {
    var left = milliseconds
    while left > 0, !person.isLeaving {
      let part = min(left, Self.look)
      await surroundings.pause(part)
      left -= part
    }
    if person.isLeaving { throw person.failure("stopped while the code was waited for") }
  }
}
