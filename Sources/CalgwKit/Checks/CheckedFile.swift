public import ICalendar

/// What `check` found in one file.
public struct CheckedFile: Sendable {
  /// Absolute; bytes that are not UTF-8 are `%XX`, and then `isEncoded`.
  public let file: String
  public let isEncoded: Bool
  public var findings: [Finding]

  /// A finding with what can be done about it.
  public struct Finding: Sendable {
    public var finding: CheckFinding
    /// What `--fix` does about it; nil where a person has to.
    public var mend: String?
    /// It was done.
    public var isMended = false
  }

  init(path: [UInt8], findings: [Finding]) {
    (file, isEncoded) = nameText(path)
    self.findings = findings
  }

  /// An error is left.
  public var hasErrors: Bool {
    findings.contains { $0.finding.severity == .error && !$0.isMended }
  }

  /// The machine-readable forms (CONTRACT, "Machine-readable forms"): a line a finding.
  public var json: [JSONValue] {
    findings.map { finding in
      var members: [JSONValue.Member] = [.init(name: "file", value: .string(file))]
      if isEncoded { members.append(.init(name: "fileEncoded", value: .boolean(true))) }
      members += [
        .init(name: "line", value: .integer(finding.finding.line)),
        .init(name: "column", value: .integer(finding.finding.column)),
        .init(name: "severity", value: .string(finding.finding.severity.rawValue)),
        .init(name: "code", value: .string(finding.finding.code.rawValue)),
        .init(name: "message", value: .string(finding.finding.message)),
        .init(name: "fix", value: .optional(finding.mend)),
      ]
      if finding.isMended { members.append(.init(name: "fixed", value: .boolean(true))) }
      return .object(members)
    }
  }
}
