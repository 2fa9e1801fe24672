/// A content line apart from any tree, to be changed and written (RFC 5545 §3.1).
public struct Property: Sendable, Hashable {
  public var name: [UInt8]
  public var parameters: [Parameter]
  /// As it is to stand in the line: a text value is escaped before (`TextValue.escaped`).
  public var value: [UInt8]

  public init(name: [UInt8], parameters: [Parameter] = [], value: [UInt8]) {
    self.name = name
    self.parameters = parameters
    self.value = value
  }

  public init(_ name: String, parameters: [Parameter] = [], value: String) {
    self.init(name: Array(name.utf8), parameters: parameters, value: Array(value.utf8))
  }

  /// A property whose value is a text, which is escaped (RFC 5545 §3.3.11).
  public init(_ name: String, parameters: [Parameter] = [], text: String) {
    self.init(
      name: Array(name.utf8), parameters: parameters, value: TextValue(text: text).escaped)
  }

  /// The line, unfolded and without a line end. Values of parameters are quoted where they need
  /// it.
  func content() throws(EditRefusal) -> [UInt8] {
    guard !name.isEmpty, name.allSatisfy(\.isNameByte) else { throw .badName }
    guard !sameName(name, "BEGIN"), !sameName(name, "END") else { throw .badName }
    guard !value.contains(where: \.isLineBreak) else { throw .lineBreakInValue }
    var content = name
    for parameter in parameters {
      guard !parameter.name.isEmpty, parameter.name.allSatisfy(\.isNameByte) else {
        throw .badParameter
      }
      content.append(ASCII.semicolon)
      content += parameter.name
      for (index, value) in parameter.values.enumerated() {
        guard !value.contains(where: { $0 == ASCII.quote || $0.isLineBreak }) else {
          throw .badParameter
        }
        content.append(index == 0 ? ASCII.equals : ASCII.comma)
        content += needsQuotes(value) ? [ASCII.quote] + value + [ASCII.quote] : value
      }
    }
    content.append(ASCII.colon)
    return content + value
  }

  private func needsQuotes(_ value: [UInt8]) -> Bool {
    value.contains { $0 == ASCII.colon || $0 == ASCII.semicolon || $0 == ASCII.comma }
  }
}

/// Why an edit of a tree was refused; the tree is as it was.
public enum EditRefusal: Error, Sendable, Hashable {
  /// The line or component is none of this tree, or was removed.
  case notFound
  /// A property's name is empty, has other bytes than letters, digits, `-`, `_` and `.`, or is
  /// BEGIN or END.
  case badName
  /// A parameter's name is no name, or one of its values has a quote or a line break that RFC 6868
  /// would encode.
  case badParameter
  /// A value has a line break; in a text it is escaped as `\n`.
  case lineBreakInValue
  /// A component in the text, or in what is to be inserted, has no END at that place, so that the
  /// text would come to mean something else.
  case notWhole
  /// Components would be nested deeper than `SyntaxTree.depthLimit`.
  case tooDeep
  /// The text would be larger than `SyntaxTree.sizeLimit`.
  case tooLarge
}
