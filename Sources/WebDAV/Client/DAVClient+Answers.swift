/// An answer of an error status.
package struct DAVRefusal: Sendable {
  package let status: Int
  package let url: WebURL
  package let words: ServerWords
  package var doubt: Doubt?
  /// The properties that the status is of; safe to show, empty where it is of the whole request.
  package internal(set) var properties: [String] = []

  /// What a 403 makes doubtful beside a permission.
  package enum Doubt: Sendable, Hashable {
    /// It comes with a challenge, as where 401 is meant.
    case login
    /// The token has not the rights (RFC 6750 §3.1).
    case scope
  }

  package init(status: Int, url: WebURL, words: ServerWords) {
    self.status = status
    self.url = url
    self.words = words
  }

  /// Reads an error answer.
  package init(_ answer: DAVAnswer, body: [UInt8]) {
    self.init(
      status: answer.status, url: answer.url,
      words: ServerWords(body: body, head: answer.head, hiding: answer.secrets))
    let challenges = answer.status == 403 ? Challenge.all(answer.head) : []
    let lacksScope = challenges.contains {
      $0.scheme == "bearer" && $0.value(of: "error") == Array("insufficient_scope".utf8)
    }
    if !challenges.isEmpty { doubt = lacksScope ? .scope : .login }
  }

  /// In words, for a person: the status and what the server said.
  package var reason: String {
    let said = ([words.text] + words.named + properties).filter { !$0.isEmpty }
      .joined(separator: "; ")
    return "the server answered \(status)" + (said.isEmpty ? "" : " (\(said))")
  }

  /// The request, or what it asks for, is more than the server has room or time for at once: fewer
  /// items may do (RFC 9110 §15.5.14, RFC 4918 §11.5, RFC 5323 §5.17).
  package var wantsFewer: Bool {
    [413, 507].contains(status) || words.preconditions.contains("number-of-matches-within-limits")
  }

  /// A limit on the account's use: Google says so with 403, in JSON or in XML. It files an API that
  /// nobody has enabled under the same domain, and no waiting helps against that.
  package static func isQuota(_ body: [UInt8], _ status: Int) -> Bool {
    guard status == 403 else { return false }
    let text = String(decoding: body.prefix(4096), as: UTF8.self)
    guard !text.contains("accessNotConfigured") else { return false }
    return limits.contains { text.contains($0) }
  }

  private static let limits = [
    "usageLimits", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded",
    "dailyLimitExceeded",
  ]
}

/// What a request for a multistatus gave.
package enum MultistatusAnswer: Sendable {
  case multistatus(Multistatus, from: WebURL)
  case refused(DAVRefusal)
}

extension DAVClient {
  /// Sends a request whose answer must be a whole multistatus (status 207).
  package func multistatus(
    _ request: DAVRequest, limits: XMLLimits = XMLLimits()
  ) async throws(DAVError) -> MultistatusAnswer {
    let (answer, sink) = try await send(request) { MultistatusSink(limits: limits) }
    if answer.status == 207 {
      do throws(XMLFault) {
        var multistatus = try sink.result()
        multistatus.date = answer.head.values(of: "Date").first.flatMap {
          HTTPDate.milliseconds($0.trimmed)
        }
        return .multistatus(multistatus, from: answer.url)
      } catch {
        throw DAVError(
          error.kind == .limit ? .tooLarge : .illFormed,
          "the answer to \(request.method) \(answer.place) cannot be used", why: error.message,
          hint: "try again; if it stays, tell the server's operator"
        ).answered(from: answer.url)
      }
    }
    if (200...299).contains(answer.status) {
      throw Self.noDAV(answer, "\(request.method) \(answer.place)").answered(from: answer.url)
    }
    return .refused(DAVRefusal(answer, body: sink.beginning))
  }

  /// A success that is none: a login page, a captive portal, a web site.
  package static func noDAV(_ answer: DAVAnswer, _ place: String) -> DAVError {
    if answer.isHTML {
      return DAVError(
        .protocolBroken, "\(place) gave a web page",
        why: "it answered \(answer.status) with HTML, a login page perhaps",
        hint: "this is a web page, not a CalDAV server: check the URL")
    }
    return DAVError(
      .protocolBroken, "the answer to \(place) is not WebDAV",
      why: "it answered \(answer.status) instead of 207",
      hint: "this is not a CalDAV server, or not its address: check the URL")
  }
}
