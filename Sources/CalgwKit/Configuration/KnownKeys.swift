/// Every key that a configuration may have, a list a table; `docs/configuration.md` describes each.
public enum KnownKeys {
  public static let top = ["state_dir", "account", "pair"]
  public static let account = [
    "url", "username", "password", "auth", "ca_file", "client_cert", "client_key", "pin_sha256",
    "user_agent", "proxy", "oauth2", "token", "timeout", "min_rate", "max_connections",
    "allow_http",
  ]
  public static let secret = ["command", "env", "file", "keyring"]
  public static let pair = [
    "local", "remote", "collections", "calendar", "conflict", "direction", "read_only",
    "max_delete", "confirm_delete", "deadline", "window", "interval", "components", "metadata",
    "history", "invitations", "after_sync", "on_conflict",
  ]
  public static let local = ["remote"]
  public static let remote = ["local", "ics", "file"]
  public static let history = ["keep", "versions"]

  /// All of them, for the test that compares them with the documentation.
  public static let all = top + account + secret + pair + local + remote + history
}
