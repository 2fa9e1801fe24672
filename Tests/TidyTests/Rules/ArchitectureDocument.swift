/// A row of the table `| target | sentence | entry function |` of docs/architecture.md.
struct ArchitectureRow: Equatable {
  let target: String
  let sentence: String
  /// `Type.function(label:)` or `function(label:)`; empty where the cell has none.
  let entry: String
  let line: Int
}

/// The rows of the table whose head begins with "target"; its names may stand in backticks.
func architectureRows(_ file: SourceFile) -> [ArchitectureRow] {
  var rows: [ArchitectureRow] = []
  var isInTable = false
  for (index, line) in file.lines.enumerated() {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(
      trimmed)
    guard line.hasPrefix("|"), cells.count >= 3 else {
      isInTable = false
      continue
    }
    if cells[0] == "target" {
      isInTable = true
    } else if isInTable && !cells[0].hasPrefix("-") {
      let entry = texts(in: cells[2], from: "`", to: "`").first ?? ""
      let target = cells[0].filter { $0 != "`" }
      rows.append(
        ArchitectureRow(target: target, sentence: cells[1], entry: entry, line: index + 1))
    }
  }
  return rows
}

private func trimmed(_ text: Substring) -> String {
  var text = text.drop { $0 == " " }
  while text.last == " " { text.removeLast() }
  return String(text)
}

/// What is wrong with docs/architecture.md, held against Package.swift and Sources.
func architectureFindings(_ repository: Repository) -> [Finding] {
  let path = "docs/architecture.md"
  guard let document = repository.file(path), let package = repository.file("Package.swift") else {
    return [Finding(file: path, line: 1, message: "the file is missing")]
  }
  let rows = architectureRows(document)
  let targets = declaredTargets(package).filter { $0.isOurs }
  // A C library and the few calls around it have no entry function; the text names them.
  let mentioned = Set(document.lines.flatMap { texts(in: $0, from: "`", to: "`") })
  let unnamed = targets.filter { target in
    let isC = !repository.files.contains {
      $0.isSwift && $0.path.hasPrefix("Sources/\(target.name)/")
    }
    return !rows.contains { $0.target == target.name } && !(isC && mentioned.contains(target.name))
  }.map { package.finding($0.line, "\(path) does not name \($0.name)") }
  return unnamed
    + rows.flatMap { row -> [Finding] in
      guard targets.contains(where: { $0.name == row.target }) else {
        return [document.finding(row.line, "\(row.target) is no target of Package.swift")]
      }
      return rowFindings(row, document, repository)
    }
}

private func rowFindings(
  _ row: ArchitectureRow, _ document: SourceFile, _ repository: Repository
) -> [Finding] {
  let files = repository.files.filter { $0.path.hasPrefix("Sources/\(row.target)/") }
  var findings: [Finding] = []
  if files.isEmpty {
    findings.append(document.finding(row.line, "Sources/\(row.target) has no files"))
  }
  if row.sentence.split(separator: " ").count < 3 {
    findings.append(document.finding(row.line, "\(row.target) has no sentence"))
  }
  if row.entry.isEmpty {
    findings.append(document.finding(row.line, "\(row.target) has no entry function"))
  } else if !declares(row.entry, files) {
    let message = "\(row.entry) is not declared in Sources/\(row.target)"
    findings.append(document.finding(row.line, message))
  }
  return findings
}

/// The function, with its labels where the entry has them, and its type if one is named.
private func declares(_ entry: String, _ files: [SourceFile]) -> Bool {
  let path = entry.prefix { $0 != "(" }.split(separator: ".").map(String.init)
  guard let name = path.last else { return false }
  let labels = texts(in: entry, from: "(", to: ")").first.map {
    $0.split(separator: ":").map(String.init)
  }
  let hasTypes = path.dropLast().allSatisfy { type in
    files.contains { file in declaresType(file, type) }
  }
  let hasFunction = files.contains { file in
    // A command's own `main` comes from its library.
    if name == "main", !file.occurrences(of: ["@", "main"]).isEmpty { return true }
    return declaresFunction(file, name, labels)
  }
  return hasTypes && hasFunction
}

private func declaresType(_ file: SourceFile, _ name: String) -> Bool {
  ["struct", "class", "enum", "actor", "protocol", "extension"].contains { keyword in
    !file.occurrences(of: [keyword, name]).isEmpty
  }
}

private func declaresFunction(_ file: SourceFile, _ name: String, _ labels: [String]?) -> Bool {
  file.tokens.indices.dropLast().contains { index in
    let isInit = name == "init" && file.tokens[index].isWord("init")
    let isFunction = file.tokens[index].isWord("func") && file.tokens[index + 1].text == name
    guard isInit || isFunction else { return false }
    guard let labels else { return true }
    return parameterLabels(file, after: isInit ? index + 1 : index + 2) == labels
  }
}

/// The labels of the parameter list that follows, past a list of generic parameters.
private func parameterLabels(_ file: SourceFile, after index: Int) -> [String]? {
  let tokens = file.tokens
  guard let open = tokens[index...].firstIndex(where: { $0.isSign("(") }) else { return nil }
  let close = file.closing(open)
  var labels: [String] = []
  var at = open + 1
  var expectsLabel = true
  while at < close {
    if expectsLabel, tokens[at].kind == .word {
      labels.append(tokens[at].text)
      expectsLabel = false
    }
    if ["(", "[", "{"].contains(tokens[at].text), tokens[at].kind == .sign {
      at = file.closing(at)
    }
    if tokens[at].isSign(",") { expectsLabel = true }
    at += 1
  }
  return labels
}
