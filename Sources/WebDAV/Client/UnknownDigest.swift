extension DAVClient {
  /// Why no password is the right one for a challenge of Digest, or none was shown to it; nil where
  /// the password may be to blame.
  func unknownDigest(_ head: HTTPResponseHead, _ url: WebURL) -> DAVError? {
    guard let offer = DigestOffer(head) else { return nil }
    switch offer.obstacle {
    case .hashedBodies:
      return unknownDigest(
        head, url, offer: "qop=\"auth-int\"", detail: ", a hash over the whole of each request",
        wish: "qop=\"auth\"")
    case .algorithm(let name):
      return unknownDigest(head, url, offer: "the algorithm \(name)", wish: "SHA-256")
    case nil: break
    }
    // libcurl answers each challenge that it can read.
    guard head.answersAnybody else { return nil }
    return DAVError(
      .denied, "the server asks for a password in a way that calgw cannot read",
      why: "\(access.secrets.shown(url)) answered 401, and its challenge for Digest is not written "
        + "as RFC 7616 has it",
      hint: "tell the server's operator, or ask for Basic over https", mayHaveActed: false)
  }

  private func unknownDigest(
    _ head: HTTPResponseHead, _ url: WebURL, offer: String, detail: String = "", wish: String
  ) -> DAVError {
    let isFirst = DigestOffer.isOtherUsable(head)
    return DAVError(
      .denied,
      isFirst
        ? "the way of Digest that the server puts first is one that calgw does not know"
        : "the server takes a password by a way of Digest alone that calgw does not know",
      why: "\(access.secrets.shown(url)) answered 401 and offers Digest with \(offer) "
        + (isFirst ? "before others, and the first one is answered" : "only") + detail,
      hint: isFirst
        ? "ask the server's operator to put \(wish) first, or for Basic over https"
        : "ask the server's operator for \(wish), or for Basic over https",
      mayHaveActed: false)
  }
}
