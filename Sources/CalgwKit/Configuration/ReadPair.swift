import SyncModel
import SyncPlanning

/// Reads one `[pair.NAME]`; `accounts` are the names that a side may give.
func readPair(
  _ name: String, _ reader: TableReader, accounts: [String], in context: ReadingContext
) throws(ConfigurationError) -> PairConfiguration {
  var pair = PairConfiguration(
    name: name, local: try readLocal(reader, accounts: accounts, in: context),
    remote: try readRemote(reader, accounts: accounts, in: context))
  if pair.local == pair.remote {
    throw reader.error(
      "remote", "both sides are the same", hint: "name two different directories or accounts")
  }
  pair.selection = try readSelection(reader) ?? pair.selection
  if let overlap = pair.overlap {
    throw reader.error("remote", overlap.message, hint: overlap.hint)
  }
  pair.policy = try reader.choice("conflict", ConflictPolicy.self) ?? pair.policy
  pair.direction = try reader.choice("direction", SyncDirection.self) ?? .both
  let readOnly = try reader.boolean("read_only")
  pair.isReadOnly = readOnly ?? false
  pair.triesWrites = readOnly == false
  if case .subscription = pair.remote, pair.direction == .push {
    throw reader.error(
      "direction", "a subscription cannot be pushed to: nobody can write to it",
      hint: "remove direction, or write direction = \"pull\"")
  }
  if pair.isReadOnly, pair.direction == .push {
    throw reader.error(
      "read_only", "a read-only remote side cannot be pushed to",
      hint: "remove read_only, or write direction = \"pull\"")
  }
  try readLimits(reader, into: &pair)
  pair.components = try readComponents(reader)
  if let window = try reader.table("window", known: KnownKeys.window) {
    pair.window = PairConfiguration.Window(
      past: try window.duration("past"), future: try window.duration("future"))
    if pair.window == PairConfiguration.Window(past: nil, future: nil) {
      throw reader.error(
        "window", "the table is empty", hint: "write { past = \"90d\", future = \"365d\" }")
    }
  }
  pair.metadata = try readMetadata(reader) ?? pair.metadata
  if let history = try reader.table("history", known: KnownKeys.history) {
    pair.historyKept = try history.duration("keep") ?? pair.historyKept
    pair.historyVersions =
      try history.integer("versions", in: 1...1_000_000) ?? pair.historyVersions
  }
  pair.afterSync = try readCommand("after_sync", reader, in: context)
  pair.onConflict = try readCommand("on_conflict", reader, in: context)
  return pair
}

private func readLimits(
  _ reader: TableReader, into pair: inout PairConfiguration
) throws(ConfigurationError) {
  if let string = try reader.string("max_delete", like: "25%") {
    guard let percent = parsePercentage(string) else {
      throw reader.error(
        "max_delete", "\"\(string)\" is not a percentage",
        hint: "write a whole number from \"0%\" to \"100%\"")
    }
    pair.maxDeletePercent = percent
  }
  pair.deadline = try reader.positiveDuration("deadline") ?? pair.deadline
  // For `watch`; checked here so that a wrong value does not wait until then.
  _ = try reader.positiveDuration("interval")
  enum Confirmation: String, CaseIterable { case never, always }
  pair.confirmsDeletions = try reader.choice("confirm_delete", Confirmation.self) == .always
  pair.invitations = try reader.choice("invitations", PairConfiguration.Invitations.self)
}

/// A program and its arguments; no shell reads them.
private func readCommand(
  _ key: String, _ reader: TableReader, in context: ReadingContext
) throws(ConfigurationError) -> [String]? {
  guard let words = try reader.strings(key) else { return nil }
  guard let program = words.first, !program.isEmpty else {
    throw reader.error(
      key, "the command is empty", hint: "write \(key) = [\"program\", \"argument\"]")
  }
  return try expandProgram(words, of: reader, key, in: context)
}

private func readLocal(
  _ reader: TableReader, accounts: [String], in context: ReadingContext
) throws(ConfigurationError) -> SideConfiguration {
  let hint = "write local = \"~/calendars\", the directory of the calendars"
  if case .table? = reader.table["local"]?.content {
    guard let table = try reader.table("local", known: KnownKeys.local) else {
      throw reader.error("local", "missing key", hint: hint)
    }
    let account = try table.requiredString("remote", hint: "write the name of an account")
    return try readAccountName(account, key: "remote", of: table, accounts: accounts)
  }
  _ = try reader.requiredString("local", hint: hint)
  guard let path = try reader.path("local", in: context) else {
    throw reader.error("local", "missing key", hint: hint)
  }
  return .directory(path)
}

