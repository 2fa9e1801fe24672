/// Takes typed values out of a table; every complaint names file, line and key.
struct TableReader {
  let table: ConfigurationTable
  /// The table's name, as `pair.home`; empty at the top.
  let name: String
  let file: String

  /// Refuses keys that are not in `known`.
  init(
    _ table: ConfigurationTable, name: String, file: String, known: [String]
  ) throws(ConfigurationError) {
    self.table = table
    self.name = name
    self.file = file
    for (key, value) in table.entries where !known.contains(key) {
      let near = nearMiss(of: key, in: known).map { "did you mean \"\($0)\"?" }
      throw ConfigurationError(
        "unknown key", file: file, position: value.beginning, key: fullName(key),
        hint: near ?? "remove it, or see the keys in docs/configuration.md")
    }
  }

  func fullName(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }

  func has(_ key: String) -> Bool { table[key] != nil }

  /// The complaint about a key; it stands at the key, or at the table where the key is missing.
  func error(_ key: String, _ message: String, hint: String) -> ConfigurationError {
    ConfigurationError(
      message, file: file, position: table[key]?.position ?? table.position, key: fullName(key),
      hint: hint)
  }

  /// Refuses a key whose feature this version does not have, rather than to ignore it.
  func refuseUnsupported(_ key: String, because reason: String? = nil) throws(ConfigurationError) {
    guard has(key) else { return }
    throw error(
      key, reason ?? "not supported yet by this version of calgw", hint: "remove the key")
  }

  private func wrongKind(
    _ key: String, _ value: ConfigurationValue, wanted: String, like example: String? = nil
  ) -> ConfigurationError {
    let form = example.map { ", as \"\($0)\"" } ?? ""
    return ConfigurationError(
      "\(wanted) is expected here, not \(value.kind)", file: file, position: value.position,
      key: fullName(key), hint: "write \(wanted)\(form)")
  }

  // MARK: Values

  /// - Parameter example: A value, without its quotes.
  func string(_ key: String, like example: String? = nil) throws(ConfigurationError) -> String? {
    guard let value = table[key] else { return nil }
    guard case .string(let string) = value.content else {
      throw wrongKind(key, value, wanted: "a string in quotes", like: example)
    }
    return string
  }

  /// A string that is neither missing nor empty.
  func requiredString(_ key: String, hint: String) throws(ConfigurationError) -> String {
    guard let string = try string(key) else { throw error(key, "missing key", hint: hint) }
    guard !string.isEmpty else { throw error(key, "the value is empty", hint: hint) }
    return string
  }

  func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = table[key] else { return nil }
    guard case .boolean(let boolean) = value.content else {
      throw wrongKind(key, value, wanted: "true or false without quotes")
    }
    return boolean
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let value = table[key] else { return nil }
    guard case .integer(let integer) = value.content else {
      throw wrongKind(key, value, wanted: "a whole number without quotes")
    }
    guard range.contains(integer) else {
      throw error(
        key, "\(integer) is out of range",
        hint: "write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// A string that is one of an enumeration's values.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Choice.Type
  ) throws(ConfigurationError) -> Choice? where Choice.RawValue == String {
    guard let string = try string(key) else { return nil }
    guard let choice = Choice(rawValue: string) else {
      let all = Choice.allCases.map(\.rawValue)
      let near = nearMiss(of: string, in: all).map { "did you mean \"\($0)\"? " } ?? ""
      throw error(
        key, "\"\(string)\" is not one of the values of this key",
        hint: near + "it is one of \(all.joined(separator: ", "))")
    }
    return choice
  }

  func duration(_ key: String) throws(ConfigurationError) -> Duration? {
    guard let string = try string(key, like: "30s") else { return nil }
    guard let duration = parseDuration(string) else {
      throw error(
        key, "\"\(string)\" is not a duration",
        hint: "write a whole number and a unit, as \"500ms\", \"30s\", \"5m\", \"1h\" or \"90d\"")
    }
    return duration
  }

  /// A duration that must be longer than nothing.
  func positiveDuration(_ key: String) throws(ConfigurationError) -> Duration? {
    guard let duration = try duration(key) else { return nil }
    guard duration > .zero else {
      throw error(key, "the duration is zero", hint: "write at least \"1ms\"")
    }
    return duration
  }

  func strings(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let value = table[key] else { return nil }
    guard case .array(let elements) = value.content else {
      throw wrongKind(key, value, wanted: "an array of strings")
    }
    var strings: [String] = []
    for element in elements {
      guard case .string(let string) = element.content else {
        throw wrongKind(key, element, wanted: "a string in quotes")
      }
      strings.append(string)
    }
    return strings
  }

  /// A table below this one, its keys checked.
  func table(_ key: String, known: [String]) throws(ConfigurationError) -> TableReader? {
    guard let value = table[key] else { return nil }
    guard case .table(let table) = value.content else {
      throw wrongKind(key, value, wanted: "a table")
    }
    return try TableReader(table, name: fullName(key), file: file, known: known)
  }
}
