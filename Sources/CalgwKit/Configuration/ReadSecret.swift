/// Reads a secret: a string, or a table with one source.
func readSecret(
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

/// A program that is named by a path, which is read as any other in the configuration; a bare name
/// is looked for in `PATH`. Its arguments are passed on as they are.
func expandProgram(
  _ command: [String], of source: TableReader, _ key: String = "command",
  in context: ReadingContext
) throws(ConfigurationError) -> [String] {
  guard let program = command.first, program.contains("/"), program.first != "/" else {
    return command
  }
  do {
    let path = try expandPath(
      program, environment: context.environment, relativeTo: context.directory)
    return [path] + command.dropFirst()
  } catch {
    throw source.error(key, error.message, hint: error.hint)
  }
}
