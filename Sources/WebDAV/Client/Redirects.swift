private import Synchronization

extension DAVClient {
  /// Goes where a redirect points, keeping method, body and guards (RFC 9110 §15.4): the answer
  /// 301 or 302 to a PROPFIND is no invitation to GET.
  func follow(_ head: HTTPResponseHead, _ attempt: inout Attempt) throws(DAVError) {
    let from = attempt.url
    let place = access.secrets.shown(from)
    func broken(_ why: String, hint: String = "check the URL") -> DAVError {
      DAVError(
        .protocolBroken, "the server's redirect of \(place) cannot be followed", why: why,
        hint: hint, mayHaveActed: false)
    }
    attempt.redirects += 1
    attempt.redirecting.insert(from)
    attempt.wasMovedForGood = [301, 308].contains(head.status)
    guard attempt.redirects <= Self.mostRedirects else { throw tooOften(attempt) }
    let locations = head.values(of: "Location").map(\.trimmed)
    guard let location = locations.first, locations.allSatisfy({ $0 == location }) else {
      throw broken("its answer \(head.status) names no target, or several")
    }
    // As a reference that would be the same address again (RFC 3986 §5.2.2).
    guard !location.isEmpty else {
      throw broken("its answer \(head.status) is a redirect without an address")
    }
    let target: WebURL
    do throws(HrefError) { target = try from.resolve(location: location) } catch {
      throw broken("its target is not usable: \(error.reason)")
    }
    guard !access.secrets.areCarried(by: target) || access.secrets.areCarried(by: from) else {
      throw broken("its target has a secret of the account in it, so it is not shown")
    }
    guard target.origin != from.origin else {
      return try attempt.go(to: target, hiding: access.secrets)
    }
    guard target.scheme == .https || from.scheme == .http else {
      learned.withLock { $0.downgrade = target }
      throw broken("it leads from https to http, where anybody can listen")
    }
    guard attempt.request.isRead else {
      throw broken(
        "it leads to \(target.origin), and a change is never sent to another server",
        hint: "set the account's url to the new address, if it is right")
    }
    // The same host, now encrypted: what was trusted there is trusted all the more.
    if target.host == from.host, from.scheme == .http, from.port == 80, target.port == 443,
      trusts(from.origin)
    {
      trust(target.origin)
    }
    if trusts(from.origin), access.vouchesFor(target) { trust(target.origin) }
    if !trusts(target.origin) {
      // Without credentials as well: who believed a stranger would delete what he does not have.
      guard attempt.request.mayMeetStrangers else {
        throw strays(from: place, to: target)
      }
      attempt.strangers.append(target)
    }
    attempt.url = target
  }

  private func strays(from place: String, to target: WebURL) -> DAVError {
    let refusal = access.refusal(target)
    let why = refusal.map { "and \(Self.refused(by: $0))" } ?? "which nobody has vouched for"
    return DAVError(
      .elsewhere, "the redirect of \(place) to another server is not followed",
      why: "it leads to \(target.origin), \(why)",
      hint: refusal.map(Self.allowing)
        ?? "if that server belongs to your provider, add this line to the account: "
        + "trusted_hosts = [\"\(target.trustedName)\"]", mayHaveActed: false)
  }

  /// Why a server is not asked, where a person's own line in `trusted_hosts` says so.
  package static func refused(by line: String) -> String {
    "\"\(line)\" in the account's trusted_hosts refuses that server"
  }

  /// What to do where that is not meant.
  package static func allowing(_ line: String) -> String {
    "if that server belongs to your provider, take \"\(line)\" out of trusted_hosts"
  }

  private func tooOften(_ attempt: Attempt) -> DAVError {
    let isCircle = attempt.redirecting.count < attempt.redirects
    var error = DAVError(
      .protocolBroken,
      "the server's redirects of \(access.secrets.shown(attempt.request.url)) lead nowhere",
      why: isCircle
        ? "they lead in a circle" : "there were more than \(Self.mostRedirects) of them",
      hint: "only the server's operator can mend that; another URL may need no redirect: "
        + DAVError.findAddress, mayHaveActed: false)
    error.isEndless = true
    return error
  }
}
