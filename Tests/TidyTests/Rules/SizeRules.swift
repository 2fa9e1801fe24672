extension Rule {
  static let sizes: [Rule] = [
    .each("files fit the head: 300 lines in Sources, 400 in Tests", longFile),
    .each("lines fit the screen: 100 columns", longLine),
    .each("functions fit the screen: 60 lines", longFunction),
  ]
}

private let linesOfSource = 300
private let linesOfTest = 400
private let columns = 100
private let linesOfFunction = 60

private func longFile(_ file: SourceFile) -> [Finding] {
  guard file.isSwift || file.isC, file.isSource || file.isTest else { return [] }
  let limit = file.isSource ? linesOfSource : linesOfTest
  guard file.lines.count > limit else { return [] }
  return [file.finding(limit + 1, "the file has \(file.lines.count) lines; \(limit) is the most")]
}

private func longLine(_ file: SourceFile) -> [Finding] {
  guard file.isSwift || file.isC || file.path.hasPrefix("Scripts/") else { return [] }
  return file.lines.enumerated().compactMap { index, line in
    // Bytes first: counting scalars is slow, and nearly every line is short.
    guard line.utf8.count > columns, line.unicodeScalars.count > columns else { return nil }
    return file.finding(index + 1, "the line is longer than \(columns) columns")
  }
}

private func longFunction(_ file: SourceFile) -> [Finding] {
  file.functions.filter { $0.lineCount > linesOfFunction }.map {
    file.finding($0.line, "\($0.name) has \($0.lineCount) lines; \(linesOfFunction) is the most")
  }
}
