/// Reads who one is on the server, and what goes with the way of showing it.
func readSignIn(
  into account: inout AccountConfiguration, _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) {
  account.authentication = try reader.choice("auth", AccountConfiguration.Authentication.self)
  account.token = try readSecret("token", of: reader, in: context)
  account.oauth = try readOAuth(reader, in: context)
  if account.authentication == nil, account.oauth != nil {
    account.authentication = .oauth2
  } else if account.authentication == nil, account.token != nil {
    account.authentication = .bearer
  }
  account.username = try reader.string("username")
  account.password = try readSecret("password", of: reader, in: context)
  if account.oauth != nil, account.authentication != .oauth2 {
    throw reader.error(
      "oauth2", "this table goes with auth = \"oauth2\" only",
      hint: "write auth = \"oauth2\", or remove oauth2")
  }
  switch account.authentication {
  case .bearer: try checkBearer(account, reader)
  case .oauth2: try checkOAuth(account, reader)
  case .basic, .digest, nil: try checkLogin(account, reader)
  }
}

private func checkBearer(
  _ account: AccountConfiguration, _ reader: TableReader
) throws(ConfigurationError) {
  guard account.token != nil else {
    throw reader.error(
      "token", "missing key",
      hint: "write token = { command = [\"pass\", \"show\", \"…\"] } or another source")
  }
  guard account.password == nil else {
    throw reader.error(
      "password", "a token takes the place of the password", hint: "remove password, or token")
  }
}

private func checkOAuth(
  _ account: AccountConfiguration, _ reader: TableReader
) throws(ConfigurationError) {
  guard account.oauth != nil else {
    throw reader.error(
      "oauth2", "missing key",
      hint: "write oauth2 = { client_id = \"…\", authorize_url = \"…\", token_url = \"…\" }, as "
        + "docs/sign-in.md has it for your server")
  }
  guard account.password == nil else {
    throw reader.error(
      "password", "there is no password with auth = \"oauth2\"", hint: "remove password")
  }
  switch account.token {
  case .file?, .keyring?, nil: break
  case .command?, .environment?, .literal?:
    throw reader.error(
      "token", "calgw cannot keep tokens there",
      hint: "write { file = \"PATH\" } or { keyring = \"SERVICE\" }, or remove the key")
  }
}

/// Refuses a place for tokens in which another account has its own: either would be signed in as
/// whoever signed in last, and renew tokens that the other one renews as well.
func checkTokenPlace(
  of account: AccountConfiguration, beside others: [AccountConfiguration],
  stateDirectory: String, _ reader: TableReader
) throws(ConfigurationError) {
  func place(_ account: AccountConfiguration) -> TokenPlace? {
    guard account.authentication == .oauth2 else { return nil }
    return account.tokenPlace(stateDirectory: stateDirectory)
  }
  guard let own = place(account),
    let other = others.first(where: { place($0)?.overlaps(own) ?? false })
  else { return }
  throw reader.error(
    "token", "the tokens of account \(other.name) are kept in the place of those of this one",
    hint: "give account \(other.name) or account \(account.name) another place (token), or remove"
      + " the key: each then has a file of its own")
}

private func checkLogin(
  _ account: AccountConfiguration, _ reader: TableReader
) throws(ConfigurationError) {
  guard account.token == nil else {
    throw reader.error(
      "token", "a token goes with auth = \"bearer\" only",
      hint: "write auth = \"bearer\", or remove token")
  }
  if account.password != nil, account.username == nil {
    throw reader.error("username", "missing key", hint: "write username = \"…\"")
  }
  if account.username != nil, account.password == nil {
    throw reader.error(
      "password", "missing key",
      hint: "write password = { command = [\"pass\", \"show\", \"…\"] } or another source")
  }
  try checkSpelling(account, reader)
}

/// What no request can carry (RFC 7617 §2). A password from elsewhere is looked at once it is
/// known.
private func checkSpelling(
  _ account: AccountConfiguration, _ reader: TableReader
) throws(ConfigurationError) {
  func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
  let username = (account.username ?? "").utf8
  if username.contains(where: isControl) {
    throw reader.error(
      "username", "a user name with a control character, as a line end, cannot be sent",
      hint: "remove it from username")
  }
  if username.contains(UInt8(ascii: ":")) {
    throw reader.error(
      "username",
      "a user name with a colon cannot be sent: it would end there, in Basic and in Digest",
      hint: "write the user name without it, as your provider's help has it")
  }
  if case .literal(let secret)? = account.password, secret.bytes.contains(where: isControl) {
    throw reader.error(
      "password", "a password with a control character, as a line end, cannot be sent",
      hint: "write password as one line, without it")
  }
}
