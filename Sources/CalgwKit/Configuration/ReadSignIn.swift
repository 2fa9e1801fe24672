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
}
