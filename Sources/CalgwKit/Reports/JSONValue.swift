/// A JSON value (RFC 8259) whose members keep their order, for output that scripts compare.
public enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number with three decimals, given in thousandths.
  case thousandths(Int64)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  public struct Member: Sendable, Hashable {
    public var name: String
    public var value: JSONValue
  }

  /// - Parameter members: without those that have no value.
  static func object(_ members: (String, JSONValue?)...) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// A member that is there where it holds.
  static func ifTrue(_ holds: Bool) -> JSONValue? { holds ? .boolean(true) : nil }

  static func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }

  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// One line, without blanks between the tokens and without a line end.
  public var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let boolean): text += boolean ? "true" : "false"
    case .integer(let number): text += String(number)
    case .thousandths(let number):
      let rest = String(number.magnitude % 1000)
      text += number < 0 ? "-" : ""
      text += String(number.magnitude / 1000) + "."
      text += String(repeating: "0", count: 3 - rest.count) + rest
    case .string(let string): Self.append(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(member.name, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  private static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Escaped although JSON would take most of them as they are: output is shown on terminals.
      case _ where isDeceptive(scalar): appendEscape(scalar, to: &text)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func appendEscape(_ scalar: Unicode.Scalar, to text: inout String) {
    for unit in String(scalar).utf16 {
      let digits = hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)])
      text += "\\u" + digits
    }
  }
}
