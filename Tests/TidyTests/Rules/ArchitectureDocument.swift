/// A row of the table `| target | sentence | entry function |` of docs/architecture.md.
struct ArchitectureRow: Equatable {
  let target: String
  let sentence: String
  /// `Type.function(label:)` or `function(label:)`, `Type`, or empty where the cell has none.
  let entry: String
  let line: Int
}

/// The rows of every table of the document whose first cell is a name in backticks.
func architectureRows(_ file: SourceFile) -> [ArchitectureRow] {
  file.lines.enumerated().compactMap { index, line in
    guard line.hasPrefix("|") else { return nil }
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard cells.count >= 3, let target = texts(in: cells[0], from: "`", to: "`").first else {
      return nil
    }
    return ArchitectureRow(
      target: target, sentence: cells[1],
      entry: texts(in: cells[2], from: "`", to: "`").first ?? "", line: index + 1)
  }
}

/// What is wrong with docs/architecture.md, held against Package.swift and Sources.
func architectureFindings(_ repository: Repository) -> [Finding] {
  let path = "docs/architecture.md"
  guard let document = repository.file(path), let package = repository.file("Package.swift") else {
    return [Finding(file: path, line: 1, message: "the file is missing")]
  }
  let rows = architectureRows(document)
  let targets = declaredTargets(package).filter { $0.isOurs }
  let unnamed = targets.filter { target in !rows.contains { $0.target == target.name } }.map {
    package.finding($0.line, "\(path) has no row for \($0.name)")
  }
  return unnamed
    + rows.flatMap { row -> [Finding] in
      guard let target = targets.first(where: { $0.name == row.target }) else {
        return [document.finding(row.line, "\(row.target) is no target of Package.swift")]
      }
      return rowFindings(row, target, document, repository)
    }
}

private func rowFindings(
  _ row: ArchitectureRow, _ target: DeclaredTarget, _ document: SourceFile,
  _ repository: Repository
) -> [Finding] {
  let files = repository.files.filter { $0.path.hasPrefix("Sources/\(row.target)/") }
  var findings: [Finding] = []
  if files.isEmpty {
    findings.append(document.finding(row.line, "Sources/\(row.target) has no files"))
  }
  if row.sentence.split(separator: " ").count < 3 {
    findings.append(document.finding(row.line, "\(row.target) has no sentence"))
  }
  // A system library is a module map; it has no function of ours.
  if target.kind == "systemLibrary" && row.entry.isEmpty { return findings }
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
    if file.isC { return file.lines.contains { $0.contains(name + "(") } }
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
