extension Rule {
  static let documentation: [Rule] = [
    Rule("every public declaration says what it is") { repository in
      // What implements a requirement means what the protocol says.
      let requirements = Set(repository.files.flatMap(requirements))
      return repository.files.flatMap { undocumented($0, requirements) }
    },
    Rule("docs/architecture.md names every target") { repository in
      architectureFindings(repository)
    },
    Rule("what the documents refer to exists") { repository in
      repository.files.filter { $0.path.hasSuffix(".md") }.flatMap {
        missingReferences($0, repository)
      }
    },
  ]
}

/// Names whose meaning the protocol gives that asks for them.
private let namesOfConformances: Set<String> = [
  "==", "<", "hash", "description", "debugDescription", "encode", "id", "rawValue", "allCases",
  "next", "makeIterator", "makeAsyncIterator", "unownedExecutor", "enqueue",
]

private let modifiers: Set<String> = [
  "static", "final", "mutating", "nonmutating", "nonisolated", "override", "convenience",
  "required", "private", "fileprivate", "internal", "indirect", "lazy", "weak", "unowned",
  "class", "prefix", "postfix", "infix", "dynamic", "consuming", "borrowing", "sending", "package",
]

private let declarations: Set<String> = [
  "func", "var", "let", "struct", "class", "enum", "protocol", "actor", "typealias", "init",
  "subscript", "macro", "associatedtype",
]

/// The names that the protocols of a file ask for.
private func requirements(_ file: SourceFile) -> [String] {
  guard file.isSource else { return [] }
  return file.occurrences(of: ["protocol"]).flatMap { keyword -> [String] in
    guard let start = file.tokens.firstIndex(of: keyword),
      let open = file.tokens[start...].firstIndex(where: { $0.isSign("{") })
    else { return [] }
    return (open..<file.closing(open)).compactMap { index in
      ["func", "var"].contains(file.tokens[index].text) ? file.tokens[index + 1].text : nil
    }
  }
}

private func undocumented(_ file: SourceFile, _ requirements: Set<String>) -> [Finding] {
  guard file.isSource else { return [] }
  let initializers = file.functions.filter { $0.name == "init" && merelyStores(file, $0) }
  let storing = Set(initializers.map(\.line))
  return file.tokens.indices.compactMap { index in
    guard file.tokens[index].isWord("public"),
      let (kind, name) = declaration(file.tokens, after: index)
    else { return nil }
    let line = file.tokens[index].line
    if isStoredProperty(file, index) { return nil }
    if isDocumented(file, line) || namesOfConformances.contains(name) { return nil }
    if ["func", "var"].contains(kind) && requirements.contains(name) { return nil }
    if kind == "init" && storing.contains(line) { return nil }
    let what = name.isEmpty ? kind : "\(kind) \(name)"
    return file.finding(line, "public \(what) has no doc comment")
  }
}

/// The keyword and name of what a `public` makes public; nil for an import or a setter.
private func declaration(_ tokens: [Token], after index: Int) -> (kind: String, name: String)? {
  var at = index + 1
  while at + 1 < tokens.count {
    let text = tokens[at].text
    let isClassMember = text == "class" && declarations.contains(tokens[at + 1].text)
    if declarations.contains(text) && !isClassMember {
      if text == "init" || text == "subscript" { return (text, "") }
      return (text, operatorOrName(tokens, at + 1))
    }
    guard modifiers.contains(text) || ["(", ")", "set", "unsafe"].contains(text) else { return nil }
    at += 1
  }
  return nil
}

private func operatorOrName(_ tokens: [Token], _ index: Int) -> String {
  guard tokens[index].kind == .sign else { return tokens[index].text }
  return tokens[index...].prefix { $0.kind == .sign && $0.text != "(" }.map(\.text).joined()
}

/// A stored property is, like a case, a part of its type, whose comment covers what the name and
/// the type do not say. A constant of a type (a limit, a name) stands by itself.
private func isStoredProperty(_ file: SourceFile, _ index: Int) -> Bool {
  let line = file.tokens[index].line
  let rest = file.tokens[index...].prefix { $0.line == line }
  let words = rest.filter { $0.kind == .word }.map(\.text)
  guard words.contains("var") || words.contains("let"), !words.contains("static") else {
    return false
  }
  return file.lines[line - 1].first == " " && !rest.contains { $0.isSign("{") }
}

/// A doc comment above, with attributes between.
private func isDocumented(_ file: SourceFile, _ line: Int) -> Bool {
  var above = line - 1
  while above >= 1 {
    let text = file.lines[above - 1].drop { $0 == " " }
    if text.hasPrefix("///") || text.hasSuffix("*/") { return true }
    guard text.hasPrefix("@") else { return false }
    above -= 1
  }
  return false
}

/// Every line of its body stores something: `self.name = …`.
private func merelyStores(_ file: SourceFile, _ function: FunctionBody) -> Bool {
  let body = file.tokens[function.tokens].dropFirst().dropLast()
  var line = 0
  var previous: Token?
  for token in body {
    defer { previous = token }
    let continues = previous.map { "=+-?:.&|(".contains($0.text) } ?? false
    guard token.line > line, !continues else { continue }
    line = token.line
    if !token.isWord("self") && !token.isSign("?") && !token.isSign(")") { return false }
  }
  return true
}

/// Links, and paths in backticks, that lead nowhere.
private func missingReferences(_ file: SourceFile, _ repository: Repository) -> [Finding] {
  let folder = file.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
  let known = ["docs/", "Scripts/", "Sources/", "Tests/", "Fixtures/", ".ci/"]
  return file.lines.enumerated().flatMap { index, line -> [Finding] in
    let links = texts(in: line, from: "](", to: ")").filter {
      !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:")
    }
    let linked = links.map { folder + $0.prefix { $0 != "#" } }
    let quoted = texts(in: line, from: "`", to: "`").filter { text in
      known.contains { text.hasPrefix($0) } && !text.contains { "<*…".contains($0) }
    }
    return (linked + quoted.map { String($0.prefix { $0 != " " }) }).filter {
      !repository.exists($0)
    }.map { file.finding(index + 1, "\($0) does not exist") }
  }
}

/// What stands between the two marks, each time.
func texts(in line: String, from opening: String, to closing: String) -> [String] {
  var found: [String] = []
  var rest = Substring(line)
  while let start = rest.firstRange(of: opening) {
    rest = rest[start.upperBound...]
    guard let end = rest.firstRange(of: closing) else { break }
    found.append(String(rest[..<end.lowerBound]))
    rest = rest[end.upperBound...]
  }
  return found
}
