extension DAVClient {
  /// Where a request stands.
  package struct Attempt {
    let request: DAVRequest
    var url: WebURL
    var redirects = 0
    /// The addresses that redirected it.
    var redirecting: Set<WebURL> = []
    /// The last one was for good.
    var wasMovedForGood = false
    /// It began where an earlier request was led.
    var isAtMovedPlace = false
    /// Where redirects led that nobody has vouched for.
    var strangers: [WebURL] = []
    var challenges = 0
    /// How often the nonce that it had was one no more.
    var staleNonces = 0
    /// How often it was answered as for everybody.
    var guestAnswers = 0
    /// The token to show after one that was refused.
    var nextToken: [UInt8]?
    /// How often a connection ended on it, but for the end by which it left HTTP/2.
    var interruptions = 0
    /// HTTP/2 itself failed on it: from then on it goes over HTTP/1.1.
    var hasLeftHTTP2 = false
    /// How often it was put off.
    var delays = 0
    /// In milliseconds, for that.
    var waited: Int64 = 0

    package init(request: DAVRequest) {
      self.request = request
      url = request.url
    }
  }
}
