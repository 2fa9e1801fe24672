/// Reads who one is on the server, and what goes with the way of showing it.
func readSignIn(
  into account: inout AccountConfiguration, _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) {
  account.authentication = try reader.choice("auth", AccountConfiguration.Authentication.self)
  if account.authentication == .oauth2 {
    try reader.refuseUnsupported(
      "auth", because: "oauth2 is not supported yet by this version of calgw")
  }
  account.token = try readSecret("token", of: reader, in: context)
  if account.authentication == nil, account.token != nil { account.authentication = .bearer }
  account.username = try reader.string("username")
  account.password = try readSecret("password", of: reader, in: context)
  switch account.authentication {
  case .bearer: try checkBearer(account, reader)
  case .basic, .digest, .oauth2, nil: try checkLogin(account, reader)
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
