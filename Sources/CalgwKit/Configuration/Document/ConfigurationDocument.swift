import TOMLKit

/// A TOML text as a tree of values that know where they stand.
struct ConfigurationDocument {
  /// 1 MiB: a configuration of a thousand pairs is a tenth of it, and a wrong path (a device, a
  /// database) is not read to its end.
  static let sizeLimit = 1 << 20

  var top: ConfigurationTable

  /// Parses a text; a syntax error names its line and column.
  init(text: [UInt8], file: String) throws(ConfigurationError) {
    guard text.count <= Self.sizeLimit else {
      throw ConfigurationError(
        "the file is larger than \(Self.sizeLimit) bytes", file: file,
        hint: "name a calgw configuration with --config")
    }
    guard let string = String(validating: text, as: UTF8.self), !text.contains(0) else {
      throw ConfigurationError(
        "the file is not UTF-8 text", file: file, hint: "save it as UTF-8, as TOML demands")
    }
    let parsed: TOMLTable
    do {
      parsed = try TOMLTable(string: string)
    } catch let error as TOMLParseError {
      throw ConfigurationError(
        plainMessage(error.description), file: file,
        position: SourcePosition(line: error.source.begin.line, column: error.source.begin.column),
        hint: "correct the TOML syntax of this line (https://toml.io)")
    } catch {
      throw ConfigurationError("the file is not TOML", file: file, hint: "correct its syntax")
    }
    let positions = KeyPositions(of: text)
    // The parser ends a string there.
    if let position = positions.firstNUL {
      throw ConfigurationError(
        "a NUL cannot be in a string", file: file, position: position, hint: "remove the \\u0000")
    }
    top = ConfigurationTable(
      parsed, path: [], positions: positions, position: nil)
  }
}

/// The parser's `Error while parsing WHAT: WHY` as `WHY (in the WHAT)`.
private func plainMessage(_ text: String) -> String {
  let start = "Error while parsing "
  guard text.hasPrefix(start), let colon = text.firstRange(of: ": ") else { return text }
  let what = text[..<colon.lowerBound].dropFirst(start.count)
  return "\(text[colon.upperBound...]) (in the \(what))"
}

/// A value of a configuration with its place.
struct ConfigurationValue {
  enum Content {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case array([ConfigurationValue])
    case table(ConfigurationTable)
    /// Anything else: floating-point numbers, dates, times; no key takes one.
    case other(String)
  }

  var content: Content
  var position: SourcePosition?

  /// Where it stands; of a table that only its own tables name, as of `x` in `[x.y]`, where the
  /// first of them does.
  var beginning: SourcePosition? {
    guard position == nil, case .table(let table) = content else { return position }
    return table.position ?? table.entries.lazy.compactMap(\.value.beginning).first
  }

  /// The value's kind, as messages name it.
  var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "a number"
    case .boolean: "true or false"
    case .array: "an array"
    case .table: "a table"
    case .other(let name): "a \(name)"
    }
  }
}

/// A table of a configuration, its entries in the order of the text.
struct ConfigurationTable {
  var entries: [(key: String, value: ConfigurationValue)]
  var position: SourcePosition?

  subscript(key: String) -> ConfigurationValue? { entries.first { $0.key == key }?.value }

  fileprivate init(
    _ table: TOMLTable, path: [KeyPositions.Step], positions: KeyPositions,
    position: SourcePosition?
  ) {
    self.position = position
    var entries: [(key: String, value: ConfigurationValue)] = []
    for (key, value) in table {
      let path = path + [.key(key)]
      entries.append((key, ConfigurationValue(value, path: path, positions: positions)))
    }
    // The parser sorts by key; people think in the order of their file.
    let far = SourcePosition(line: .max, column: .max)
    entries.sort { ($0.value.position ?? far, $0.key) < ($1.value.position ?? far, $1.key) }
    self.entries = entries
  }
}

extension ConfigurationValue {
  fileprivate init(
    _ value: any TOMLValueConvertible, path: [KeyPositions.Step], positions: KeyPositions
  ) {
    position = positions.positions[path]
    content =
      if let string = value.string {
        .string(string)
      } else if let boolean = value.bool {
        .boolean(boolean)
      } else if let integer = value.int {
        .integer(integer)
      } else if let array = value.array {
        .array(
          array.enumerated().map { index, element in
            ConfigurationValue(element, path: path + [.element(index)], positions: positions)
          })
      } else if let table = value.table {
        .table(
          ConfigurationTable(table, path: path, positions: positions, position: position))
      } else {
        .other(value.type.description)
      }
  }
}
