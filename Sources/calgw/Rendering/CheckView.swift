import CalgwKit

extension Console {
  /// Prints the findings of a file: a line each, in the form that editors and compilers have.
  func show(_ file: CheckedFile) {
    guard !isJSON else {
      for finding in file.json { print(finding) }
      return
    }
    var lines: [String] = []
    for finding in file.findings {
      let one = finding.finding
      if isQuiet, one.severity == .warning || finding.isMended { continue }
      let place = "\(visibleText(file.file, limit: 4096)):\(one.line):\(one.column):"
      let word = styled(one.severity.rawValue + ":", one.severity == .error ? .red : .yellow)
      lines.append("\(place) \(word) \(visibleText(one.message)) [\(one.code.rawValue)]")
      guard let mend = finding.mend else { continue }
      lines.append(
        finding.isMended
          ? "  " + styled("fixed:", .green) + " \(mend)" : "  fix: \(mend)")
    }
    if !lines.isEmpty { print(lines.joined(separator: "\n")) }
  }
}
