/// What the readers of tables share.
struct ReadingContext {
  let file: String
  /// The directory of the file: relative paths start there.
  let directory: String
  let environment: ProcessEnvironment
}

extension TableReader {
  /// A path, expanded and absolute.
  func path(_ key: String, in context: ReadingContext) throws(ConfigurationError) -> String? {
    guard let string = try string(key) else { return nil }
    do {
      return try expandPath(
        string, environment: context.environment, relativeTo: context.directory)
    } catch {
      throw self.error(key, error.message, hint: error.hint)
    }
  }
}

/// Reads one `[account.NAME]`.
func readAccount(
  _ name: String, _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> AccountConfiguration {
  for key in ["client_cert", "client_key", "pin_sha256", "proxy", "oauth2", "token"] {
    try reader.refuseUnsupported(key)
  }
  let url = try reader.requiredString(
    "url", hint: "write url = \"https://…\", any URL of the server to start from")
  var account = AccountConfiguration(name: name, url: url)
  account.allowsPlainHTTP = try reader.boolean("allow_http") ?? false
  do {
    try checkServerURL(url, allowsPlainHTTP: account.allowsPlainHTTP)
  } catch {
    throw reader.error("url", error.message, hint: error.hint)
  }
  account.authentication = try reader.choice("auth", AccountConfiguration.Authentication.self)
  switch account.authentication {
  case .bearer, .oauth2:
    try reader.refuseUnsupported(
      "auth", because: "bearer and oauth2 are not supported yet by this version of calgw")
  case .basic, .digest, nil: break
  }
  account.username = try reader.string("username")
  account.password = try readSecret("password", of: reader, in: context)
  if account.password != nil, account.username == nil {
    throw reader.error("username", "missing key", hint: "write username = \"…\"")
  }
  if account.username != nil, account.password == nil {
    throw reader.error(
      "password", "missing key",
      hint: "write password = { command = [\"pass\", \"show\", \"…\"] } or another source")
  }
  account.authoritiesFile = try reader.path("ca_file", in: context)
  account.userAgent = try readUserAgent(reader)
  account.timeout = try reader.positiveDuration("timeout") ?? account.timeout
  account.minimumRate = try readRate(reader) ?? account.minimumRate
  account.maxConnections =
    try reader.integer("max_connections", in: 1...64) ?? account.maxConnections
  return account
}

private func readUserAgent(_ reader: TableReader) throws(ConfigurationError) -> String? {
  guard let agent = try reader.string("user_agent") else { return nil }
  guard !agent.isEmpty, agent.utf8.count <= 256,
    agent.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F })
  else {
    throw reader.error(
      "user_agent", "the value cannot be sent as a header",
      hint: "write 1 to 256 ASCII characters without control characters")
  }
  return agent
}

private func readRate(_ reader: TableReader) throws(ConfigurationError) -> Int? {
  guard let string = try reader.string("min_rate") else { return nil }
  guard let rate = parseRate(string) else {
    throw reader.error(
      "min_rate", "\"\(string)\" is not a rate",
      hint: "write a whole number and a unit, as \"100B/s\" or \"1kB/s\"")
  }
  return rate
}

/// Reads a secret: a string, or a table with one source.
private func readSecret(
  _ key: String, of reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> SecretSource? {
  guard let value = reader.table[key] else { return nil }
  if case .string(let string) = value.content {
    guard !string.isEmpty else {
      throw reader.error(key, "the value is empty", hint: "write the password, or its source")
    }
    return .literal(Secret(bytes: Array(string.utf8)))
  }
  guard case .table = value.content else {
    throw reader.error(
      key, "a string or a table is expected here, not \(value.kind)",
      hint: "write { command = [\"…\"] }, { env = \"VAR\" }, { file = \"PATH\" }, "
        + "{ keyring = \"SERVICE\" } or a string")
  }
  guard let source = try reader.table(key, known: KnownKeys.secret) else { return nil }
  guard source.table.entries.count == 1 else {
    throw reader.error(
      key, "exactly one source is expected, not \(source.table.entries.count)",
      hint: "write one of command, env, file and keyring")
  }
  if let command = try source.strings("command") {
    guard let program = command.first, !program.isEmpty else {
      throw source.error(
        "command", "the command is empty", hint: "write the program and its arguments")
    }
    return .command(try expandProgram(command, of: source, in: context))
  }
  if let file = try source.path("file", in: context) { return .file(file) }
  if source.has("env") {
    return .environment(try source.requiredString("env", hint: "write the variable's name"))
  }
  return .keyring(try source.requiredString("keyring", hint: "write the service's name"))
}

/// Expands `~/` before the program's name; its arguments are passed on as they are.
private func expandProgram(
  _ command: [String], of source: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> [String] {
  guard let program = command.first, program.hasPrefix("~/") else { return command }
  do {
    let path = try expandPath(
      program, environment: context.environment, relativeTo: context.directory)
    return [path] + command.dropFirst()
  } catch {
    throw source.error("command", error.message, hint: error.hint)
  }
}
