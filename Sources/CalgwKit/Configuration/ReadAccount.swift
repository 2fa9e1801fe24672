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
  let url = try reader.requiredString(
    "url", hint: "write url = \"https://…\", any URL of the server to start from")
  var account = AccountConfiguration(name: name, url: url)
  account.proxy = try readProxy(reader, in: context)
  account.allowsPlainHTTP = try reader.boolean("allow_http") ?? false
  if case .unixSocket = account.proxy { account.allowsPlainHTTP = true }
  do {
    try checkServerURL(url, allowsPlainHTTP: account.allowsPlainHTTP)
  } catch {
    throw reader.error("url", error.message, hint: error.hint)
  }
  try readSignIn(into: &account, reader, in: context)
  try readTLS(into: &account, reader, in: context)
  account.trustedHosts = try readTrustedHosts(reader)
  account.userAgent = try readUserAgent(reader)
  account.timeout = try reader.positiveDuration("timeout") ?? account.timeout
  account.minimumRate = try readRate(reader) ?? account.minimumRate
  account.maxConnections =
    try reader.integer("max_connections", in: 1...64) ?? account.maxConnections
  return account
}

private func readTrustedHosts(_ reader: TableReader) throws(ConfigurationError) -> [String] {
  let names = try reader.strings("trusted_hosts") ?? []
  for written in names {
    let name = written.hasPrefix("!") ? written.dropFirst() : written[...]
    let host = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
    // A star for all of `com` would be one for everybody.
    let isWide = name.hasPrefix("*.") && !host.contains(".")
    guard hostName(of: host) != nil, !isWide, !host.contains("%") else {
      throw reader.error(
        "trusted_hosts", "\"\(written)\" is no host",
        hint: "write \"HOST\", \"HOST:PORT\" or \"*.DOMAIN\" with a dot in the domain, and a !"
          + " before what is to be left out")
    }
  }
  return names
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
