import TestSupport
import Testing
import WebDAV

/// What an error body says, to people and to calgw.
@Suite struct ServerWordsTests {
  private func words(_ body: String, type: String = "application/json") -> ServerWords {
    ServerWords(
      body: Array(body.utf8),
      head: HTTPResponseHead(status: 403, headers: [HTTPHeader("Content-Type", type)]),
      hiding: KnownSecrets())
  }

  private static let enabling =
    "CalDAV API has not been used in project 123456789012 before or it is disabled. Enable it by "
    + "visiting https://console.developers.google.com/apis/api/caldav.googleapis.com/overview?"
    + "project=123456789012 then retry. If you enabled this API recently, wait a few minutes for "
    + "the action to propagate to our systems and retry."

  /// Google's form (https://developers.google.com/workspace/calendar/api/guides/errors).
  private static func google(_ reason: String, _ message: String) -> String {
    """
    {
     "error": {
      "code": 403,
      "message": "\(message)",
      "errors": [
       {"message": "\(message)", "domain": "usageLimits", "reason": "\(reason)"}
      ],
      "status": "PERMISSION_DENIED"
     }
    }
    """
  }

  @Test(arguments: [
    (#"{"error":{"code":403,"message":"Not yet"}}"#, "Not yet"),
    (#"{"error":"access_denied","error_description":"No way"}"#, "access_denied: No way"),
    (#"{"error":"access_denied"}"#, "access_denied"),
    (#" {"message": "Sorry\n\u001b[2Jthere", "error": "Forbidden"}"#, #"Sorry \u{1B}[2Jthere"#),
    (#"{"error":{"code":403}}"#, ""), (#"{"message":{"a":1}}"#, ""), ("{}", ""),
    (#"{"message": "cut off"#, ""), (#"["message"]"#, ""),
  ])
  func `the message of a JSON body is shown`(body: String, expected: String) {
    #expect(words(body).text == expected)
    #expect(words(body, type: "text/html").text.isEmpty)
  }

  @Test func `a long message is cut off, and Google's is not`() {
    let long = words("{\"message\":\"\(String(repeating: "x", count: 60_000))\"}").text
    #expect(long.count == 501 && long.hasSuffix("…"))
    let huge = "{\"message\":\"\(String(repeating: "x", count: 70_000))\"}"
    #expect(words(huge).text.isEmpty)
    #expect(words(String(repeating: "{\"error\":", count: 7000)).text.isEmpty)
    #expect(words(Self.google("accessNotConfigured", Self.enabling)).text == Self.enabling)
  }

  @Test(arguments: [
    (google("accessNotConfigured", "No"), true), (google("forbidden", enabling), true),
    (google("forbidden", "No"), false), (#"{"message":"accessNotConfigured"}"#, true),
    ("accessNotConfigured", false),
  ])
  func `an API that nobody has enabled is known by its word or its sentence`(
    body: String, isDisabled: Bool
  ) {
    #expect(words(body).isOfDisabledAPI == isDisabled)
    #expect(!words(body, type: "text/html").isOfDisabledAPI)
  }

  @Test(arguments: [
    ("accessNotConfigured", false), ("rateLimitExceeded", true), ("userRateLimitExceeded", true),
    ("quotaExceeded", true), ("dailyLimitExceeded", true), ("somethingNew", true),
  ])
  func `a limit is waited for, an API that nobody has enabled is a refusal`(
    reason: String, isLimit: Bool
  ) async throws {
    let body = Self.google(reason, Self.enabling).replacing("\n", with: " ")
    let transport = ScriptedTransport(
      try Exchange("> PROPFIND https://a.example/x\n< 403\n< Content-Type: text/x\n\(body)"))
    let client = DAVClient(
      transport: transport, access: DAVAccess { 0 }, trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    do throws(DAVError) {
      guard case .refused(let refusal) = try await client.multistatus(request) else {
        Issue.record("it was taken for a multistatus")
        return
      }
      #expect(!isLimit)
      #expect(refusal.reason == "the server answered 403 (\(Self.enabling))")
    } catch {
      #expect(isLimit && error.kind == .tryLater(nil))
    }
  }
}
