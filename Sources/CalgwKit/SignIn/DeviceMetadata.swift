import FoundationEssentials
import WebDAV

/// Looks for where codes for devices are given, in the metadata of the authorization server (RFC
/// 8414, OpenID Connect Discovery 1.0 §4).
///
/// Of the server's own name, its issuer, only the token endpoint is known. It is taken for a part
/// of that: one of the folders in its path, or the server as a whole.
package struct DeviceMetadata {
  /// Two documents are looked for in each; an issuer has one folder or two in practice.
  private static let mostFolders = 6

  let endpoint: TokenEndpoint

  private struct Metadata: Decodable {
    var device_authorization_endpoint: String?
  }

  /// The device authorization endpoint.
  func find() async throws(TokenFailure) -> String {
    let token = endpoint.oauth.tokenURL
    guard let server = try? WebURL(absolute: token) else {
      throw .failed(TokenEndpoint.broken("token_url cannot be used", token))
    }
    for path in Self.places(besides: server.path) {
      let reply = try await endpoint.get(server.replacingPath(path).text)
      guard reply.status == 200,
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(reply.body)),
        let found = metadata.device_authorization_endpoint
      else { continue }
      guard let place = try? WebURL(absolute: found) else {
        throw .failed(
          TokenEndpoint.broken("its device_authorization_endpoint cannot be used", token))
      }
      // The client's secret goes there, and a code that is as good as a password comes from there.
      guard place.origin == server.origin else { throw .failed(elsewhere(place, server)) }
      return place.text
    }
    throw .failed(
      DAVError(
        .denied, "the authorization server has no sign-in for devices",
        why: "\(server.origin) names no device_authorization_endpoint",
        hint: "set authorize_url in oauth2 to the page for browsers", mayHaveActed: false))
  }

  /// Whoever can write into the metadata would have the client's secret sent to him.
  private func elsewhere(_ place: WebURL, _ server: WebURL) -> DAVError {
    DAVError(
      .denied, "the sign-in for devices is on another server, \(place.origin), which is not asked",
      why: "the metadata of \(server.origin), the server of token_url, names it as"
        + " device_authorization_endpoint, and what is secret in oauth2 goes to that server alone",
      hint: "ask the provider for a token_url on the same server,"
        + " or set authorize_url in oauth2 to the page for browsers", mayHaveActed: false)
  }

  /// The paths of the documents, those for the longest issuer first: a server may be the home of
  /// several, each in a folder of its own. RFC 8414 §3.1 has the well-known part before the
  /// issuer's path, OpenID Connect after it.
  package static func places(besides tokenPath: [UInt8]) -> [String] {
    let parts = String(decoding: tokenPath, as: UTF8.self).split(separator: "/").dropLast()
    let depth = min(parts.count, mostFolders - 1)
    return (0...depth).reversed().flatMap { count -> [String] in
      let folder = parts.prefix(count).map { "/\($0)" }.joined()
      return [
        "/.well-known/oauth-authorization-server" + folder,
        folder + "/.well-known/openid-configuration",
      ]
    }
  }
}
