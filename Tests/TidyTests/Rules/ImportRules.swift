extension Rule {
  static let imports: [Rule] = [
    .each("imports keep to the layers", forbiddenImports),
    Rule("Package.swift keeps to the layers") { repository in
      guard let file = repository.file("Package.swift") else {
        return [Finding(file: "Package.swift", line: 1, message: "the file is missing")]
      }
      return forbiddenDependencies(file)
    },
  ]
}

/// Who may import which of our targets, and which of the packages and C libraries we use.
///
/// What is in no row may import nothing of either. Adapters never import each other, and only
/// CalgwKit names them.
let layers: [String: Set<String>] = [
  "CCurl": ["CLibCurl"],
  "ICalendar": [],
  "Recurrence": ["ICalendar"],
  "EventEditing": ["Recurrence", "ICalendar"],
  "SyncModel": [],
  "SyncPlanning": ["SyncModel", "ICalendar", "Recurrence"],
  "SyncExecution": ["SyncPlanning", "SyncModel", "ICalendar"],
  "VdirStorage": ["SyncModel", "CLinux"],
  "StreamStorage": ["SyncModel", "ICalendar"],
  "WebDAV": ["CXML2"],
  "CurlTransport": ["WebDAV", "CCurl"],
  "CalDAVStorage": ["SyncModel", "WebDAV", "ICalendar"],
  // GRDBSQLite is the C module that GRDB itself stands on.
  "SQLiteJournal": ["SyncModel", "GRDB", "GRDBSQLite"],
  "EventStore": ["EventEditing", "Recurrence", "ICalendar", "SyncModel"],
  "CalgwKit": [
    "ICalendar", "Recurrence", "EventEditing", "SyncModel", "SyncPlanning", "SyncExecution",
    "VdirStorage", "StreamStorage", "WebDAV", "CurlTransport", "CalDAVStorage", "SQLiteJournal",
    "EventStore",
    "CCrypto", "CLinux", "TOMLKit", "Logging",
  ],
  "calgw": ["CalgwKit", "ArgumentParser"],
]

/// Targets that decide and never act: not even the C library.
private let pure = ["ICalendar", "Recurrence", "EventEditing", "SyncModel", "SyncPlanning"]

/// Modules of the toolchain that the other targets may import. Foundation itself is none of them:
/// it makes a static binary four times as large.
private let toolchain: Set<String> = [
  "Synchronization", "FoundationEssentials", "Glibc", "Dispatch",
]

private func allowedImports(_ target: String) -> Set<String> {
  let ours = layers[target] ?? []
  // Zones are read once and kept; the engine acts through ports alone, so that all of it runs in
  // the simulator. Both need a lock and nothing else.
  if ["Recurrence", "SyncExecution"].contains(target) { return ours.union(["Synchronization"]) }
  return pure.contains(target) ? ours : ours.union(toolchain)
}

/// Functions of the C library that only look at memory: a pure target may import one by its name
/// (`import func Glibc.memchr`), and not the library.
private let pureFunctions: Set<String> = ["memchr", "memcmp"]

private func forbiddenImports(_ file: SourceFile) -> [Finding] {
  guard file.isSource, file.isSwift, let target = file.target else { return [] }
  let allowed = allowedImports(target)
  let forbidden = importDeclarations(file).filter { one in
    !allowed.contains(one.module) && !(one.module == "Glibc" && pureFunctions.contains(one.symbol))
  }
  return forbidden.map { one in
    let list = allowed.isEmpty ? "nothing" : allowed.sorted().joined(separator: ", ")
    return file.finding(one.line, "\(target) may not import \(one.module), only: \(list)")
  }
}

/// What one import declaration names; the symbol is empty where it is the whole module.
private struct ImportDeclaration {
  let module: String
  let symbol: String
  let line: Int
}

private func importDeclarations(_ file: SourceFile) -> [ImportDeclaration] {
  let kinds = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
  return file.tokens.indices.dropLast().compactMap { index in
    guard file.tokens[index].isWord("import") else { return nil }
    let names = file.tokens[(index + 1)...].prefix { $0.line == file.tokens[index].line }
      .filter { $0.kind == .word }.map(\.text)
    let path = names.first.map { kinds.contains($0) } == true ? names.dropFirst() : names[...]
    guard let module = path.first else { return nil }
    let symbol = path.count > 1 ? path.last ?? "" : ""
    return ImportDeclaration(module: module, symbol: symbol, line: file.tokens[index].line)
  }
}

private func forbiddenDependencies(_ file: SourceFile) -> [Finding] {
  declaredTargets(file).filter { $0.isOurs }.flatMap { target -> [Finding] in
    guard let allowed = layers[target.name] else {
      // Without a row a target stands on nothing.
      return target.uses.map {
        file.finding(target.line, "\(target.name) depends on \($0) and has no row in the layers")
      }
    }
    return target.uses.filter { !allowed.contains($0) }.map {
      file.finding(target.line, "\(target.name) may not depend on \($0)")
    }
  }
}