private func readRemote(
  _ reader: TableReader, accounts: [String], in context: ReadingContext
) throws(ConfigurationError) -> SideConfiguration {
  let hint =
    "write remote = \"NAME\", the name of an account, or { local = \"DIR\" }, { file = \"PATH\" },"
    + " { ics = \"URL\" }"
  if case .table? = reader.table["remote"]?.content {
    guard let table = try reader.table("remote", known: KnownKeys.remote) else {
      throw reader.error("remote", "missing key", hint: hint)
    }
    return try readRemote(table, in: context)
  }
  let account = try reader.requiredString("remote", hint: hint)
  return try readAccountName(account, key: "remote", of: reader, accounts: accounts)
}

private func readAccountName(
  _ name: String, key: String, of reader: TableReader, accounts: [String]
) throws(ConfigurationError) -> SideConfiguration {
  guard accounts.contains(name) else {
    throw reader.error(
      key, "there is no account \"\(name)\"",
      hint: accounts.isEmpty
        ? "add a table [account.\(name)], or write { local = \"DIR\" } for a directory"
        : suggestion(for: name, among: accounts, what: "accounts"))
  }
  return .account(name)
}

private func readSelection(_ reader: TableReader) throws(ConfigurationError)
  -> PairConfiguration.Selection?
{
  if reader.has("calendar") {
    guard !reader.has("collections") else {
      throw reader.error(
        "calendar", "a pair has either calendar or collections", hint: "remove one of the two")
    }
    return .calendar(
      try reader.requiredString(
        "calendar", hint: "write \".\", a remote id, a display name, a path or a URL"))
  }
  guard let value = reader.table["collections"] else { return nil }
  guard case .array(let elements) = value.content, !elements.isEmpty else {
    throw reader.error(
      "collections", "an array with at least one entry is expected here",
      hint: "write collections = [\"*\"] for all")
  }
  var rules: [CollectionRule] = []
  for element in elements {
    let found = try readRules(element, of: reader)
    for case .map(let local, _) in found {
      let isTaken = rules.contains { if case .map(local, _) = $0 { true } else { false } }
      guard !isTaken else {
        throw ConfigurationError(
          "the local name \"\(local)\" is given twice", file: reader.file,
          position: element.position, key: reader.fullName("collections"), hint: "keep one")
      }
    }
    rules += found
  }
  return .collections(rules)
}

/// Reads one entry of `collections`; a table may map several names.
private func readRules(
  _ element: ConfigurationValue, of reader: TableReader
) throws(ConfigurationError) -> [CollectionRule] {
  func complaint(_ message: String, _ hint: String) -> ConfigurationError {
    ConfigurationError(
      message, file: reader.file, position: element.position, key: reader.fullName("collections"),
      hint: hint)
  }
  switch element.content {
  case .string(let string):
    let isExclusion = string.hasPrefix("!")
    let pattern = isExclusion ? String(string.dropFirst()) : string
    guard !pattern.isEmpty else {
      throw complaint("a name is empty", "write a name, or \"*\" for all")
    }
    return [isExclusion ? .exclude(pattern) : .include(pattern)]
  case .table(let table):
    guard !table.entries.isEmpty else {
      throw complaint("the table is empty", "write { local_name = \"remote id\" }")
    }
    var rules: [CollectionRule] = []
    for (local, value) in table.entries {
      guard case .string(let remote) = value.content, !remote.isEmpty else {
        throw complaint(
          "\"\(local)\" has no counterpart",
          "write { \(local) = \"remote id, display name or path\" }")
      }
      guard isFolderName(local) else {
        throw complaint(
          "\"\(local)\" cannot be a folder's name",
          "write a name without \"/\" that does not begin with a dot, of at most 255 bytes")
      }
      rules.append(.map(local: local, remote: remote))
    }
    return rules
  case .array, .boolean, .integer, .other:
    throw complaint(
      "a name or { local_name = \"remote\" } is expected here, not \(element.kind)",
      "write a string in quotes")
  }
}

/// A single, visible path component.
func isFolderName(_ name: String) -> Bool {
  !name.isEmpty && name.utf8.count <= 255 && name.first != "."
    && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
}

private func readComponents(_ reader: TableReader) throws(ConfigurationError) -> Set<String>? {
  guard let names = try reader.strings("components") else { return nil }
  let known = ["VEVENT", "VTODO", "VJOURNAL"]
  for name in names where !known.contains(name) {
    throw reader.error(
      "components", "\"\(name)\" is not a kind of component",
      hint: "write \(known.map { "\"\($0)\"" }.joined(separator: ", "))")
  }
  guard !names.isEmpty else {
    throw reader.error("components", "the list is empty", hint: "name one, or remove the key")
  }
  return Set(names)
}

private func readMetadata(_ reader: TableReader) throws(ConfigurationError)
  -> [MetadataKey]?
{
  guard let names = try reader.strings("metadata") else { return nil }
  let known = MetadataKey.allCases.map(\.rawValue)
  return try names.map { name throws(ConfigurationError) in
    guard let key = MetadataKey(rawValue: name) else {
      throw reader.error(
        "metadata", "\"\(name)\" is no metadata that calgw knows",
        hint: suggestion(for: name, among: known, what: "metadata"))
    }
    return key
  }
}
