import Glibc

extension Rule {
  static let hygiene: [Rule] = [
    Rule("nothing that is made by a build is tracked") { repository in
      guard let paths = trackedPaths(repository) else { return [] }
      return generated(paths)
    },
    Rule("no path of the machine that runs this is in a file") { repository in
      var paths = [repository.root]
      if let home = getenv("HOME") { paths.append(String(cString: home)) }
      return machinePaths(repository.files, paths: paths)
    },
  ]
}

/// What Git keeps; nil where the checkout is no Git repository, as in a source archive.
private func trackedPaths(_ repository: Repository) -> [String]? {
  guard repository.exists(".git") else { return nil }
  // The checkout may belong to another user, as it does where continuous integration mounts it.
  let root = "'" + repository.root.split(separator: "'").joined(separator: "'\\''") + "'"
  let command = "git -c safe.directory=\(root) -C \(root) ls-files -z"
  guard let stream = popen(command, "re") else { return nil }
  let bytes = readToEnd(stream)
  guard pclose(stream) == 0 else { return nil }
  return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
}

func generated(_ paths: [String]) -> [Finding] {
  let isGenerated = { (path: String) in
    path.hasPrefix(".build/") || path == "Package.resolved" || path.contains("__pycache__/")
      || path.hasSuffix(".o") || path.hasSuffix(".swp") || path.hasSuffix(".sqlite")
  }
  return paths.filter(isGenerated).map {
    Finding(file: $0, line: 1, message: "a build makes this; Git should not keep it")
  }
}

/// Folders of every machine say nothing about one.
private let commonFolders: Set<String> = ["/", "/home", "/tmp", "/usr", "/opt", "/srv", "/var"]

/// The places where one of these absolute paths, and not a longer one that ends like it, stands.
func machinePaths(_ files: [SourceFile], paths: [String]) -> [Finding] {
  let wanted = Set(paths).subtracting(commonFolders).sorted().map { Array(($0 + "/").utf8) }
  return files.flatMap { file in
    wanted.compactMap { path -> Finding? in
      guard let range = file.bytes.firstRange(of: path) else { return nil }
      let before = range.lowerBound > 0 ? file.bytes[range.lowerBound - 1] : 0
      let endings = Array(" \t\n\"'`(=:,<[".utf8)
      guard before == 0 || endings.contains(before) else { return nil }
      let line = file.bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
      return file.finding(line, "the path of one machine: \(String(decoding: path, as: UTF8.self))")
    }
  }
}
