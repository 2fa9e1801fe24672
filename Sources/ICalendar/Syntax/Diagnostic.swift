/// Something in a text that is not as RFC 5545 wants it. The text is kept as it is all the same.
public struct Diagnostic: Sendable, Hashable {
  public enum Code: String, Sendable, CaseIterable {
    case missingColon = "missing-colon"
    case badName = "bad-name"
    case unterminatedQuote = "unterminated-quote"
    case missingEnd = "missing-end"
    case strayEnd = "stray-end"
    case tooDeep = "too-deep"
    case invalidUTF8 = "invalid-utf-8"
    case tooLarge = "too-large"
    /// There are more of them than are listed.
    case more
  }

  public enum Severity: String, Sendable, CaseIterable {
    case warning
    case error
  }

  public var code: Code
  public var severity: Severity
  /// What is wrong, without a full stop. Never holds a part of the text.
  public var message: String
  /// The physical line, from 1.
  public var line: Int
  /// The byte in the physical line, from 1.
  public var column: Int

  init(_ code: Code, line: Int, column: Int) {
    self.code = code
    severity = code.severity
    message = code.message
    self.line = line
    self.column = column
  }
}

extension Diagnostic.Code {
  fileprivate var severity: Diagnostic.Severity {
    switch self {
    case .missingColon, .badName, .unterminatedQuote, .missingEnd, .strayEnd, .tooDeep,
      .invalidUTF8, .tooLarge:
      .error
    case .more: .warning
    }
  }

  fileprivate var message: String {
    switch self {
    case .missingColon: "a content line has no colon"
    case .badName: "a content line does not start with the name of a property"
    case .unterminatedQuote: "a quoted parameter value has no closing quote"
    case .missingEnd: "a component has no END line"
    case .strayEnd: "an END line closes no open component"
    case .tooDeep: "components are nested deeper than \(SyntaxTree.depthLimit) levels"
    case .invalidUTF8: "a line is not UTF-8"
    case .tooLarge: "the text is larger than \(SyntaxTree.sizeLimit) bytes"
    case .more: "there are more problems than are listed"
    }
  }
}
