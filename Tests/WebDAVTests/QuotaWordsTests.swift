import Testing
import WebDAV

/// The forms in which Google says that an account has asked for too much, all with status 403.
@Suite struct QuotaWordsTests {
  private static func xml(_ code: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <errors xmlns="http://schemas.google.com/g/2005"><error><domain>GData</domain>
    <code>\(code)</code><internalReason>Too many</internalReason></error></errors>
    """
  }

  @Test(arguments: [
    (xml("rateLimitExceeded"), true), (xml("quotaExceeded"), true),
    (xml("accessNotConfigured"), false), (xml("forbidden"), false),
    ("  userRateLimitExceeded\n", true), ("", false),
    // So it says of one kind of write, for a day: the others are not to wait.
    ("Calendar usage limits exceeded.", false),
    ("You may not do this.", false),
    (#"{"error":{"errors":[{"domain":"usageLimits","reason":"accessNotConfigured"}]}}"#, false),
    (#"<D:error xmlns:D="DAV:"><D:quota-not-exceeded/></D:error>"#, false),
  ])
  func `a limit is known in any form`(body: String, isLimit: Bool) {
    #expect(DAVRefusal.isQuota(Array(body.utf8), 403) == isLimit)
    #expect(!DAVRefusal.isQuota(Array(body.utf8), 400))
  }
}
