import Glibc

extension Configuration {
  /// The file that is read where none is named, in this order: `$CALGW_CONFIG`,
  /// `$XDG_CONFIG_HOME/calgw/config.toml`, `~/.config/calgw/config.toml`.
  public static func defaultFile(_ environment: ProcessEnvironment) throws(ConfigurationError)
    -> String
  {
    if let named = environment.variables["CALGW_CONFIG"], !named.isEmpty {
      return try absolute(named, environment)
    }
    guard let directory = environment.baseDirectory("XDG_CONFIG_HOME", below: ".config") else {
      throw ConfigurationError(
        "there is no home directory to look for a configuration in",
        hint: "set HOME, or name the file with --config")
    }
    return directory + "/calgw/config.toml"
  }

  /// The state directory where the configuration names none.
  public static func defaultStateDirectory(_ environment: ProcessEnvironment)
    throws(ConfigurationError) -> String
  {
    guard let directory = environment.baseDirectory("XDG_STATE_HOME", below: ".local/state") else {
      throw noStateDirectory
    }
    return directory + "/calgw"
  }

  /// The same for commands that can do without.
  static func defaultStateIfAny(_ environment: ProcessEnvironment) -> String {
    (try? defaultStateDirectory(environment)) ?? ""
  }

  static let noStateDirectory = ConfigurationError(
    "there is no home directory to keep the state in",
    hint: "set HOME or XDG_STATE_HOME, or write state_dir into the configuration")

  /// The file that a command line or a variable names.
  static func absolute(_ path: String, _ environment: ProcessEnvironment)
    throws(ConfigurationError) -> String
  {
    do {
      return try environment.absolutePath(path)
    } catch {
      throw ConfigurationError(error.message, hint: error.hint)
    }
  }

  /// Reads and checks a configuration's text.
  public static func parse(text: [UInt8], file: String, environment: ProcessEnvironment)
    throws(ConfigurationError) -> Configuration
  {
    let document = try ConfigurationDocument(text: text, file: file)
    let directory = file.split(separator: "/").dropLast().joined(separator: "/")
    let context = ReadingContext(
      file: file, directory: "/" + directory, environment: environment)
    let top = try TableReader(document.top, name: "", file: file, known: KnownKeys.top)
    let state = try top.path("state_dir", in: context) ?? defaultStateIfAny(environment)
    var accounts: [AccountConfiguration] = []
    for (name, reader) in try namedTables("account", of: top, known: KnownKeys.account) {
      let account = try readAccount(name, reader, in: context)
      try checkTokenPlace(of: account, beside: accounts, stateDirectory: state, reader)
      accounts.append(account)
    }
    let names = accounts.map(\.name)
    var pairs: [PairConfiguration] = []
    for (name, reader) in try namedTables("pair", of: top, known: KnownKeys.pair) {
      let pair = try readPair(name, reader, accounts: names, in: context)
      try checkCalendar(of: pair, accounts, reader)
      try checkFolder(of: pair, beside: pairs, reader)
      pairs.append(pair)
    }
    return Configuration(
      file: file, stateDirectory: state, accounts: accounts, pairs: pairs)
  }

  /// The tables `[account.NAME]` or `[pair.NAME]`; names become names of files.
  private static func namedTables(_ key: String, of top: TableReader, known: [String])
    throws(ConfigurationError) -> [(String, TableReader)]
  {
    guard let value = top.table[key] else { return [] }
    guard case .table(let table) = value.content else {
      throw top.error(key, "a table is expected here", hint: "write [\(key).NAME]")
    }
    var tables: [(String, TableReader)] = []
    for (name, value) in table.entries {
      let full = "\(key).\(name)"
      guard isPlainName(name) else {
        throw ConfigurationError(
          "the name cannot be used", file: top.file, position: value.position, key: full,
          hint: "use 1 to 64 of A-Z a-z 0-9 . _ -, not beginning with a dot or \"adhoc-\"")
      }
      guard case .table(let table) = value.content else {
        throw ConfigurationError(
          "a table is expected here, not \(value.kind)", file: top.file, position: value.position,
          key: full, hint: "write [\(key).NAME] and the keys below it")
      }
      tables.append((name, try TableReader(table, name: full, file: top.file, known: known)))
    }
    return tables
  }

  private static func isPlainName(_ name: String) -> Bool {
    isPlainComponent(name) && name.first != "." && !name.hasPrefix("adhoc-")
  }

  /// Another user's file is refused, since it could run commands in this one's name.
  fileprivate static func checkOwner(of file: String, _ status: stat) throws(ConfigurationError) {
    let user = geteuid()
    guard status.st_uid == user || status.st_uid == 0 else {
      throw ConfigurationError(
        "the file belongs to another user, who could change what calgw does", file: file,
        hint: "make it your own: chown \(user) FILE")
    }
  }

  /// The files with a password, a token or a key in them that others may read.
  fileprivate func openSecrets(_ file: String, _ status: stat) -> [String] {
    var open: [String] = []
    func note(_ path: String) {
      var found = stat()
      if stat(path, &found) == 0, found.st_mode & 0o077 != 0 { open.append(path) }
    }
    for account in accounts {
      if let key = account.clientKey ?? account.clientCertificate { note(key) }
      for source in account.secrets {
        switch source {
        case .literal where status.st_mode & 0o077 != 0: open.append(file)
        case .file(let path): note(path)
        case .literal, .command, .environment, .keyring: break
        }
      }
    }
    return Set(open).sorted()
  }
}

extension ProcessEnvironment {
  /// Reads and checks the configuration, and that there is a place for the state; `named` is what
  /// `--config` says.
  public func loadConfiguration(from named: String?) throws(ConfigurationError) -> Configuration {
    let configuration = try readConfiguration(from: named)
    if configuration.stateDirectory.isEmpty { throw Configuration.noStateDirectory }
    return configuration
  }

  /// The same for a command that may need no state.
  func readConfiguration(from named: String?) throws(ConfigurationError) -> Configuration {
    let file =
      if let named {
        try Configuration.absolute(named, self)
      } else {
        try Configuration.defaultFile(self)
      }
    let (text, status) = try readConfigurationFile(file)
    try Configuration.checkOwner(of: file, status)
    var configuration = try Configuration.parse(text: text, file: file, environment: self)
    configuration.warnings = configuration.openSecrets(file, status).map {
      "\($0) holds a secret, and other users may read it: run chmod 600 \($0)"
    }
    return configuration
  }
}

/// `[A-Za-z0-9._-]{1,64}`.
func isPlainComponent(_ name: String) -> Bool {
  (1...64).contains(name.utf8.count)
    && name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
}

private func readConfigurationFile(_ file: String) throws(ConfigurationError) -> ([UInt8], stat) {
  let contents: SmallFile
  do {
    contents = try SmallFile(reading: file, limit: ConfigurationDocument.sizeLimit + 1)
  } catch {
    let isMissing = error.code == ENOENT || error.code == ENOTDIR
    throw ConfigurationError(
      isMissing ? "there is no configuration file" : "the file cannot be read: \(error.text)",
      file: file,
      hint: isMissing
        ? "run `calgw init` to make one, or name one with --config"
        : "make it a file that you can read")
  }
  return (contents.bytes, contents.status)
}
