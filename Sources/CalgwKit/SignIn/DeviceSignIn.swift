import FoundationEssentials
import SyncModel
import WebDAV

/// A person types a code on any device (RFC 8628), at a server that says where in its metadata
/// (RFC 8414).
struct DeviceSignIn {
  /// The longest that a code may be valid, in seconds.
  private static let longestWait: Int64 = 1800
  /// Seconds between two questions where the server says nothing, and more at each `slow_down`
  /// (RFC 8628 §3.2, §3.5).
  private static let step: Int64 = 5

  let endpoint: TokenEndpoint
  let person: SignInPerson
  let surroundings: Surroundings

  private struct Metadata: Decodable {
    var device_authorization_endpoint: String?
  }

  /// RFC 8628 §3.2; Google names the address otherwise.
  private struct Invitation: Decodable {
    var device_code: String
    var user_code: String
    var verification_uri: String?
    var verification_url: String?
    var expires_in: Int64?
    var interval: Int64?
  }

  func run() async throws(TokenFailure) -> TokenAnswer {
    var fields = [("client_id", endpoint.oauth.clientID)]
    if let scope = endpoint.oauth.scope { fields.append(("scope", scope)) }
    let url = try await deviceEndpoint()
    let (status, body) = try await endpoint.post(url, fields, credentials: nil)
    guard status == 200 else { throw endpoint.failure(status, body, of: url) }
    guard let invitation = try? JSONDecoder().decode(Invitation.self, from: Data(body)),
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

  /// Asks for the token until the person has decided.
  private func ask(for invitation: Invitation) async throws(TokenFailure) -> TokenAnswer {
    let limit = min(max(1, invitation.expires_in ?? 600), Self.longestWait)
    let end = surroundings.now().milliseconds + limit * 1000
    var pause = min(max(1, invitation.interval ?? Self.step), 60)
    while surroundings.now().milliseconds < end, !Task.isCancelled {
      await surroundings.pause(pause * 1000)
      do throws(TokenFailure) {
        return try await endpoint.token([
          ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
          ("device_code", invitation.device_code),
        ])
      } catch {
        switch error {
        case .refused(let refusal) where refusal.code == "authorization_pending": continue
        case .refused(let refusal) where refusal.code == "slow_down": pause += Self.step
        case .refused, .failed: throw error
        }
      }
    }
    throw .failed(
      DAVError(
        Task.isCancelled ? .stopped : .denied, "nobody typed the code within the time",
        hint: "run the command again", mayHaveActed: false))
  }

  /// From the metadata of the token endpoint's server.
  private func deviceEndpoint() async throws(TokenFailure) -> String {
    let token = endpoint.oauth.tokenURL
    guard let server = try? WebURL(absolute: token) else {
      throw .failed(TokenEndpoint.broken("token_url cannot be used", token))
    }
    for name in ["oauth-authorization-server", "openid-configuration"] {
      let (status, body) = try await endpoint.get(server.replacingPath("/.well-known/\(name)").text)
      guard status == 200,
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(body)),
        let found = metadata.device_authorization_endpoint
      else { continue }
      // The code is as good as a password: it goes to a server of TLS, or this machine.
      do throws(URLComplaint) { try checkServerURL(found, allowsPlainHTTP: false) } catch {
        throw .failed(TokenEndpoint.broken("its metadata names an address without https", token))
      }
      return found
    }
    throw .failed(
      DAVError(
        .denied, "the authorization server has no sign-in for devices",
        why: "\(server.origin) names no device_authorization_endpoint",
        hint: "set authorize_url in oauth2 to the page for browsers", mayHaveActed: false))
  }
}
