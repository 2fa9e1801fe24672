import TestSupport

extension Sandbox {
  /// Writes the configuration, with an account `home` whose password is in a file.
  ///
  /// - Parameter rest: What else there is: first further keys of the account, if any.
  func configureAccount(
    _ url: String, username: String = "alice", password: String, timeout: String = "2m",
    _ rest: String
  ) throws {
    try write("secret", password)
    try write(
      "config/calgw/config.toml",
      """
      [account.home]
      url = "\(url)"
      username = "\(username)"
      password = { file = "~/secret" }
      timeout = "\(timeout)"
      \(rest)

      """)
  }
}
