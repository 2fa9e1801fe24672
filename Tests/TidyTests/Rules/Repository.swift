import Glibc

/// Something that breaks a rule, and where.
struct Finding: Equatable, Sendable, CustomStringConvertible {
  /// Relative to the root.
  let file: String
  /// From 1.
  let line: Int
  let message: String

  var description: String { "\(file):\(line): \(message)" }
}

/// A rule of the whole repository; its description is what holds.
struct Rule: Sendable, CustomStringConvertible {
  let description: String
  let findings: @Sendable (Repository) -> [Finding]

  init(_ description: String, findings: @escaping @Sendable (Repository) -> [Finding]) {
    self.description = description
    self.findings = findings
  }

  /// A rule that looks at one file after the other.
  static func each(
    _ description: String, _ findings: @escaping @Sendable (SourceFile) -> [Finding]
  ) -> Rule {
    Rule(description) { $0.files.flatMap(findings) }
  }

  static let all: [Rule] = sizes + safety + tests + imports + documentation + hygiene
}

/// The text files of a checkout that the rules look at.
struct Repository: Sendable {
  /// Absolute, without a slash at its end.
  let root: String
  /// Below Sources, Tests, Scripts, docs and .ci, and at the root; ordered by path.
  let files: [SourceFile]

  init(root: String) {
    self.root = root
    let folders = ["Sources", "Tests", "Scripts", "docs", ".ci"]
    let below = folders.flatMap { Self.paths(below: $0, root: root) }
    let atRoot = Self.entries(of: root).filter {
      Self.isText($0) && !Self.isFolder("\(root)/\($0)")
    }
    files = (below + atRoot).sorted().compactMap { path in
      readFile("\(root)/\(path)").map { SourceFile(path: path, bytes: $0) }
    }
  }

  /// For tests of the rules.
  init(files: [SourceFile]) {
    root = "/nowhere"
    self.files = files
  }

  func file(_ path: String) -> SourceFile? { files.first { $0.path == path } }

  func exists(_ path: String) -> Bool { access("\(root)/\(path)", F_OK) == 0 }

  private static func paths(below folder: String, root: String) -> [String] {
    entries(of: "\(root)/\(folder)").flatMap { name in
      let path = "\(folder)/\(name)"
      if isFolder("\(root)/\(path)") { return paths(below: path, root: root) }
      return isText(name) ? [path] : []
    }
  }

  private static func isText(_ name: String) -> Bool {
    let endings = [".swift", ".c", ".h", ".modulemap", ".md", ".py", ".txt", ".sh"]
    return endings.contains { name.hasSuffix($0) } || !name.contains(".")
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." && name != "__pycache__" { names.append(name) }
    }
    return names
  }
}

/// The bytes of a file, nil where it cannot be read.
func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  return readToEnd(file)
}

/// What a stream still holds.
func readToEnd(_ stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, stream)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}
