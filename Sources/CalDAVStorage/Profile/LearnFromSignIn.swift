import WebDAV

extension CalDAVAccount {
  /// Takes down which way of signing in the server asked for, so that the next run begins with it:
  /// another one is a failed login on the server's side, and Basic shows the password.
  public func learnSignIn() {
    guard let scheme = client.scheme(at: url.origin) else { return }
    memory.learn(
      .digestLogin, scheme == .digest, "a request without the right sign-in",
      "401 that asks for \(scheme == .digest ? "Digest" : "Basic")")
  }
}

extension ServerMemory {
  /// The ways of signing in that may be used, in the order in which they are tried.
  func likelierFirst(_ schemes: [HTTPCredentials.Scheme]) -> [HTTPCredentials.Scheme] {
    guard knows(.digestLogin), schemes.contains(.digest) else { return schemes }
    return [.digest] + schemes.filter { $0 != .digest }
  }
}
