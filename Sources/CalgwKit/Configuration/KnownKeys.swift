/// Every key that a configuration may have, a list a table; `docs/configuration.md` describes each.
public enum KnownKeys {
  /// At the top of the file.
  public static let top = ["state_dir", "account", "pair"]
  /// Below `[account.NAME]`.
  public static let account = [
    "url", "username", "password", "auth", "ca_file", "client_cert", "client_key", "pin_sha256",
    "user_agent", "proxy", "oauth2", "token", "timeout", "min_rate", "max_connections",
    "allow_http", "trusted_hosts",
  ]
  /// In a table that stands for a secret.
  public static let secret = ["command", "env", "file", "keyring"]
  /// In a table `oauth2`.
  public static let oauth2 = [
    "client_id", "client_secret", "authorize_url", "token_url", "scope",
  ]
  /// Below `[pair.NAME]`.
  public static let pair = [
    "local", "remote", "collections", "calendar", "conflict", "direction", "read_only",
    "max_delete", "confirm_delete", "deadline", "window", "interval", "components", "metadata",
    "history", "invitations", "after_sync", "on_conflict",
  ]
  /// In a table `local`.
  public static let local = ["remote"]
  /// In a table `remote`.
  public static let remote = ["local", "ics", "file"]
  /// In a table `history`.
  public static let history = ["keep", "versions"]

  /// In a table `window`.
  public static let window = ["past", "future"]

  /// All of them, for the test that compares them with the documentation.
  public static let all =
    top + account + secret + oauth2 + pair + local + remote + history + window
}
