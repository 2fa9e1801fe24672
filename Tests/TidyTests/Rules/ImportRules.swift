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
  "WebDAV": ["CXML2"],
  "CurlTransport": ["WebDAV", "CCurl"],
  "CalDAVStorage": ["SyncModel", "WebDAV"],
  "SQLiteJournal": ["SyncModel", "GRDB"],
  "EventStore": ["EventEditing", "Recurrence", "ICalendar", "SyncModel"],
  "CalgwKit": [
    "ICalendar", "Recurrence", "EventEditing", "SyncModel", "SyncPlanning", "SyncExecution",
    "VdirStorage", "WebDAV", "CurlTransport", "CalDAVStorage", "SQLiteJournal", "EventStore",
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
  if pure.contains(target) { return ours }
  // The engine acts through ports alone, so that all of it runs in the simulator.
  return ours.union(target == "SyncExecution" ? ["Synchronization"] : toolchain)
}

private func forbiddenImports(_ file: SourceFile) -> [Finding] {
  guard file.isSource, file.isSwift, let target = file.target else { return [] }
  let allowed = allowedImports(target)
  return importedModules(file).filter { !allowed.contains($0.name) }.map { module in
    let list = allowed.isEmpty ? "nothing" : allowed.sorted().joined(separator: ", ")
    return file.finding(
      module.line, "\(target) may not import \(module.name), only: \(list)")
  }
}

private func importedModules(_ file: SourceFile) -> [(name: String, line: Int)] {
  let kinds = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
  return file.tokens.indices.dropLast().compactMap { index in
    guard file.tokens[index].isWord("import") else { return nil }
    let next = file.tokens[index + 1]
    guard next.kind == .word else { return nil }
    guard kinds.contains(next.text), index + 2 < file.tokens.count else {
      return (next.text, next.line)
    }
    return (file.tokens[index + 2].text, next.line)
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
